package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import io.keyvalueserve.maps.NativeRecordStore;
import java.util.List;

/**
 * Removes pages that nobody needs, on the owner of their partition and on its backups. Makes
 * nothing where the map is not there.
 */
abstract class PageOperation extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation, MutatingOperation {
  private PageReplicas removed = PageReplicas.NONE;

  /** Creates an empty operation for deserialization. */
  PageOperation() {
    createRecordStoreOnDemand = false;
  }

  PageOperation(String map) {
    super(map);
    createRecordStoreOnDemand = false;
  }

  /** Notes the pages that were removed, for the backups. */
  final void removed(List<Data> gone, NativeRecordStore pages) {
    removed = PageReplicas.of(gone, pages);
  }

  @Override
  public final boolean shouldBackup() {
    return !removed.isNothing() && mapContainer.getTotalBackupCount() > 0;
  }

  @Override
  public final int getSyncBackupCount() {
    return mapContainer.getBackupCount();
  }

  @Override
  public final int getAsyncBackupCount() {
    return mapContainer.getAsyncBackupCount();
  }

  @Override
  public final Operation getBackupOperation() {
    return new KeyBackup(List.of(), removed, recordStore, Clock.currentTimeMillis());
  }

  @Override
  public final int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }
}
