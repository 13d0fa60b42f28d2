package com.hazelcast.map.impl.query;

import com.hazelcast.aggregation.impl.DistinctValuesAggregator;
import com.hazelcast.internal.nio.BufferObjectDataInput;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.util.collection.PartitionIdSet;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.query.impl.QueryableEntry;
import io.keyvalueserve.maps.gather.Gathering;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An aggregation that is counted as it grows, and as it arrives from another member. Owned by one
 * thread at a time.
 *
 * <p>An aggregation that collects values is charged for each entry as a whole, which is never less
 * than what it keeps of it. When these charges have doubled the figure, what it really keeps is
 * measured. Others keep one value, and are measured when a partition is done.
 */
@SuppressWarnings({"rawtypes", "NullAway"}) // as Hazelcast's own, which take null
final class CountedAggregation extends AggregationResult {
  private static final long LEAST_TO_MEASURE = 64 << 10;

  /** Values are there as objects, and in the answer, which is written into a buffer that grows. */
  private static final int COPIES = 3;

  private static final int COPIES_OF_ARRIVED = 2;

  /** A refused charge is worth a look at all values if it was so large a part of them. */
  private static final int PART_WORTH_MEASURING = 8;

  private final transient @Nullable CountedQuery query;
  private final transient @Nullable SerializationService serialization;
  private final transient boolean collects;

  private transient long measured;
  private transient long charged;

  /** Creates an empty aggregation for deserialization. */
  CountedAggregation() {
    query = null;
    serialization = null;
    collects = false;
  }

  CountedAggregation(CountedQuery query, SerializationService serialization) {
    super(serialization.toObject(serialization.toData(query.getAggregator())), serialization);
    this.query = query;
    this.serialization = serialization;
    this.collects = query.getAggregator() instanceof DistinctValuesAggregator;
  }

  @Override
  public void add(QueryableEntry entry) {
    if (query != null) {
      query.checkGoesOn();
      if (collects) {
        charge(RowCost.of((QueryableEntry<?, ?>) entry), query.gathering());
      }
    }
    super.add(entry);
    if (charged > Math.max(LEAST_TO_MEASURE, measured)) {
      measure();
    }
  }

  private void charge(long bytes, Gathering gathering) {
    if (!gathering.tryTake(bytes)) {
      if (charged > measured / PART_WORTH_MEASURING) {
        measure();
      }
      gathering.take(bytes);
    }
    charged += bytes;
  }

  private void measure() {
    if (query == null || serialization == null) {
      return;
    }
    long exact = RowCost.of(getAggregator().aggregate(), serialization) * (collects ? COPIES : 1);
    long more = exact - measured - charged;
    if (more > 0) {
      query.gathering().take(more);
    } else {
      query.gathering().give(-more);
    }
    measured = exact;
    charged = 0;
  }

  @Override
  public CountedAggregation createSubResult() {
    if (query == null || serialization == null) {
      throw new IllegalStateException("a result that has arrived has no parts");
    }
    return new CountedAggregation(query, serialization);
  }

  @Override
  public void combine(AggregationResult result) {
    super.combine(result);
    if (query != null && result instanceof CountedAggregation other && other.query != null) {
      charged += other.measured + other.charged;
      if (charged > Math.max(LEAST_TO_MEASURE, measured)) {
        measure();
      }
    }
  }

  @Override
  public void completeConstruction(PartitionIdSet partitionIds) {
    super.completeConstruction(partitionIds);
    measure();
  }

  @Override
  public int getFactoryId() {
    return GatherSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return GatherSerialization.AGGREGATION;
  }

  /** Runs on the thread that carries the request out. */
  @Override
  public void readData(ObjectDataInput in) throws IOException {
    BufferObjectDataInput buffer = (BufferObjectDataInput) in;
    int from = buffer.position();
    super.readData(in);
    Gathering gathering = Gathering.current();
    if (gathering != null) {
      gathering.arrived((long) COPIES_OF_ARRIVED * (buffer.position() - from));
    }
  }
}
