package io.keyvalueserve.grid.kept;

import java.util.HashMap;
import java.util.Map;

/** Adds up what each tenant keeps on this member, by tenants' names. Of one thread. */
final class KeptSums {
  private final Map<String, Long> all = new HashMap<>();
  private final Map<String, Long> owned = new HashMap<>();

  /**
   * Adds bytes.
   *
   * @param isOwned whether they are in a partition that this member owns, and so are billed here
   */
  void add(String tenant, long bytes, boolean isOwned) {
    long _ = all.merge(tenant, bytes, Long::sum);
    if (isOwned) {
      long _ = owned.merge(tenant, bytes, Long::sum);
    }
  }

  /** Returns all bytes, with those of backups. */
  Map<String, Long> all() {
    return all;
  }

  /** Returns the bytes in partitions that this member owns. */
  Map<String, Long> owned() {
    return owned;
  }
}
