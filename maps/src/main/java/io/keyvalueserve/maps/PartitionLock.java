package io.keyvalueserve.maps;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.internal.partition.PartitionReplicaVersionManager;
import com.hazelcast.internal.partition.operation.Promotions;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.services.ServiceNamespaceAware;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import com.hazelcast.spi.impl.operationservice.impl.PendingInvocations;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock that a thread holds while it changes a partition. The partition's own thread waits for
 * it; any other thread only tries to take it. Reentrant.
 *
 * <p>Without contention it costs two compare-and-sets on a word of its own. The lock is handed over
 * to a thread that waits, so that threads that try often cannot starve it.
 *
 * <pre>
 *   FREE    --enter, tryEnter-->  HELD
 *   HELD    --enter of another--> AWAITED (one waits; further ones look again now and then)
 *   HELD    --exit-->             FREE
 *   AWAITED --exit-->             HELD by the one that waits, which is unparked
 * </pre>
 */
@SuppressWarnings("ReferenceEquality") // threads are what they are
final class PartitionLock implements GuardedPartitions.Guard, Lease.Fence {
  private static final int FREE = 0;
  private static final int HELD = 1;
  private static final int AWAITED = 2;
  private static final int SPINS = 200;
  private static final long BACK_OFF_NANOS = 50_000;

  private static final VarHandle STATE;
  private static final VarHandle OWNER;
  private static final VarHandle WAITER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(PartitionLock.class, "state", int.class);
      OWNER = lookup.findVarHandle(PartitionLock.class, "owner", Thread.class);
      WAITER = lookup.findVarHandle(PartitionLock.class, "waiter", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // Away from what lies before and behind it: neighbours are other threads' locks.
  @SuppressWarnings("unused")
  private long p0, p1, p2, p3, p4, p5, p6;

  @SuppressWarnings("FieldMayBeFinal") // changed through STATE
  private volatile int state = FREE;

  @SuppressWarnings("UnusedVariable") // used through OWNER
  private @Nullable Thread owner;

  private @Nullable Thread waiter;
  private final MemoryPressure pressure;
  private final Tenure tenure;
  private final Lease lease;
  private final @Nullable DeferredOperations deferred;
  private final Writers writers;
  private final Consumer<WriterNotes> tellCopies;
  private int depth;
  private boolean repeatable;
  private long held;
  private @Nullable AwaitedWrites awaited;
  private long appended;
  private long lastAppended;
  private long stamp;
  private long lastStamp;
  private boolean promoting;
  private @Nullable Operation operation;
  private int writer = Writers.NOBODY;
  private @Nullable List<WriterNotes> notes;
  private volatile @Nullable Runnable whenCurrent;
  private volatile Runnable tellBehind = () -> {};
  private volatile int lostCopies;
  private volatile boolean fenced;

  @SuppressWarnings("unused")
  private long q0, q1, q2, q3, q4, q5, q6;

  /** Creates the lock for a member whose memory is never short. */
  PartitionLock() {
    this(new MemoryPressure(), new Tenure(), Lease.forever(), new Writers(), notes -> {}, null);
  }

  /**
   * Creates the lock.
   *
   * @param pressure makes writes wait while memory is short
   * @param tenure refuses operations that were sent before this member was in the cluster
   * @param lease without which the member does not serve
   * @param writers finds the tenant that an operation writes for
   * @param tellCopies sends notes on writers to the copies of the partition
   * @param deferred keeps the operations that wait for values from the disk; null if there are none
   */
  PartitionLock(
      MemoryPressure pressure,
      Tenure tenure,
      Lease lease,
      Writers writers,
      Consumer<WriterNotes> tellCopies,
      @Nullable DeferredOperations deferred) {
    this.pressure = pressure;
    this.tenure = tenure;
    this.lease = lease;
    this.writers = writers;
    this.tellCopies = tellCopies;
    this.deferred = deferred;
  }

  @Override
  public boolean tryEnter() {
    Thread me = Thread.currentThread();
    if (isHeldBy(me)) {
      depth++;
      return true;
    }
    if (state != FREE || !STATE.compareAndSet(this, FREE, HELD)) {
      return false;
    }
    OWNER.setOpaque(this, me);
    return true;
  }

  @Override
  public void enter() {
    Thread me = Thread.currentThread();
    if (isHeldBy(me)) {
      depth++;
      return;
    }
    if (!STATE.compareAndSet(this, FREE, HELD) && !spin() && !await(me)) {
      return; // it was handed over, and is this thread's
    }
    OWNER.setOpaque(this, me);
  }

  private boolean spin() {
    for (int i = 0; i < SPINS; i++) {
      Thread.onSpinWait();
      if (state == FREE && STATE.compareAndSet(this, FREE, HELD)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Waits for the lock.
   *
   * @return true if it was free and was taken, false if it was handed over
   */
  private boolean await(Thread me) {
    boolean first = false;
    boolean interrupted = false;
    try {
      while (true) {
        if (STATE.compareAndSet(this, FREE, HELD)) {
          if (first) {
            WAITER.setOpaque(this, null);
          }
          return true;
        }
        if (!first) {
          first = WAITER.compareAndSet(this, null, me);
          if (!first) { // partitions have one thread: nobody comes here in earnest
            LockSupport.parkNanos(BACK_OFF_NANOS);
            continue;
          }
        }
        if (STATE.compareAndSet(this, HELD, AWAITED)) {
          while (OWNER.getAcquire(this) != me) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
          }
          return false;
        }
      }
    } finally {
      if (interrupted) {
        me.interrupt();
      }
    }
  }

  @Override
  public void exit() {
    if (depth > 0) {
      depth--;
      return;
    }
    if (notes != null) {
      tellNotes(notes);
    }
    repeatable = false;
    stamp = 0;
    writer = Writers.NOBODY;
    OWNER.setOpaque(this, null);
    if (!STATE.compareAndSet(this, HELD, FREE)) {
      handOver();
    }
  }

  private void handOver() {
    Thread next = waiter;
    WAITER.setOpaque(this, null);
    STATE.setOpaque(this, HELD);
    OWNER.setRelease(this, next);
    LockSupport.unpark(next);
  }

  /**
   * Marks the first {@code copies} copies of the partition as lost to the cluster, though they may
   * be on disks. Maps with fewer copies must not be served from what is here.
   */
  void lose(int copies) {
    lostCopies = copies;
  }

  /**
   * Stops all use of the partition until the member that owned it before has surely stopped, too.
   * By any thread.
   *
   * @param former the owner before; null if it is not known
   */
  void fence(@Nullable UUID former) {
    if (!lease.isForever()) {
      fenced = true;
      lease.fence(this, former);
    }
  }

  @Override
  public void lift() {
    fenced = false;
  }

  /** Returns whether the partition must not be used yet. Any thread may call this. */
  boolean isFenced() {
    return fenced;
  }

  @Override
  public boolean mayAnswer() {
    return lease.holds();
  }

  /**
   * Returns whether a backup is becoming the partition's owner because the owner is gone. The
   * caller holds the lock.
   */
  boolean isPromoting() {
    return promoting;
  }

  /** Returns whether the backup here may have less than the owner. Any thread may call this. */
  boolean isBehind() {
    return whenCurrent != null;
  }

  /**
   * The backup here may have less than the owner has, until it is found to be current.
   *
   * @param then told when it is
   */
  void setBehind(Runnable then) {
    whenCurrent = then;
  }

  @Override
  public void markCurrent() {
    Runnable then = whenCurrent;
    if (then != null) {
      whenCurrent = null;
      then.run();
    }
  }

  /** Returns how many first copies are lost. Any thread may call this. */
  int lostCopies() {
    return lostCopies;
  }

  @Override
  public void admit(Operation operation) {
    tenure.admit(operation);
    if (deferred != null) {
      deferred.admit(operation);
    }
    promoting = Promotions.isOne(operation);
    if ((fenced || !lease.holds()) && GuardedPartitions.isOnData(operation)) {
      throw new RetryableHazelcastException(PendingInvocations.NO_MAJORITY);
    }
    int lost = lostCopies;
    if (lost > 0 && operation instanceof MapOperation map) {
      LostPartitions.requireCopy(map, lost);
    }
    repeatable = MemoryPressure.mayRepeat(operation);
    pressure.admit(operation, writers);
  }

  /**
   * Returns the exception to answer with. If the log refused a part of the operation, the written
   * part is counted, so that the backups notice that they lack it.
   */
  @Override
  public Exception failed(Operation operation, Exception failure) {
    if (!(failure instanceof LogRefusedException) || appended == 0) {
      return failure;
    }
    countOneWrite(operation);
    return new IndeterminateOperationStateException(
        "a part of the operation was carried out, the rest was not: " + failure.getMessage());
  }

  private static void countOneWrite(Operation operation) {
    if (operation instanceof BackupAwareOperation aware
        && operation instanceof ServiceNamespaceAware named) {
      int backups = aware.getSyncBackupCount() + aware.getAsyncBackupCount();
      if (backups > 0) {
        long[] _ =
            versions(operation)
                .incrementPartitionReplicaVersions(
                    operation.getPartitionId(), named.getServiceNamespace(), backups);
      }
    }
  }

  /**
   * Marks the backup here as behind if its log refused the operation. It stays behind until its
   * owner finds it current.
   */
  @Override
  public void missed(Operation backup, Exception failure) {
    if (!(failure instanceof LogRefusedException)) {
      return;
    }
    if (whenCurrent == null) {
      whenCurrent = tellBehind;
      tellBehind.run();
    }
  }

  /**
   * Says who is told that the backup here is behind, because its log took no write, or no longer.
   *
   * @param then does not block
   */
  void whenBehindChanges(Runnable then) {
    tellBehind = then;
  }

  private static PartitionReplicaVersionManager versions(Operation operation) {
    return ((NodeEngineImpl) operation.getNodeEngine())
        .getPartitionService()
        .getPartitionReplicaVersionManager();
  }

  @Override
  public boolean defers(Operation operation, GuardedPartitions.Resumer resumer) {
    return deferred != null && deferred.defers(operation, resumer);
  }

  @Override
  public @Nullable Operation begin(@Nullable Operation next) {
    Operation before = operation;
    operation = next;
    return before;
  }

  /**
   * Returns the operation that is carried out; null if there is none. The caller holds the lock.
   */
  @Nullable Operation operation() {
    return operation;
  }

  /**
   * An entry has another writer now: its copies are told when the partition is left. By who has it.
   */
  void note(String map, Data key, int number) {
    if (notes == null) {
      notes = new ArrayList<>();
    }
    if (notes.isEmpty() || !notes.getLast().map().equals(map)) {
      notes.add(new WriterNotes(map));
    }
    notes.getLast().add(key, number);
  }

  private void tellNotes(List<WriterNotes> taken) {
    notes = null;
    taken.forEach(tellCopies);
  }

  /**
   * Sets the tenant that writes from now on, without an operation, until the lock is released. The
   * caller holds the lock.
   */
  void writeFor(int tenant) {
    writer = tenant;
  }

  /**
   * Returns the tenant that writes without an operation; {@link Writers#NOBODY} if there is none.
   * The caller holds the lock.
   */
  int writer() {
    return writer;
  }

  /**
   * Returns the time of all changes that are made until the lock is released, in milliseconds since
   * 1970. The caller holds the lock.
   */
  long changeStamp() {
    if (stamp == 0) {
      lastStamp = Math.max(lastStamp, Clock.currentTimeMillis());
      stamp = lastStamp;
    }
    return stamp;
  }

  /**
   * Sets the time of all changes that are made until the lock is released: other partitions have
   * the same for their part of a transaction. The caller holds the lock.
   */
  void stampChanges(long millis) {
    stamp = millis;
  }

  @Override
  public long beginHolding() {
    long before = held;
    held = 0;
    appended = 0;
    return before;
  }

  /** Holds the answer to the current operation until an external store has a write. */
  void awaitWrite(AwaitedWrites.One write) {
    if (awaited == null) {
      awaited = new AwaitedWrites();
    }
    awaited.add(write);
  }

  /** Holds the answer no longer for a write that was not made after all. */
  void forgetWrite(NativeRecordStore store, Data key) {
    if (awaited != null && awaited.remove(store, key)) {
      awaited = null;
    }
  }

  @Override
  public GuardedPartitions.@Nullable Awaited takeAwaited() {
    AwaitedWrites taken = awaited;
    awaited = null;
    if (taken != null && deferred != null) {
      deferred.hold(operation, taken);
    }
    return taken;
  }

  /** Something has been written to the log. By who has it. */
  void appended(long position) {
    appended = Math.max(appended, position);
    lastAppended = Math.max(lastAppended, position);
  }

  /**
   * Holds the answer to the current operation until the log is certain up to {@code position}. The
   * caller holds the lock.
   */
  void holdUntilCertain(long position) {
    held = Math.max(held, position);
  }

  @Override
  public long held() {
    return held;
  }

  @Override
  public long appended() {
    return appended;
  }

  @Override
  public long lastAppended() {
    return lastAppended;
  }

  @Override
  public void endHolding(long before) {
    held = Math.max(held, before);
  }

  /**
   * Marks the current operation as retryable until the lock is released. The caller holds the lock.
   */
  void markRepeatable() {
    repeatable = true;
  }

  /**
   * Reports that the current operation found no memory. If the operation is retryable, it is sent
   * back. The caller holds the lock.
   */
  void noMemory() {
    if (repeatable) {
      pressure.noMemory();
    }
  }

  /** Returns whether the current thread holds the lock. */
  boolean isHeld() {
    return isHeldBy(Thread.currentThread());
  }

  private boolean isHeldBy(Thread thread) {
    return OWNER.getOpaque(this) == thread;
  }
}
