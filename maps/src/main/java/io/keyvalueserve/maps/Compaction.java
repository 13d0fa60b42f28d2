package io.keyvalueserve.maps;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import io.keyvalueserve.gates.fairness.CooperativeYield;
import io.keyvalueserve.memory.Epochs;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Moves records out of pages that are little used, so that these come free for whatever is written
 * next: values that were spilled or removed leave room for values of their own size only. Requests
 * go on meanwhile: a bucket is looked at as any reader does, and a partition is locked while some
 * of its records move.
 *
 * <p>For one thread. Of all that a member has one runs at a time: they would count on the same free
 * places, and end each other's.
 */
final class Compaction {
  private final NativeMaps maps;
  private final NativeHeap heap;
  private final Epochs epochs;
  private final List<Long> moving = new ArrayList<>();
  private final CooperativeYield others = new CooperativeYield();
  private boolean full;

  Compaction(NativeMaps maps) {
    this.maps = maps;
    this.heap = maps.heap();
    this.epochs = heap.epochs();
  }

  /**
   * Waits while another one runs. To be called without any partition's lock.
   *
   * @return how many bytes of pages came free
   */
  long run() {
    synchronized (maps.compacting()) {
      return runAlone();
    }
  }

  private long runAlone() {
    long before = heap.blocks().held();
    full = false;
    Set<Integer> stripes = new HashSet<>();
    for (int stripe = 0; stripe < heap.stripes(); stripe++) {
      if (heap.beginEvacuation(stripe) > 0) {
        stripes.add(stripe);
      }
    }
    try {
      if (!stripes.isEmpty()) {
        maps.partitions().forEachStore(store -> evacuate(store, stripes));
      }
    } finally {
      for (int stripe = 0; stripe < heap.stripes(); stripe++) {
        heap.endEvacuation(stripe);
      }
    }
    heap.trim();
    return Math.max(0, before - heap.blocks().held());
  }

  private void evacuate(NativeRecordStore store, Set<Integer> stripes) {
    int stripe = Math.floorMod(maps.partitions().stripeOf(store.getPartitionId()), heap.stripes());
    if (!stripes.contains(stripe)) {
      return;
    }
    NativeEntries entries = store.entries();
    for (long cursor = 0; cursor >= 0 && !full && !entries.isClosed(); ) {
      moving.clear();
      int guard = epochs.enter();
      try {
        cursor = entries.scanLoaded(cursor, this::look);
        if (!moving.isEmpty()) {
          move(store);
        }
      } finally {
        epochs.exit(guard);
      }
      others.check();
    }
  }

  private void look(long record) {
    if (heap.isEvacuated(record, Records.bytes(record))) {
      moving.add(record);
    }
  }

  private void move(NativeRecordStore store) {
    PartitionLock lock = maps.partitions().lock(store.getPartitionId());
    lock.enter();
    try {
      for (long record : moving) {
        store.entries().relocate(record);
      }
    } catch (RetryableHazelcastException e) {
      moving.clear(); // the entries have just left
    } catch (OutOfNativeMemoryException e) {
      full = true; // somebody was faster: the rest stays where it is
    } finally {
      lock.exit();
    }
  }
}
