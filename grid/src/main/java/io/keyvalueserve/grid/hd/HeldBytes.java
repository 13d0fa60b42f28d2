package io.keyvalueserve.grid.hd;

import java.util.HashMap;
import java.util.Map;

/**
 * What a map holds at a moment on this member, of the partitions that it owns: so over all members
 * each entry counts once, as it does for quotas.
 *
 * @param resident bytes off the heap: records with their index
 * @param spilled bytes of values that are on the disk in place of memory
 * @param others what of it counts for others than the owner of the map, by their numbers
 */
public record HeldBytes(long resident, long spilled, Map<Integer, HeldBytes> others) {
  public HeldBytes {
    others = Map.copyOf(others);
  }

  /** What all counts for one. */
  public HeldBytes(long resident, long spilled) {
    this(resident, spilled, Map.of());
  }

  /** Those of all maps, by the grid's names. Looks at every partition of every map. */
  public static Map<String, HeldBytes> of(NativeMaps maps) {
    Map<String, HeldBytes> held = new HashMap<>();
    maps.partitions()
        .forEachStore(
            store -> {
              if (maps.partitions().isPrimary(store.getPartitionId())) {
                HeldBytes _ = held.merge(store.getName(), of(store), HeldBytes::plus);
              }
            });
    return held;
  }

  private static HeldBytes of(NativeRecordStore store) {
    Map<Integer, HeldBytes> others = new HashMap<>();
    store.forEachOther(
        (number, bytes, spilled) -> others.put(number, new HeldBytes(bytes, spilled)));
    NativeEntries entries = store.entries();
    return new HeldBytes(entries.bytes(), entries.spilled().bytes(), others);
  }

  /** What of it counts for the owner of the map. */
  public HeldBytes ofOwner() {
    long residentOfOthers = others.values().stream().mapToLong(HeldBytes::resident).sum();
    long spilledOfOthers = others.values().stream().mapToLong(HeldBytes::spilled).sum();
    return new HeldBytes(
        Math.max(0, resident - residentOfOthers), Math.max(0, spilled - spilledOfOthers));
  }

  private HeldBytes plus(HeldBytes more) {
    Map<Integer, HeldBytes> sum = new HashMap<>(others);
    more.others.forEach((number, held) -> sum.merge(number, held, HeldBytes::plus));
    return new HeldBytes(resident + more.resident, spilled + more.spilled, sum);
  }
}
