package io.keyvalueserve.grid.external;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import io.keyvalueserve.maps.FollowedEntries;
import io.keyvalueserve.maps.FollowedEntries.Swept;
import java.io.IOException;

/**
 * Evicts some entries of a partition whose rows may be others by now, on the owner and its backups:
 * all but those of which a write waits. May be sent again. Answers with where to go on; -1 at the
 * end.
 */
final class SweepOperation extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation {
  private static final int MOST = 1_000;

  private long from;
  private long next = -1;

  /** Creates an empty operation for deserialization. */
  SweepOperation() {
    createRecordStoreOnDemand = false;
  }

  /**
   * @param from 0 to begin with, or what another has answered
   */
  SweepOperation(String map, long from) {
    super(map);
    createRecordStoreOnDemand = false;
    this.from = from;
  }

  @Override
  protected void runInternal() {
    next = -1;
    if (recordStore == null) {
      return;
    }
    FollowedEntries entries = FollowedEntries.of(recordStore);
    if (from == 0) {
      entries.overtakeAll();
    }
    Swept swept = entries.sweep(from, MOST, -1, false);
    next = swept.next();
    invalidateNearCache(swept.keys());
  }

  @Override
  public Object getResponse() {
    return next;
  }

  @Override
  public boolean shouldBackup() {
    return mapContainer != null && mapContainer.getTotalBackupCount() > 0;
  }

  @Override
  public int getSyncBackupCount() {
    return mapContainer.getTotalBackupCount();
  }

  @Override
  public int getAsyncBackupCount() {
    return 0;
  }

  @Override
  public Operation getBackupOperation() {
    return new OnBackup(name, from, next);
  }

  @Override
  public int getFactoryId() {
    return ExternalSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return ExternalSerialization.SWEEP;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeLong(from);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    from = in.readLong();
  }

  /** The same on a backup, which lists its keys in the same order. */
  static final class OnBackup extends ExternalBackup {
    private long from;
    private long end;

    /** Creates an empty operation for deserialization. */
    OnBackup() {}

    OnBackup(String map, long from, long end) {
      super(map);
      this.from = from;
      this.end = end;
    }

    @Override
    protected void runInternal() {
      if (recordStore != null) {
        Swept _ = FollowedEntries.of(recordStore).sweep(from, Integer.MAX_VALUE, end, true);
      }
    }

    @Override
    public int getClassId() {
      return ExternalSerialization.SWEEP_BACKUP;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
      super.writeInternal(out);
      out.writeLong(from);
      out.writeLong(end);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
      super.readInternal(in);
      from = in.readLong();
      end = in.readLong();
    }
  }
}
