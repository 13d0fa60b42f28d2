package com.hazelcast.internal.partition.impl;

import com.hazelcast.config.Config;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;

/**
 * Asks the owner of a partition whether its backups have what it has: true or false, as {@link
 * ReplicaQuestion}. Of a map with durability always they then also have it on their disks.
 */
public final class BackupsQuestion extends Operation
    implements PartitionAwareOperation, IdentifiedDataSerializable, AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvb" in ASCII. */
  static final int FACTORY_ID = 0x6b7662;

  private static final int QUESTION = 1;

  /** For deserialization. */
  BackupsQuestion() {}

  /** Of a partition. */
  public BackupsQuestion(int partition) {
    Object _ = setPartitionId(partition);
    Object _ = setServiceName(IPartitionService.SERVICE_NAME);
  }

  /** Makes a member understand it. */
  public static void register(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(
            FACTORY_ID,
            typeId -> {
              if (typeId != QUESTION) {
                throw new IllegalArgumentException("no such class: typeId=" + typeId);
              }
              return new BackupsQuestion();
            });
  }

  @Override
  public void run() {
    new ReplicaQuestion((NodeEngineImpl) getNodeEngine(), getPartitionId(), this::sendResponse)
        .run();
  }

  /** Not when it has run: when the backups have answered. */
  @Override
  public boolean returnsResponse() {
    return false;
  }

  /** Whoever asks knows that the member was the owner. */
  @Override
  public boolean validatesTarget() {
    return false;
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return QUESTION;
  }
}
