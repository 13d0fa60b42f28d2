package io.keyvalueserve.grid.space;

import com.hazelcast.core.MemberLeftException;
import com.hazelcast.internal.locksupport.LockWaitNotifyKey;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.Notifier;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.WaitNotifyKey;
import io.keyvalueserve.maps.MemoryPressure;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.OfTenant;
import io.keyvalueserve.maps.Writers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what a transaction does in one partition, or unlocks its keys there, or both. Does
 * nothing for keys that the transaction has not locked: it was carried out for them before, or it
 * was ended. So it may be sent again.
 *
 * <p>It passes quotas, as the transaction is decided. Answers with a {@link Result}'s code.
 */
final class TransactionApply extends MapOperation
    implements BackupAwareOperation, MemoryPressure.Repeatable, OfTenant {
  /** Says whether the transaction had the locks. */
  enum Result {
    /** It had all of them. */
    HELD,
    /** It had not all of them, and what it is asked to do was not done. */
    NOT_HELD,
    /** The same, but the operation may have done it before. */
    NOT_HELD_AGAIN;

    static Result of(@Nullable Object answer) {
      return switch (answer) {
        case Integer code when code == 0 -> HELD;
        case Integer code when code == 1 -> NOT_HELD;
        case null, default -> NOT_HELD_AGAIN;
      };
    }

    private int code() {
      return switch (this) {
        case HELD -> 0;
        case NOT_HELD -> 1;
        case NOT_HELD_AGAIN -> 2;
      };
    }
  }

  /** Which changes are carried out. */
  enum Mode {
    /** All if the transaction has all the locks, else none: nothing else decides it. */
    ALL,
    /** Those whose keys it has locked: the decision is recorded. */
    LOCKED,
    /** All, locked or not: it is decided, and no member has run since. */
    UNCONDITIONAL;

    private int code() {
      return switch (this) {
        case ALL -> 0;
        case LOCKED -> 1;
        case UNCONDITIONAL -> 2;
      };
    }

    private static Mode of(int code) throws IOException {
      return switch (code) {
        case 0 -> ALL;
        case 1 -> LOCKED;
        case 2 -> UNCONDITIONAL;
        default -> throw new IOException("no such mode of a transaction: code=" + code);
      };
    }
  }

  private TransactionId id = new TransactionId(new UUID(0, 0), 0);
  private int tenant = Writers.OWNER;
  private List<KeyChange> changes = List.of();
  private List<Data> unlocked = List.of();
  private Mode mode = Mode.ALL;
  private long decidedMillis;
  private boolean underWay;
  private boolean again;
  private Result result = Result.NOT_HELD;
  private @Nullable EntryWriter writer;
  private List<Data> released = List.of();
  private long nowMillis;

  /** Creates an empty operation for deserialization. */
  TransactionApply() {}

  /**
   * @param tenant the number of who runs the transaction
   * @param changes in this partition
   * @param unlocked the keys to unlock
   */
  TransactionApply(
      String map, TransactionId id, int tenant, List<KeyChange> changes, List<Data> unlocked) {
    super(map);
    this.id = id;
    this.tenant = tenant;
    this.changes = changes;
    this.unlocked = unlocked;
  }

  /** Sets which changes are carried out; all or none unless it is called. */
  TransactionApply mode(Mode next) {
    mode = next;
    return this;
  }

  /**
   * Sets when the transaction was decided, in milliseconds since 1970: the time of its changes in
   * all partitions. Unless it is called, they have the time at which they are made.
   */
  TransactionApply decided(long millis) {
    decidedMillis = millis;
    return this;
  }

  @Override
  protected void onSetCallId(long callId) {
    again |= underWay;
    underWay = true;
  }

  @Override
  public ExceptionAction onInvocationException(Throwable thrown) {
    if (!(thrown instanceof MemberLeftException)) {
      underWay = false; // it has not run
    }
    return super.onInvocationException(thrown);
  }

  @Override
  protected void innerBeforeRun() throws Exception {
    super.innerBeforeRun();
    recordStore.checkIfLoaded();
  }

  @Override
  protected void runInternal() {
    nowMillis = Clock.currentTimeMillis();
    boolean held = changes.stream().allMatch(change -> isHeld(change.key()));
    for (Data key : unlocked) {
      held &= isHeld(key);
    }
    Result missing = again ? Result.NOT_HELD_AGAIN : Result.NOT_HELD;
    result = held ? Result.HELD : missing;
    writer = null;
    if (held || mode != Mode.ALL) {
      if (decidedMillis > 0) {
        ((NativeRecordStore) recordStore).stampChanges(decidedMillis);
      }
      noteChanges();
      ((NativeRecordStore) recordStore).writeDecided(this::write);
    }
    List<Data> free = new ArrayList<>(unlocked.size());
    for (Data key : unlocked) {
      if (TransactionBackup.unlock(recordStore, id, key)) {
        free.add(key);
      }
    }
    released = free;
  }

  /** Readers of several keys must not take what follows for one key's change. */
  private void noteChanges() {
    long writes = changes.stream().filter(KeyChange::writes).count();
    if (writes > 1 || (writes == 1 && mode != Mode.ALL)) { // by a record: it has several parts
      ((NativeRecordStore) recordStore).changesTogether();
    }
  }

  private boolean isHeld(Data key) {
    return recordStore.isLockedBy(key, id.lockOwner(), id.number());
  }

  private void write() {
    EntryWriter next = new EntryWriter(recordStore, nowMillis);
    writer = next;
    EntryView entry =
        new EntryView(
            recordStore, getNodeEngine().getSerializationService(), getCallerAddress(), nowMillis);
    for (KeyChange change : changes) {
      if (mode != Mode.LOCKED || isHeld(change.key())) {
        change.carryOut(next, entry.of(change.key()));
      }
    }
  }

  @Override
  public void afterRunInternal() {
    if (writer != null) {
      writer.publish(this);
    }
    for (Data key : released) {
      ((NodeEngineImpl) getNodeEngine()).getOperationParker().unpark(new Release(waitKey(key)));
    }
  }

  private WaitNotifyKey waitKey(Data key) {
    return new LockWaitNotifyKey(getServiceNamespace(), key);
  }

  /** Resumes those who wait for a key. */
  private record Release(WaitNotifyKey key) implements Notifier {
    @Override
    public boolean shouldNotify() {
      return true;
    }

    @Override
    public WaitNotifyKey getNotifiedKey() {
      return key;
    }
  }

  @Override
  public boolean shouldBackup() {
    return mapContainer.getTotalBackupCount() > 0
        && ((writer != null && writer.hasWritten()) || !unlocked.isEmpty());
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
    return new TransactionBackup(
        id,
        writer == null ? List.of() : writer.written(),
        writer == null ? PageReplicas.NONE : writer.pagesWritten(),
        unlocked,
        recordStore,
        nowMillis);
  }

  @Override
  public Object getResponse() {
    return result.code();
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
    return SpaceSerialization.TRANSACTION_APPLY;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    id.write(out);
    out.writeInt(tenant);
    out.writeByte(mode.code());
    out.writeLong(decidedMillis);
    out.writeBoolean(again);
    out.writeInt(changes.size());
    for (KeyChange change : changes) {
      change.write(out);
    }
    TransactionLock.write(out, unlocked);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    id = TransactionId.read(in);
    tenant = in.readInt();
    mode = Mode.of(in.readByte());
    decidedMillis = in.readLong();
    again = in.readBoolean();
    int count = in.readInt();
    changes = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      changes.add(KeyChange.read(in));
    }
    unlocked = TransactionLock.read(in);
  }
}
