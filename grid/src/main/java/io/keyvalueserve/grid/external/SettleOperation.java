package io.keyvalueserve.grid.external;

import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.WriteQueue;
import io.keyvalueserve.maps.external.QueuedWrite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends writes of one partition that waited for an external store, on the owner and its backups. May
 * be sent again. Answers with the number of writes that have left the queue or are tried again.
 */
final class SettleOperation extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation {
  private List<Settlement> settlements = List.of();
  private final List<Settlement> settled = new ArrayList<>();
  private int left;

  /** Creates an empty operation for deserialization. */
  SettleOperation() {
    createRecordStoreOnDemand = false;
  }

  SettleOperation(String map, List<Settlement> settlements) {
    super(map);
    createRecordStoreOnDemand = false;
    this.settlements = settlements;
  }

  @Override
  protected void runInternal() {
    settled.clear();
    left = 0;
    if (recordStore == null) {
      return;
    }
    WriteQueue queue = ((NativeRecordStore) recordStore).writeQueue();
    for (Settlement each : settlements) {
      QueuedWrite waiting = queue.get(each.key());
      if (waiting != null
          && waiting.number() == each.number()
          && (waiting.isDead() || !each.end().isOfDead())) {
        settle(recordStore, queue, waiting, each, false);
        settled.add(each);
        left += each.end() == Settlement.End.REFUSED || each.restored() != null ? 0 : 1;
      }
    }
  }

  private static void settle(
      RecordStore<?> store,
      WriteQueue queue,
      QueuedWrite waiting,
      Settlement settlement,
      boolean backup) {
    switch (settlement.end()) {
      case DONE -> queue.remove(settlement.key());
      case REFUSED -> queue.set(settlement.key(), waiting.refused(settlement.reason()));
      case RETRIED -> queue.set(settlement.key(), waiting.refused(null));
      case UNDONE, DISCARDED -> {
        QueuedWrite restored = settlement.restored();
        if (restored == null) {
          queue.remove(settlement.key());
        } else {
          queue.set(settlement.key(), restored);
        }
        var _ = store.evict(settlement.key(), backup);
      }
    }
  }

  @Override
  public void afterRunInternal() {
    for (Settlement each : settled) {
      if (each.end().isTakenBack()) {
        invalidateNearCache(each.key());
      }
    }
  }

  @Override
  public Object getResponse() {
    return left;
  }

  @Override
  public boolean shouldBackup() {
    return !settled.isEmpty() && mapContainer.getTotalBackupCount() > 0;
  }

  @Override
  public int getSyncBackupCount() {
    return 0;
  }

  /** A backup that has not heard of it writes it once more, which changes nothing. */
  @Override
  public int getAsyncBackupCount() {
    return mapContainer.getTotalBackupCount();
  }

  @Override
  public Operation getBackupOperation() {
    return new OnBackup(name, List.copyOf(settled));
  }

  @Override
  public int getFactoryId() {
    return ExternalSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return ExternalSerialization.SETTLE;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    write(out, settlements);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    settlements = read(in);
  }

  private static void write(ObjectDataOutput out, List<Settlement> all) throws IOException {
    out.writeInt(all.size());
    for (Settlement each : all) {
      each.write(out);
    }
  }

  private static List<Settlement> read(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<Settlement> all = new ArrayList<>(Math.clamp(count, 0, 10_000));
    for (int i = 0; i < count; i++) {
      all.add(Settlement.read(in));
    }
    return all;
  }

  /**
   * The same on a backup. Its writes have other numbers; but all that the owner was told before has
   * come before, so what waits here is what the owner has settled.
   */
  static final class OnBackup extends ExternalBackup {
    private List<Settlement> settlements = List.of();

    /** Creates an empty operation for deserialization. */
    OnBackup() {}

    OnBackup(String map, List<Settlement> settlements) {
      super(map);
      this.settlements = settlements;
    }

    @Override
    protected void runInternal() {
      if (recordStore == null) {
        return;
      }
      WriteQueue queue = ((NativeRecordStore) recordStore).writeQueue();
      for (Settlement each : settlements) {
        QueuedWrite waiting = queue.get(each.key());
        if (waiting != null) {
          settle(recordStore, queue, waiting, each, true);
        }
      }
    }

    @Override
    public int getClassId() {
      return ExternalSerialization.SETTLE_BACKUP;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
      super.writeInternal(out);
      SettleOperation.write(out, settlements);
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
      super.readInternal(in);
      settlements = SettleOperation.read(in);
    }
  }
}
