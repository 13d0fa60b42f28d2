package io.keyvalueserve.grid.hd;

import java.util.HashMap;
import java.util.Map;

/**
 * What a map holds at a moment on this member, of the partitions that it owns: so over all members
 * each entry counts once, as it does for quotas.
 *
 * @param resident bytes off the heap: records with their index
 * @param spilled bytes of values that are on the disk in place of memory
 */
public record HeldBytes(long resident, long spilled) {
  /** Those of all maps, by the grid's names. Looks at every partition of every map. */
  public static Map<String, HeldBytes> of(NativeMaps maps) {
    Map<String, HeldBytes> held = new HashMap<>();
    maps.forEachStore(
        store -> {
          if (maps.isPrimary(store.getPartitionId())) {
            NativeEntries entries = store.entries();
            HeldBytes own = new HeldBytes(entries.bytes(), entries.spilled().bytes());
            HeldBytes _ = held.merge(store.getName(), own, HeldBytes::plus);
          }
        });
    return held;
  }

  private HeldBytes plus(HeldBytes other) {
    return new HeldBytes(resident + other.resident, spilled + other.spilled);
  }
}
