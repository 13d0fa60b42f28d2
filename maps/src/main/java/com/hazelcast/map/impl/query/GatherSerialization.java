package com.hazelcast.map.impl.query;

import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import io.keyvalueserve.maps.query.RowsAnswer;
import io.keyvalueserve.maps.query.RowsOperation;

/** Has members make the operations and results anew that count. Found among their services. */
public final class GatherSerialization implements DataSerializerHook {
  /** "kvg" in ASCII. */
  public static final int FACTORY_ID = 0x6b7667;

  static final int ROWS = 1;
  static final int AGGREGATION = 2;
  static final int ON_MEMBER = 3;
  static final int ON_PARTITION = 4;

  /** The class of operations that read rows as bytes. */
  public static final int ROWS_OPERATION = 5;

  /** The class of their answers. */
  public static final int ROWS_ANSWER = 6;

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
          case ROWS_OPERATION -> new RowsOperation();
          case ROWS_ANSWER -> new RowsAnswer();
          default -> throw new IllegalArgumentException("unknown class: id=" + id);
        };
  }
}
