package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Locks keys in a backup, as a transaction has locked them in their partition. */
final class TransactionLockBackup extends MapOperation implements BackupOperation {
  private TransactionId id = new TransactionId(new UUID(0, 0), 0);
  private List<Data> keys = List.of();

  /** Creates an empty operation for deserialization. */
  TransactionLockBackup() {}

  TransactionLockBackup(String map, TransactionId id, List<Data> keys) {
    super(map);
    this.id = id;
    this.keys = keys;
  }

  @Override
  protected void runInternal() {
    HazelcastEngine.of(getNodeEngine()).settler().begin();
    for (Data key : keys) {
      if (!recordStore.canAcquireLock(key, id.lockOwner(), id.number())) {
        boolean _ = recordStore.forceUnlock(key); // the owner knows that it is free
      }
      TransactionLock.lock(recordStore, id, key);
    }
  }

  @Override
  public Object getResponse() {
    return true;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.TRANSACTION_LOCK_BACKUP;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    id.write(out);
    TransactionLock.write(out, keys);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    id = TransactionId.read(in);
    keys = TransactionLock.read(in);
  }
}
