package io.keyvalueserve.grid.hd;

import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A partition into which entries are put back that a log has, before the member joins: by one
 * thread at a time, which holds the partition's lock meanwhile. Nothing is logged, and nobody is
 * told: no listener, index, or backup.
 */
public final class RestoredPartition implements AutoCloseable {
  private static final long PAUSE_NANOS = 1_000;

  private final NativeMaps maps;
  private final int partition;
  private final PartitionLock lock;

  RestoredPartition(NativeMaps maps, int partition) {
    this.maps = maps;
    this.partition = partition;
    this.lock = maps.lock(partition);
    while (!lock.tryEnter()) { // hardly ever: there are no operations yet
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Puts an entry in the place of an older one.
   *
   * @param map its name in the grid
   * @param image the address of what {@link Records} had at {@code position}
   * @throws io.keyvalueserve.memory.OutOfNativeMemoryException if it does not fit
   * @throws IllegalArgumentException if it is no record
   */
  public void put(String map, long image, int length, long position) {
    entries(map).restore(image, length, position);
  }

  /** Removes an entry, if it is there. The key is in memory. */
  public void remove(String map, long key, int length, int form) {
    NativeRecordStore store = maps.existingStore(map, partition);
    if (store != null) {
      store.entries().restoreRemoval(key, length, form);
    }
  }

  /** Removes a map's entries that have a smaller position. */
  public void clear(String map, long before) {
    NativeRecordStore store = maps.existingStore(map, partition);
    if (store != null) {
      clear(store.entries(), before);
    }
  }

  /** Removes the entries of all maps that have a smaller position. */
  public void drop(long before) {
    for (NativeRecordStore store : maps.existingStores(partition)) {
      clear(store.entries(), before);
    }
  }

  private static void clear(NativeEntries entries, long before) {
    List<Long> gone = new ArrayList<>();
    for (long cursor = 0; cursor >= 0; ) {
      cursor =
          entries.scan(
              cursor,
              record -> {
                if (Records.logPosition(record) < before) {
                  gone.add(record);
                }
              });
      gone.forEach(entries::restoreRemoval);
      gone.clear();
    }
  }

  private NativeEntries entries(String map) {
    return maps.storeForRestart(map, partition).entries();
  }

  @Override
  public void close() {
    lock.exit();
  }
}
