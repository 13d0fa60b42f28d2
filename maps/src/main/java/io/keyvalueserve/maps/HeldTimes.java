package io.keyvalueserve.maps;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Collects what tenants held in the maps of a member for how long. Entries that are closed, as
 * their map is destroyed or their partition moves away, hand over what they have not told before.
 * Thread-safe.
 */
final class HeldTimes {
  private final MemberPartitions partitions;
  private final ConcurrentHashMap<Holder, HeldTime> collected = new ConcurrentHashMap<>();

  private record Holder(String map, int writer) {}

  HeldTimes(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** Returns what takes over the times of a map's entries. */
  Charges.Heir heirOf(String map) {
    return (number, byteMillis, spilledByteMillis) -> {
      HeldTime _ =
          collected.merge(
              new Holder(map, number),
              new HeldTime(map, number, byteMillis, spilledByteMillis),
              HeldTime::plus);
    };
  }

  /**
   * Takes what was held until now and not taken before. Waits for each partition until nobody
   * changes it.
   */
  List<HeldTime> take() {
    if (partitions.areAttached()) {
      partitions.forEachStore(NativeRecordStore::handOverHeldTime);
    }
    List<HeldTime> taken = new ArrayList<>();
    for (Holder holder : collected.keySet()) {
      HeldTime time = collected.remove(holder);
      if (time != null) { // there is one caller, but nothing depends on that
        taken.add(time);
      }
    }
    return taken;
  }
}
