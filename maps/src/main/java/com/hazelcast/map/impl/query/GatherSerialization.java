package com.hazelcast.map.impl.query;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;

/** Has members make the operations and results anew that count. Found among their services. */
public final class GatherSerialization implements DataSerializerHook {
  /** "kvg" in ASCII. */
  static final int FACTORY_ID = 0x6b7667;

  static final int ROWS = 1;
  static final int AGGREGATION = 2;
  static final int ON_MEMBER = 3;
  static final int ON_PARTITION = 4;

  /** Creates the hook. Hazelcast calls this by reflection. */
  public GatherSerialization() {}

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public DataSerializableFactory createFactory() {
    return id ->
        switch (id) {
          case ROWS -> new CountedRows();
          case AGGREGATION -> new CountedAggregation();
          case ON_MEMBER -> new GatherOperation();
          case ON_PARTITION -> new GatherPartitionOperation();
          default -> throw new IllegalArgumentException("unknown class: id=" + id);
        };
  }
}
