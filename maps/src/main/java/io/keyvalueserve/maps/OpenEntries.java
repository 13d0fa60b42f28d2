package io.keyvalueserve.maps;

import com.hazelcast.map.impl.MapContainer;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Departures;
import io.keyvalueserve.store.Table;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the entries of a member's maps in its partitions, and sees to it that each gives its memory
 * back: when it is dropped, by who writes it, or with all others when the member goes down.
 * Thread-safe.
 */
final class OpenEntries {
  private static final int EVICTED_FOR_A_TABLE = 64;

  private final NativeHeap heap;
  private final long hashSeed;
  private final MemberPartitions partitions;
  private final Shortage shortage;
  private final Spilling spilling;
  private final ChangeTaps taps;
  private final Set<NativeEntries> open = ConcurrentHashMap.newKeySet();

  /**
   * None yet.
   *
   * @param hashSeed orders the keys of a partition
   */
  OpenEntries(
      NativeHeap heap,
      long hashSeed,
      MemberPartitions partitions,
      Shortage shortage,
      Spilling spilling,
      ChangeTaps taps) {
    this.heap = heap;
    this.hashSeed = hashSeed;
    this.partitions = partitions;
    this.shortage = shortage;
    this.spilling = spilling;
    this.taps = taps;
  }

  /** Makes those of a map in a partition, which are empty. */
  NativeEntries make(MapContainer container, int partition, EntryLog log) {
    PartitionLock lock = partitions.lock(partition);
    NativeEntries entries =
        new NativeEntries(
            departures -> {
              Table table = newTable(partition, lock.isHeld(), log.keepsRecords(), departures);
              table.onWakeEarlier(second -> partitions.expiryTimes().note(partition, second));
              return table;
            },
            () -> newTable(partition, lock.isHeld(), true, (position, bytes) -> {}),
            heap.epochs(),
            lock,
            ((NativeMapContainer) container).bytes(),
            ((NativeMapContainer) container).charges(partition),
            log,
            spilling.readers(),
            partitions.changes(partition),
            new TappedEntries(
                taps, container.getName(), partition, lock, () -> partitions.isPrimary(partition)));
    open.add(entries);
    return entries;
  }

  /** Even an empty table needs a little memory; if need be, from evicted entries or the reserve. */
  private Table newTable(int partition, boolean mayEvict, boolean logged, Departures departures) {
    int stripe = partitions.stripeOf(partition);
    while (true) {
      try {
        return new Table(heap, stripe, hashSeed, logged, departures);
      } catch (OutOfNativeMemoryException e) {
        boolean evicted =
            mayEvict && shortage.evictLargest(partition, null, null, EVICTED_FOR_A_TABLE) > 0;
        if (!evicted && !shortage.reserve().release()) {
          throw shortage.full("no run of " + e.askedBytes() + " bytes is free for a new map");
        }
      }
    }
  }

  /** Gives the memory of entries back. By their writer. */
  void release(NativeEntries entries) {
    entries.close();
    open.remove(entries);
  }

  /** Has the memory of abandoned entries given back by their writer, and their log told. */
  void releaseLater(int partition, NativeEntries entries) {
    partitions.execute(
        partition,
        () -> {
          entries.disown();
          release(entries);
        });
  }

  /** Drops the entries of all maps: from now on no thread finds or changes one. */
  void abandon() {
    open.forEach(NativeEntries::abandon);
  }
}
