package com.hazelcast.internal.partition.impl;

import com.hazelcast.config.Config;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.spi.impl.AllowedDuringPassiveState;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import io.keyvalueserve.maps.message.MemberMessage;

/**
 * Asks the owner of a partition whether its backups have what it has: true or false, as {@link
 * ReplicaQuestion}. Of a map with durability always they then also have it on their disks.
 */
public final class BackupsQuestion extends MemberMessage
    implements PartitionAwareOperation, AllowedDuringPassiveState {
  /** The factory's number in a member's configuration: "kvb" in ASCII. */
  private static final int FACTORY_ID = 0x6b7662;

  /** Creates an empty operation for deserialization. */
  BackupsQuestion() {
    super(FACTORY_ID);
  }

  /** Creates the question about a partition. */
  public BackupsQuestion(int partition) {
    this();
    Object _ = setPartitionId(partition);
    Object _ = setServiceName(IPartitionService.SERVICE_NAME);
  }

  /** Makes a member understand it. */
  public static void register(Config config) {
    register(config, FACTORY_ID, BackupsQuestion::new);
  }

  @Override
  public void run() {
    new ReplicaQuestion((NodeEngineImpl) getNodeEngine(), getPartitionId(), this::sendResponse)
        .run();
  }

  /**
   * Returns false: the question is answered when the backups have answered, not when it has run.
   */
  @Override
  public boolean returnsResponse() {
    return false;
  }

  /** Returns false: the member that asks already knows that this member was the owner. */
  @Override
  public boolean validatesTarget() {
    return false;
  }
}
