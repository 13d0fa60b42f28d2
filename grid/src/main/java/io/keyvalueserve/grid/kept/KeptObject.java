package io.keyvalueserve.grid.kept;

import com.hazelcast.collection.impl.collection.CollectionContainer;
import com.hazelcast.collection.impl.collection.CollectionItem;
import com.hazelcast.collection.impl.queue.QueueContainer;
import com.hazelcast.collection.impl.queue.QueueItem;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.multimap.impl.MultiMapContainer;
import com.hazelcast.multimap.impl.MultiMapRecord;
import com.hazelcast.multimap.impl.MultiMapValue;
import com.hazelcast.replicatedmap.impl.record.ReplicatedRecord;
import com.hazelcast.replicatedmap.impl.record.ReplicatedRecordStore;
import com.hazelcast.ringbuffer.impl.RingbufferContainer;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * One container of Hazelcast's, and how many bytes it was found to keep. Measured by the thread of
 * its partition, as Hazelcast's containers belong to that; read by the thread that adds up.
 */
abstract class KeptObject {
  private final String tenant;
  private final int partition;
  private volatile long bytes;
  private volatile boolean owned;

  /** Marks of the state that was measured; -1 for none. */
  private long firstMark = -1;

  private long secondMark = -1;

  private KeptObject(String tenant, int partition) {
    this.tenant = tenant;
    this.partition = partition;
  }

  /** Returns the name of the tenant that keeps it. */
  String tenant() {
    return tenant;
  }

  /** Returns the partition whose thread measures it. */
  int partition() {
    return partition;
  }

  /** Returns the bytes that were found when it was measured last. */
  long bytes() {
    return bytes;
  }

  /** Returns whether this member owned the partition when it was measured last. */
  boolean isOwned() {
    return owned;
  }

  /**
   * Measures it, if it has changed since.
   *
   * @param nowOwned whether this member owns the partition
   */
  final void measureAs(boolean nowOwned) {
    owned = nowOwned;
    measure(nowOwned);
  }

  /**
   * Measures the bytes that the object keeps; called by {@link #measureAs}.
   *
   * @param owned a container has another form as a backup
   */
  abstract void measure(boolean owned);

  /** Returns whether the state is another than the one that was measured, and notes it. */
  final boolean hasChanged(long first, long second) {
    boolean changed = first != firstMark || second != secondMark;
    firstMark = first;
    secondMark = second;
    return changed;
  }

  final void found(long next) {
    bytes = next;
  }

  /**
   * A queue: items have rising numbers, so a size and the last number tell its state. A backup does
   * not know the last number.
   */
  static final class OfQueue extends KeptObject {
    private final QueueContainer queue;

    OfQueue(String tenant, int partition, QueueContainer queue) {
      super(tenant, partition);
      this.queue = queue;
    }

    @Override
    void measure(boolean owned) {
      Collection<QueueItem> items = owned ? queue.getItemQueue() : queue.getBackupMap().values();
      Map<Long, ? extends QueueItem> taken = KeptObjects.takenFrom(queue);
      if (owned
          && !hasChanged(
              (long) items.size() << Integer.SIZE | taken.size(), queue.getCurrentId())) {
        return;
      }
      found(HeapCost.OBJECT + sum(items) + sum(taken.values()));
    }

    private static long sum(Collection<? extends QueueItem> items) {
      long sum = 0;
      for (QueueItem item : items) {
        sum += HeapCost.ELEMENT + HeapCost.of(item.getSerializedObject());
      }
      return sum;
    }
  }

  /** A list or set: items have rising numbers as those of queues. */
  static final class OfCollection extends KeptObject {
    private final CollectionContainer container;

    OfCollection(String tenant, int partition, CollectionContainer container) {
      super(tenant, partition);
      this.container = container;
    }

    @Override
    void measure(boolean owned) {
      Collection<CollectionItem> items =
          owned ? container.getCollection() : container.getMap().values();
      Map<Long, ? extends CollectionItem> taken = KeptObjects.takenFrom(container);
      if (owned
          && !hasChanged(
              (long) items.size() << Integer.SIZE | taken.size(), container.getCurrentId())) {
        return;
      }
      found(HeapCost.OBJECT + sum(items) + sum(taken.values()));
    }

    private static long sum(Collection<? extends CollectionItem> items) {
      long sum = 0;
      for (CollectionItem item : items) {
        sum += HeapCost.ELEMENT + HeapCost.of(item.getValue());
      }
      return sum;
    }
  }

  /** The part of a multimap that lies in one partition. */
  static final class OfMultiMap extends KeptObject {
    private final MultiMapContainer container;

    OfMultiMap(String tenant, int partition, MultiMapContainer container) {
      super(tenant, partition);
      this.container = container;
    }

    @Override
    void measure(boolean owned) {
      long sum = HeapCost.PARTITION_PART;
      for (Map.Entry<Data, MultiMapValue> each : container.getMultiMapValues().entrySet()) {
        sum += HeapCost.MULTIMAP_KEY + HeapCost.of(each.getKey());
        for (MultiMapRecord value : each.getValue().getCollection(false)) {
          sum += HeapCost.MULTIMAP_VALUE + HeapCost.of(value.getObject());
        }
      }
      found(sum);
    }
  }

  /** A ring buffer: its first and last number tell its state. */
  static final class OfRingbuffer extends KeptObject {
    private final RingbufferContainer<?, ?> ring;

    OfRingbuffer(String tenant, int partition, RingbufferContainer<?, ?> ring) {
      super(tenant, partition);
      this.ring = ring;
    }

    @Override
    void measure(boolean owned) {
      long head = ring.headSequence();
      long tail = ring.tailSequence();
      if (!hasChanged(head, tail)) {
        return;
      }
      long sum = HeapCost.OBJECT + ring.getCapacity() * HeapCost.RING_PLACE;
      // A place keeps its element until another comes there, though its time may be over.
      for (long i = Math.max(0, tail - ring.getCapacity() + 1); i <= tail; i++) {
        sum += i < head ? 0 : HeapCost.of(ring.readAsData(i));
      }
      found(sum);
    }
  }

  /** The part of a replicated map that lies in one partition. Every member has all parts. */
  static final class OfReplicatedMap extends KeptObject {
    private final ReplicatedRecordStore store;

    OfReplicatedMap(String tenant, int partition, ReplicatedRecordStore store) {
      super(tenant, partition);
      this.store = store;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hazelcast's own
    void measure(boolean owned) {
      if (!hasChanged(store.getVersion(), store.size())) {
        return;
      }
      long sum = HeapCost.PARTITION_PART;
      Iterator<ReplicatedRecord> records = store.recordIterator();
      while (records.hasNext()) {
        ReplicatedRecord record = records.next();
        sum +=
            HeapCost.REPLICATED_ENTRY
                + HeapCost.of(record.getKeyInternal())
                + HeapCost.of(record.getValueInternal());
      }
      found(sum);
    }
  }
}
