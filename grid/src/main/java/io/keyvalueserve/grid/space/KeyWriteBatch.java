package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.maps.Writers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands of which at least one may write. Backed up as the map is configured. */
final class KeyWriteBatch extends BatchOperation
    implements BackupAwareOperation, MutatingOperation {
  private @Nullable EntryWriter writer;

  /** Creates an empty operation for deserialization. */
  KeyWriteBatch() {
    this("", Writers.OWNER, List.of(), List.of(), KeyLocks.NO_THREAD, true);
  }

  KeyWriteBatch(
      String name,
      int tenant,
      List<KeyCommand> commands,
      List<Data> keys,
      long lockThread,
      boolean repeatable) {
    super(name, tenant, commands, keys, lockThread, repeatable);
  }

  @Override
  boolean isStopped(KeyCommand command, Data key) {
    return (command.writes() || recordStore.isTransactionallyLocked(key)) && !mayPass(key);
  }

  @Override
  void begin(long nowMillis) {
    writer = new EntryWriter(recordStore, nowMillis);
  }

  @Override
  void carryOut(Transition transition, Data key, EntryView entry) {
    writer().carryOut(transition, key, entry);
  }

  @Override
  long rememberedBytes() {
    return writer().rememberedBytes();
  }

  @Override
  void partlyWritten(Data key) {
    writer().partlyWritten(key);
  }

  @Override
  public void afterRunInternal() {
    if (writer != null) {
      writer.publish(this);
    }
  }

  @Override
  public boolean shouldBackup() {
    return writer != null && writer.hasWritten() && mapContainer.getTotalBackupCount() > 0;
  }

  @Override
  public int getSyncBackupCount() {
    return mapContainer.getBackupCount();
  }

  @Override
  public int getAsyncBackupCount() {
    return mapContainer.getAsyncBackupCount();
  }

  @Override
  public Operation getBackupOperation() {
    return writer().backup();
  }

  private EntryWriter writer() {
    if (writer == null) {
      throw new IllegalStateException("the batch has not run");
    }
    return writer;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.KEY_WRITE_BATCH;
  }
}
