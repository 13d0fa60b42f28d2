package io.keyvalueserve.grid.space;

import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.locksupport.LockWaitNotifyKey;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.BlockingOperation;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.WaitNotifyKey;
import io.keyvalueserve.grid.space.EntryState.Times;
import io.keyvalueserve.maps.KeyedCommands;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.OfTenant;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Locks keys of one partition for a transaction, all or none, and answers with their entries. The
 * locks stop readers too, and have no lease: {@link TransactionSettler} ends those that are left.
 *
 * <p>If the values are longer together than {@link #within} allows, it locks and reads nothing, and
 * says so.
 *
 * <p>Waits until no key is locked by another; {@link #impatient} answers null then. Without watches
 * or locks it does no harm to run it twice.
 */
final class TransactionLock extends MapOperation
    implements BlockingOperation, BackupAwareOperation, MutatingOperation, KeyedCommands, OfTenant {
  private static final long NO_LEASE = -1;

  private TransactionId id = new TransactionId(new UUID(0, 0), 0);
  private int tenant = Writers.OWNER;
  private List<Data> keys = List.of();
  private boolean patient = true;
  private boolean locks = true;
  private long mostBytes = Long.MAX_VALUE;
  private long longest;
  private @Nullable Data blocking;
  private @Nullable Object answer;

  /** Creates an empty operation for deserialization. */
  TransactionLock() {}

  /**
   * @param tenant the number of who runs the transaction
   */
  TransactionLock(String map, TransactionId id, int tenant, List<Data> keys) {
    super(map);
    this.id = id;
    this.tenant = tenant;
    this.keys = keys;
  }

  /** Makes it answer null where it would have to wait. */
  TransactionLock impatient() {
    patient = false;
    return this;
  }

  /**
   * Bounds the bytes of values that it copies. The longest value of a transaction is not counted,
   * because one value may have any length.
   *
   * @param bytes how many the values may have beside the longest one
   * @param longestBefore how long the longest value is that the transaction has read before
   */
  TransactionLock within(long bytes, long longestBefore) {
    mostBytes = bytes;
    longest = longestBefore;
    return this;
  }

  /**
   * Makes it only look at its only key, when no other transaction has locked it, and answer with
   * the {@link #mark} of the entry.
   */
  TransactionLock reading() {
    locks = false;
    return this;
  }

  @Override
  protected void innerBeforeRun() throws Exception {
    super.innerBeforeRun();
    recordStore.checkIfLoaded();
  }

  @Override
  public CallStatus call() throws Exception {
    blocking = firstStopped();
    if (blocking == null) {
      return super.call();
    }
    answer = null;
    if (patient) {
      return CallStatus.WAIT;
    }
    blocking = null;
    return CallStatus.RESPONSE;
  }

  private @Nullable Data firstStopped() {
    for (Data key : keys) {
      if (!mayPass(key)) {
        return key;
      }
    }
    return null;
  }

  private boolean mayPass(Data key) {
    return (!locks && !recordStore.isTransactionallyLocked(key))
        || recordStore.canAcquireLock(key, id.lockOwner(), id.number());
  }

  @Override
  protected void runInternal() {
    HazelcastEngine.of(getNodeEngine()).settler().begin();
    EntryView view =
        new EntryView(
            recordStore,
            getNodeEngine().getSerializationService(),
            getCallerAddress(),
            Clock.currentTimeMillis());
    if (!locks) {
      Data key = keys.getFirst();
      answer = mark(read(view.of(key), key));
      return;
    }
    if (!isWithin()) {
      answer = LockedEntries.tooLarge();
      return;
    }
    keys.forEach(key -> lock(recordStore, id, key));
    List<LockedEntries.Entry> entries = new ArrayList<>(keys.size());
    for (Data key : keys) {
      entries.add(read(view.of(key), key));
    }
    answer = new LockedEntries(((NativeRecordStore) recordStore).hasRoom(), entries);
  }

  private boolean isWithin() {
    NativeRecordStore store = (NativeRecordStore) recordStore;
    long bytes = 0;
    long most = longest;
    for (Data key : keys) {
      long length = store.valueBytes(key);
      bytes += length;
      most = Math.max(most, length);
    }
    return bytes - (most - longest) <= mostBytes;
  }

  /** Returns a number for the state of an entry; 0 if there is none. */
  static long mark(LockedEntries.Entry entry) {
    EntryState state = entry.state();
    if (state == null
        || (state.times().expires() && state.times().expiration() <= Clock.currentTimeMillis())) {
      return 0;
    }
    long mark = mixed(entry.hash());
    mark = mixed(mark + state.times().expiration());
    mark = mixed(mark + entry.version());
    return mark == 0 ? 1 : mark;
  }

  private static long mixed(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }

  private LockedEntries.Entry read(EntryView view, Data key) {
    return read(recordStore, mapServiceContext, view, key);
  }

  /** Reads an entry; of a large collection its head alone. By who has the partition. */
  static LockedEntries.Entry read(
      RecordStore<?> store, MapServiceContext context, EntryView view, Data key) {
    if (!view.exists()) {
      return LockedEntries.Entry.MISSING;
    }
    Data stored = context.toData(view.stored());
    Record<?> record = store.getRecord(key);
    return new LockedEntries.Entry(
        new EntryState(stored, Times.of(store.getExpirySystem().getExpiryMetadata(key))),
        stored.hash64(),
        record == null ? 0 : record.getVersion());
  }

  /** Locks a key that is free, or is locked by the same transaction. */
  static void lock(RecordStore<?> store, TransactionId id, Data key) {
    if (!store.isLockedBy(key, id.lockOwner(), id.number())) {
      boolean _ = store.txnLock(key, id.lockOwner(), id.number(), 0, NO_LEASE, true);
    }
  }

  @Override
  public Collection<Data> keys() {
    return keys;
  }

  @Override
  public Collection<Data> keysOfValues(boolean unobserved) {
    return keys;
  }

  /** Values beyond those that are at hand are read when they are come to. */
  @Override
  public boolean endEarly() {
    return false;
  }

  @Override
  public Collection<Data> keysOfEntries() {
    return keys;
  }

  @Override
  public boolean shouldBackup() {
    return locks
        && answer instanceof LockedEntries locked
        && !locked.isTooLarge()
        && mapContainer.getTotalBackupCount() > 0;
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
    return new TransactionLockBackup(name, id, keys);
  }

  @Override
  public @Nullable Object getResponse() {
    return answer;
  }

  @Override
  public WaitNotifyKey getWaitKey() {
    if (blocking == null) {
      throw new IllegalStateException("asked for a key to wait for, but none stops the operation");
    }
    return new LockWaitNotifyKey(getServiceNamespace(), blocking);
  }

  @Override
  public boolean shouldWait() {
    return blocking != null && !mayPass(blocking);
  }

  @Override
  public void onWaitExpire() {
    sendResponse(new OperationTimeoutException("a key stayed locked"));
  }

  @Override
  public int tenant() {
    return tenant;
  }

  @Override
  public int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return SpaceSerialization.TRANSACTION_LOCK;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    id.write(out);
    out.writeInt(tenant);
    out.writeBoolean(patient);
    out.writeBoolean(locks);
    out.writeLong(mostBytes);
    out.writeLong(longest);
    write(out, keys);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    id = TransactionId.read(in);
    tenant = in.readInt();
    patient = in.readBoolean();
    locks = in.readBoolean();
    mostBytes = in.readLong();
    longest = in.readLong();
    keys = read(in);
  }

  static void write(ObjectDataOutput out, List<Data> keys) throws IOException {
    out.writeInt(keys.size());
    for (Data key : keys) {
      IOUtil.writeData(out, key);
    }
  }

  static List<Data> read(ObjectDataInput in) throws IOException {
    int count = in.readInt();
    List<Data> keys = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      keys.add(CommandCodec.present(IOUtil.readData(in), "a key"));
    }
    return keys;
  }
}
