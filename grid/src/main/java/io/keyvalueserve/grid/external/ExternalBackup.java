package io.keyvalueserve.grid.external;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.spi.impl.operationservice.BackupOperation;

/** Repeats on a backup what an operation for an external store has done on the owner. */
abstract class ExternalBackup extends MapOperation implements BackupOperation {
  /** Creates an empty operation for deserialization. */
  ExternalBackup() {
    createRecordStoreOnDemand = false;
  }

  ExternalBackup(String map) {
    super(map);
    createRecordStoreOnDemand = false;
  }

  @Override
  public final Object getResponse() {
    return true;
  }

  @Override
  public final int getFactoryId() {
    return ExternalSerialization.FACTORY_ID;
  }
}
