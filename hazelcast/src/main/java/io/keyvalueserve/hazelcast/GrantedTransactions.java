package io.keyvalueserve.hazelcast;

import io.keyvalueserve.tenancy.grant.MapAccess;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The transactions of a session that have touched others' maps, with what was granted then. Of the
 * thread that reads the connection.
 */
final class GrantedTransactions {
  private static final int MOST = 1_000;

  private final Map<UUID, Map<MapAccess, Long>> versions = new HashMap<>();

  /**
   * A transaction has used what is granted.
   *
   * @param version that of the access before the request was held against it
   */
  void touched(UUID transaction, MapAccess access, long version) {
    Map<MapAccess, Long> touched = versions.get(transaction);
    if (touched == null) {
      if (versions.size() >= MOST) {
        throw new MessageRefusedException(
            "a client may have " + MOST + " transactions on others' maps open; this one has");
      }
      touched = new HashMap<>();
      versions.put(transaction, touched);
    }
    touched.putIfAbsent(access, version);
  }

  /** Returns whether all grants that a transaction has used are unchanged. */
  boolean mayCommit(UUID transaction) {
    for (Map.Entry<MapAccess, Long> each :
        versions.getOrDefault(transaction, Map.of()).entrySet()) {
      if (each.getKey().version() != each.getValue()) {
        return false;
      }
    }
    return true;
  }

  /** A transaction is committed, or rolled back. */
  void ended(UUID transaction) {
    versions.remove(transaction);
  }
}
