package io.keyvalueserve.grid.space;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.maps.NativeRecordStore;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Brings a backup to the state of a partition in which a transaction has been carried out. */
final class TransactionBackup extends KeyBackup {
  private TransactionId id = new TransactionId(new UUID(0, 0), 0);
  private List<Data> unlocked = List.of();

  /** Creates an empty operation for deserialization. */
  TransactionBackup() {}

  /**
   * @param written the keys of the entries that were written
   * @param unlocked the keys that the transaction has locked no longer
   */
  TransactionBackup(
      TransactionId id,
      List<Data> written,
      PageReplicas pages,
      List<Data> unlocked,
      RecordStore<?> store,
      long nowMillis) {
    super(written, pages, store, nowMillis);
    this.id = id;
    this.unlocked = unlocked;
  }

  @Override
  protected void runInternal() {
    ((NativeRecordStore) recordStore).writeDecided(super::runInternal);
    unlocked.forEach(key -> unlock(recordStore, id, key));
  }

  /**
   * Unlocks a key that a transaction has locked.
   *
   * @return whether it had
   */
  static boolean unlock(RecordStore<?> store, TransactionId id, Data key) {
    return store.isLockedBy(key, id.lockOwner(), id.number()) && store.forceUnlock(key);
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.TRANSACTION_BACKUP;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    id.write(out);
    TransactionLock.write(out, unlocked);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    id = TransactionId.read(in);
    unlocked = TransactionLock.read(in);
  }
}
