package io.keyvalueserve.grid.door;

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

  /** A transaction has used what is granted now. */
  void touched(UUID transaction, MapAccess access) {
    Map<MapAccess, Long> touched = versions.get(transaction);
    if (touched == null) {
      if (versions.size() >= MOST) {
        throw new RefusedException(
            "a client may have " + MOST + " transactions on others' maps open; this one has");
      }
      touched = new HashMap<>();
      versions.put(transaction, touched);
    }
    touched.putIfAbsent(access, access.version());
  }

  /** Ends a transaction. Returns whether all it has used is granted as it was. */
  boolean end(UUID transaction) {
    Map<MapAccess, Long> touched = versions.remove(transaction);
    if (touched == null) {
      return true;
    }
    for (Map.Entry<MapAccess, Long> each : touched.entrySet()) {
      if (each.getKey().version() != each.getValue()) {
        return false;
      }
    }
    return true;
  }
}
