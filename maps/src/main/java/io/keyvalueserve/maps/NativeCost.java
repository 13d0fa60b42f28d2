package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.EntryCostEstimator;
import com.hazelcast.map.impl.record.Record;

/** The bytes that the entries of a map's partition take off the heap: counted, not estimated. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class NativeCost implements EntryCostEstimator<Data, Record> {
  private final NativeEntries entries;

  NativeCost(NativeEntries entries) {
    this.entries = entries;
  }

  @Override
  public long getEstimate() {
    return entries.bytes();
  }

  @Override
  public void adjustEstimateBy(long adjustment) {
    // what is counted needs no adjustment
  }

  @Override
  public long calculateValueCost(Record value) {
    return value.getCost();
  }

  @Override
  public long calculateEntryCost(Data key, Record value) {
    return value.getCost();
  }

  @Override
  public void reset() {
    // as adjustEstimateBy
  }
}
