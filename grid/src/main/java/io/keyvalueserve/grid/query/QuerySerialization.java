package io.keyvalueserve.grid.query;

import com.hazelcast.config.Config;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Creates the objects that members send each other for queries. The numbers never change. */
public final class QuerySerialization implements DataSerializableFactory {
  /** The factory's number in a member's configuration: "kvq" in ASCII. */
  static final int FACTORY_ID = 0x6b7671;

  static final int SCAN_OPERATION = 1;
  static final int SCAN_PAGE = 2;

  /** Makes a member understand the messages of queries. */
  public static void register(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(FACTORY_ID, new QuerySerialization());
  }

  @Override
  public IdentifiedDataSerializable create(int typeId) {
    return switch (typeId) {
      case SCAN_OPERATION -> new ScanOperation();
      case SCAN_PAGE -> new ScanPage();
      default -> throw new IllegalArgumentException("no such class: typeId=" + typeId);
    };
  }
}
