package io.keyvalueserve.grid.external;

import com.hazelcast.config.Config;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Creates the operations that members send each other for external stores. */
public final class ExternalSerialization implements DataSerializableFactory {
  /** The factory's number in a member's configuration: "kvx" in ASCII. */
  static final int FACTORY_ID = 0x6b7678;

  static final int SETTLE = 1;
  static final int SETTLE_BACKUP = 2;
  static final int FOLLOW = 3;
  static final int FOLLOW_BACKUP = 4;
  static final int SWEEP = 5;
  static final int SWEEP_BACKUP = 6;

  /** Makes a member understand the operations; before it starts. */
  public static void register(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(FACTORY_ID, new ExternalSerialization());
  }

  @Override
  public IdentifiedDataSerializable create(int typeId) {
    return switch (typeId) {
      case SETTLE -> new SettleOperation();
      case SETTLE_BACKUP -> new SettleOperation.OnBackup();
      case FOLLOW -> new FollowOperation();
      case FOLLOW_BACKUP -> new FollowOperation.OnBackup();
      case SWEEP -> new SweepOperation();
      case SWEEP_BACKUP -> new SweepOperation.OnBackup();
      default -> throw new IllegalArgumentException("no such class: typeId=" + typeId);
    };
  }
}
