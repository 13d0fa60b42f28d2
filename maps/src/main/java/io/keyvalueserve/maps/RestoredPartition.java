package io.keyvalueserve.maps;

import io.keyvalueserve.store.Records;
import org.jspecify.annotations.Nullable;

/**
 * A partition into which entries are put back that a log has, before the member takes part in its
 * cluster. Nothing is logged, and nobody is told: no listener, index, or backup. One thread at a
 * time.
 */
public final class RestoredPartition {
  private static final int NO_MAP = -1;

  private final NativeMaps maps;
  private final int partition;

  // Most often the map of the last entry is that of the next.
  private int lastMap = NO_MAP;
  private @Nullable NativeEntries lastEntries;

  RestoredPartition(NativeMaps maps, int partition) {
    this.maps = maps;
    this.partition = partition;
  }

  /** Runs something while nobody else changes the partition. */
  public void exclusively(Runnable task) {
    maps.partitions().exclusively(partition, task);
  }

  /**
   * Adds a key to those that are looked at together before they are put back or loaded.
   *
   * @param lookahead which {@linkplain RestoredLookahead#fetch fetches} at present
   * @param key the address of the key
   * @param whole whether there is a record to it, not the key alone
   */
  public void anticipate(
      RestoredLookahead lookahead,
      int number,
      String map,
      long key,
      int length,
      int form,
      boolean whole) {
    NativeEntries entries = number == lastMap ? lastEntries : entriesNow(map);
    if (entries != null && !entries.isClosed()) {
      entries.restored().anticipate(lookahead, key, length, form, whole);
    }
  }

  private @Nullable NativeEntries entriesNow(String map) {
    NativeRecordStore store = maps.partitions().store(map, partition);
    return store == null ? null : store.entries();
  }

  /**
   * Puts an entry in the place of an older one.
   *
   * @param number the map's, not negative; the same map has the same
   * @param map its name in the grid
   * @param image the address of what {@link Records} had at {@code position}
   * @return false if the map is not to outlive the member any more: nothing was done
   * @throws io.keyvalueserve.memory.OutOfNativeMemoryException if it does not fit
   * @throws IllegalArgumentException if it is no record
   */
  public boolean put(int number, String map, long image, int length, long position) {
    PartitionLock lock = maps.partitions().lock(partition);
    lock.enter();
    try {
      NativeEntries entries = entries(number, map);
      if (entries == null) {
        return false;
      }
      entries.restored().put(image, length, position);
      return true;
    } finally {
      lock.exit();
    }
  }

  /**
   * Puts an entry in the place of an older one, of which only the key is known; the rest is loaded
   * later, or when it is asked for.
   *
   * @param key the address of the key
   * @param bytes how many bytes the record has at {@code position}
   * @return false if the map is not to outlive the member any more: nothing was done
   * @throws io.keyvalueserve.memory.OutOfNativeMemoryException if it does not fit
   */
  public boolean putKey(
      int number, String map, long key, int length, int form, int bytes, long position) {
    PartitionLock lock = maps.partitions().lock(partition);
    lock.enter();
    try {
      NativeEntries entries = entries(number, map);
      if (entries == null) {
        return false;
      }
      entries.restored().putKey(key, length, form, bytes, position);
      return true;
    } finally {
      lock.exit();
    }
  }

  /**
   * Takes the record of an entry of which only the key is known yet, if that is what is waited for:
   * while the member serves, anybody may have asked for it earlier, or have changed it.
   *
   * @param image the address of what the log has at {@code position}
   */
  public void loaded(int number, String map, long image, int length, long position) {
    NativeEntries entries = existing(number, map);
    if (entries != null && entries.isLoading()) {
      PartitionLock lock = maps.partitions().lock(partition);
      lock.enter();
      try {
        entries.restored().loaded(image, length, position);
      } finally {
        lock.exit();
      }
    }
  }

  /** Removes an entry, if it is there. The key is in memory. */
  public void remove(int number, String map, long key, int length, int form) {
    PartitionLock lock = maps.partitions().lock(partition);
    lock.enter();
    try {
      NativeEntries entries = entries(number, map);
      if (entries != null) {
        entries.restored().remove(key, length, form);
      }
    } finally {
      lock.exit();
    }
  }

  /** Removes a map's entries that have a smaller position. */
  public void clear(String map, long before) {
    NativeRecordStore store = maps.partitions().store(map, partition);
    if (store != null) {
      maps.partitions().exclusively(partition, () -> store.entries().restored().clear(before));
    }
  }

  /** Removes the entries of all maps that have a smaller position. */
  public void drop(long before) {
    maps.partitions()
        .exclusively(
            partition,
            () ->
                maps.partitions()
                    .stores(partition)
                    .forEach(store -> store.entries().restored().clear(before)));
  }

  /** Those that were there when it was asked first: what came later has nothing to load. */
  private @Nullable NativeEntries existing(int number, String map) {
    if (number != lastMap) {
      lastEntries = entriesNow(map);
      lastMap = number;
    }
    return lastEntries;
  }

  private @Nullable NativeEntries entries(int number, String map) {
    if (number != lastMap) {
      lastEntries =
          maps.isLogged(map) ? maps.partitions().storeForRestart(map, partition).entries() : null;
      lastMap = number;
    }
    return lastEntries;
  }
}
