package io.keyvalueserve.grid.space;

import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.Offload;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.ReadonlyOperation;

/** Answers when all that a member has logged before is on its disk. */
final class LogSync extends Operation implements IdentifiedDataSerializable, ReadonlyOperation {
  @Override
  public CallStatus call() {
    LogSyncs syncs = HazelcastEngine.of(getNodeEngine()).logSyncs();
    return new Offload(this) {
      @Override
      public void start() {
        var _ =
            syncs
                .here()
                .whenComplete((any, failure) -> sendResponse(failure == null ? true : failure));
      }
    };
  }

  @Override
  public String getServiceName() {
    return MapService.SERVICE_NAME;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.LOG_SYNC;
  }
}
