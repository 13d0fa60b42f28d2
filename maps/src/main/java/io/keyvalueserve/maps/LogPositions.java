package io.keyvalueserve.maps;

import io.keyvalueserve.store.Lookahead;

/**
 * The positions of the records of a member's maps in the log. Records are named by keys whose bytes
 * are in memory at an address. Each call is made with the partition's lock held.
 */
public final class LogPositions {
  private final MemberPartitions partitions;

  LogPositions(MemberPartitions partitions) {
    this.partitions = partitions;
  }

  /** Returns the position of a key's record in the log; 0 if it has none. */
  public long get(int partition, String map, long key, int length, int form) {
    NativeRecordStore store = partitions.store(map, partition);
    return store == null ? 0 : store.entries().logPosition(key, length, form);
  }

  /**
   * Adds a key that will be asked for next to those that are looked at together, so that they are
   * fetched with the lock held.
   */
  public void anticipate(
      Lookahead lookahead, int partition, String map, long key, int length, int form) {
    NativeRecordStore store = partitions.store(map, partition);
    if (store != null) {
      store.entries().anticipate(lookahead, key, length, form);
    }
  }

  /** The log has a key's record elsewhere now. */
  public void set(int partition, String map, long key, int length, int form, long position) {
    NativeRecordStore store = partitions.store(map, partition);
    if (store != null) {
      store.entries().setLogPosition(key, length, form, position);
    }
  }
}
