package io.keyvalueserve.server;

import io.keyvalueserve.tenancy.QualifiedName;
import java.util.List;
import java.util.Map;

/**
 * The sizes of some maps on all members together.
 *
 * @param silent the addresses of members that gave no answer: what is there does not count
 */
public record MapSizes(Map<QualifiedName, Size> maps, List<String> silent) {
  public MapSizes {
    maps = Map.copyOf(maps);
    silent = List.copyOf(silent);
  }

  /**
   * The size of a map.
   *
   * @param entries each counted once
   * @param bytes off the heap, with those of backups
   * @param readsPerSecond of all tenants, in the last ten seconds
   * @param writesPerSecond likewise, with deletes
   */
  public record Size(long entries, long bytes, double readsPerSecond, double writesPerSecond) {
    static final Size NOTHING = new Size(0, 0, 0, 0);

    Size plus(Size other) {
      return new Size(
          entries + other.entries,
          bytes + other.bytes,
          readsPerSecond + other.readsPerSecond,
          writesPerSecond + other.writesPerSecond);
    }
  }
}
