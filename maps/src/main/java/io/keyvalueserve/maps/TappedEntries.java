package io.keyvalueserve.maps;

import io.keyvalueserve.store.Table;
import java.util.function.BooleanSupplier;

/**
 * Tells the open taps of the changes of a map in one partition, while this member owns it. By the
 * partition's writer. Without a tap it costs a read of a field.
 */
final class TappedEntries {
  private final ChangeTaps taps;
  private final String map;
  private final int partition;
  private final PartitionLock lock;
  private final BooleanSupplier primary;
  private ChangeTap[] seen = {};
  private ChangeTap[] own = {};

  /**
   * @param primary whether this member owns the partition at this moment
   */
  TappedEntries(
      ChangeTaps taps, String map, int partition, PartitionLock lock, BooleanSupplier primary) {
    this.taps = taps;
    this.map = map;
    this.partition = partition;
    this.lock = lock;
    this.primary = primary;
  }

  /** Returns whether somebody wants to know of changes. */
  @SuppressWarnings("ReferenceEquality") // the very same array, until a tap is opened or closed
  boolean isOn() {
    ChangeTap[] open = taps.open();
    if (open != seen) {
      seen = open;
      own = ChangeTaps.of(open, map);
    }
    return own.length > 0 && primary.getAsBoolean();
  }

  /** An entry was written. */
  void written(long record, NativeEntries entries, Table table) {
    tell(
        MapChange.put(
            map,
            partition,
            lock.changeStamp(),
            StoredEntry.of(record, table.position(record), entries.value(record))));
  }

  /** An entry is about to be removed. */
  void removing(long record, Table table) {
    tell(
        MapChange.removed(
            map,
            partition,
            lock.changeStamp(),
            table.position(record),
            DataForm.key(record).toByteArray()));
  }

  /** All entries are about to be removed. */
  void clearing() {
    tell(MapChange.cleared(map, partition, lock.changeStamp()));
  }

  private void tell(MapChange change) {
    for (ChangeTap tap : own) {
      tap.take(change);
    }
  }
}
