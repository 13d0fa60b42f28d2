package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.PartitionContainer;
import com.hazelcast.map.impl.recordstore.RecordStore;
import io.keyvalueserve.memory.NativeHeap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reserves of a member whose heap has no memory left for a write: entries of any map that may
 * be evicted, and memory kept back for copies. Thread-safe.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class Shortage {
  private static final Logger LOG = LoggerFactory.getLogger(Shortage.class);
  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final NativeHeap heap;
  private final MemberPartitions partitions;
  private final Reserve reserve;
  private final AtomicLong lastWarned = new AtomicLong(System.nanoTime() - 2 * WARNING_PAUSE_NANOS);

  Shortage(NativeHeap heap, MemberPartitions partitions) {
    this.heap = heap;
    this.partitions = partitions;
    this.reserve = new Reserve(heap);
  }

  /** Returns the memory that is kept back for copies. */
  Reserve reserve() {
    return reserve;
  }

  /**
   * Evicts from the map that uses most of what the current thread writes.
   *
   * @param partition one that the current thread writes
   * @param except is not looked at
   * @param keep a key that stays, wherever
   * @return how many entries were evicted
   */
  int evictLargest(
      int partition, @Nullable NativeRecordStore except, @Nullable Data keep, int count) {
    int threads = partitions.threads();
    List<NativeRecordStore> candidates = new ArrayList<>();
    PartitionContainer[] containers = partitions.context().getPartitionContainers();
    for (int id = partition % threads; id < containers.length; id += threads) {
      for (RecordStore<?> store : containers[id].getAllRecordStores()) {
        if (store != except
            && store.size() > 0
            && store.getMapContainer().getEvictor() instanceof NativeEvictor) {
          candidates.add((NativeRecordStore) store);
        }
      }
    }
    candidates.sort(Comparator.comparingLong(store -> -store.entries().bytes()));
    for (NativeRecordStore candidate : candidates) {
      int evicted = evict(candidate, keep, count);
      if (evicted > 0) {
        return evicted;
      }
    }
    return 0;
  }

  private int evict(NativeRecordStore candidate, @Nullable Data keep, int count) {
    PartitionLock lock = partitions.lock(candidate.getPartitionId());
    if (!lock.tryEnter()) { // somebody writes there at this moment
      return 0;
    }
    try {
      return NativeEvictor.force(candidate, keep, count);
    } finally {
      lock.exit();
    }
  }

  /** The error of a write that finds no memory; now and then the log says how things stand. */
  NativeMemoryFullException full(String why) {
    long now = System.nanoTime();
    long last = lastWarned.get();
    if (now - last > WARNING_PAUSE_NANOS && lastWarned.compareAndSet(last, now)) {
      LOG.warn(
          "the memory for maps is full, writes fail: {}, used={} capacity={}; give maps an eviction"
              + " policy, or add memory or members",
          why,
          heap.usedBytes(),
          heap.capacityBytes());
    }
    return new NativeMemoryFullException(
        "out of memory: the write was not carried out and nothing was changed;"
            + " remove entries or give the map an eviction policy");
  }
}
