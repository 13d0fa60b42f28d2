package io.keyvalueserve.grid.space;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.MemberLeftException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.internal.locksupport.LockWaitNotifyKey;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BlockingOperation;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.ExceptionAction;
import com.hazelcast.spi.impl.operationservice.WaitNotifyKey;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Transition;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.maps.KeyedCommands;
import io.keyvalueserve.maps.LocalMaps;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.maps.MemoryPressure;
import io.keyvalueserve.maps.MemoryShortException;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.OfTenant;
import io.keyvalueserve.maps.RefusedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Commands on keys of one partition of a map, carried out one after the other on the partition's
 * thread. The answer ends early when it has grown large, or when memory is short; whoever asked
 * then sends the rest anew.
 *
 * <p>If a command meets a lock that stops it, the whole operation waits, before it has done
 * anything: parked under the first such key. {@link #shouldWait} speaks of that key alone, because
 * Hazelcast asks it of the head of that key's queue; once unparked, {@link #call} looks at all keys
 * again and parks under the next one if need be.
 *
 * <p><b>Never twice.</b> Hazelcast sends an operation again after an error, and also when its
 * target died after it had answered but before its backups had. An error says that it has not run,
 * with one exception: that the target left. So a batch that must not run twice gives up on that
 * error; and if it finds itself sent again without any error, it refuses to run. What is left is
 * the uncertainty whether it ran once, which the caller is told. (Backups that merely fail to
 * confirm in time do not count: the primary has answered and lives.)
 */
abstract sealed class BatchOperation extends MapOperation
    implements BlockingOperation,
        MemoryPressure.Repeatable,
        GuardedPartitions.Doubtful,
        KeyedCommands,
        OfTenant
    permits KeyReadBatch, KeyWriteBatch {
  /**
   * A run ends when its answer, and the values that it remembers for listeners, have grown to this
   * many bytes.
   */
  private static final long RUN_BYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / 64, 1 << 20, 16 << 20);

  private static final int BYTES_PER_OUTCOME = 16;
  private static final int MOST_QUICK_COMMANDS = 64;
  private static final int MOST_QUICK_BYTES = 128 << 10;

  /** An operation on a collection looks through all of it: it counts as so many bytes more. */
  private static final int COLLECTION_BYTES = 8 << 10;

  private List<KeyCommand> commands;
  private List<Data> keys;
  private int tenant;
  private long lockThread;
  private boolean repeatable;
  private boolean patient = true;
  private boolean underWay;
  private boolean doubtful;
  private boolean endsEarly;
  private @Nullable Data blocking;
  private BatchAnswer answer = new BatchAnswer();

  /**
   * @param tenant the number of who sends it
   * @param lockThread the thread that the locks belong to which this operation may pass; {@code
   *     KeyLocks#NO_THREAD} if there are none
   * @param repeatable whether it does no harm to run twice
   */
  BatchOperation(
      String name,
      int tenant,
      List<KeyCommand> commands,
      List<Data> keys,
      long lockThread,
      boolean repeatable) {
    super(name);
    this.tenant = tenant;
    this.repeatable = repeatable;
    this.commands = commands;
    this.keys = keys;
    this.lockThread = lockThread;
  }

  /** The operation that carries these commands out. */
  static BatchOperation of(
      String map, int tenant, List<KeyCommand> commands, List<Data> keys, long lockThread) {
    return commands.stream().anyMatch(KeyCommand::writes)
        ? new KeyWriteBatch(
            map,
            tenant,
            commands,
            keys,
            lockThread,
            commands.stream().allMatch(PartitionBatch::isRepeatable))
        : new KeyReadBatch(map, tenant, commands, keys);
  }

  /**
   * Returns whether the batch takes little time: it has few commands, and waits for neither an
   * external store nor the disk. Its commands need no place in the partition's queue, because a
   * session waits for one batch before it sends the next.
   */
  final boolean isQuick() {
    if (commands.size() > MOST_QUICK_COMMANDS) {
      return false;
    }
    int bytes = 0;
    for (int i = 0; i < commands.size(); i++) {
      bytes += keys.get(i).totalSize() + PartitionBatch.valueBytes(commands.get(i));
      bytes += commands.get(i) instanceof KeyCommand.OnCollection ? COLLECTION_BYTES : 0;
      if (bytes > MOST_QUICK_BYTES) {
        return false;
      }
    }
    return LocalMaps.isHere(getNodeEngine(), getName(), getPartitionId(), bytes);
  }

  /** Returns whether a lock that another client holds stops this command. */
  abstract boolean isStopped(KeyCommand command, Data key);

  /** Brings a command's effect about. */
  abstract void carryOut(Transition transition, Data key, EntryView entry);

  /** Returns how many bytes of values are on the heap until listeners have been told. */
  abstract long rememberedBytes();

  /** A command's effect was brought about in part. */
  abstract void partlyWritten(Data key);

  /**
   * Returns the answer with each outcome that may have changed something replaced by one in doubt.
   * Commands that only read or changed nothing keep their outcomes.
   *
   * @param answer to the first of the commands
   */
  @Override
  public final Object inDoubt(Object answer, String why) {
    if (!(answer instanceof BatchAnswer known)) { // an exception: nothing was carried out
      return answer;
    }
    List<Outcome> outcomes = new ArrayList<>(known.outcomes().size());
    for (int i = 0; i < known.outcomes().size(); i++) {
      Outcome outcome = known.outcomes().get(i);
      outcomes.add(mayHaveChanged(commands.get(i), outcome) ? Failures.inDoubt(why) : outcome);
    }
    return new BatchAnswer(outcomes);
  }

  /**
   * Returns the answer of a member that has lost its majority. Commands that only read fail,
   * because others may have replaced the values since. Commands that may have changed something are
   * in doubt.
   */
  @Override
  public final Object lapsed(Object answer) {
    if (!(answer instanceof BatchAnswer known)) { // an exception: nothing was carried out
      return answer;
    }
    List<Outcome> outcomes = new ArrayList<>(known.outcomes().size());
    for (int i = 0; i < known.outcomes().size(); i++) {
      Outcome outcome = known.outcomes().get(i);
      if (mayHaveChanged(commands.get(i), outcome)) {
        outcomes.add(Failures.withoutMajority());
      } else {
        outcomes.add(outcome instanceof Outcome.Failure ? outcome : Failures.noMajority());
      }
    }
    return new BatchAnswer(outcomes);
  }

  @Override
  public final Object refused(Object answer, Map<Data, RuntimeException> failures) {
    if (!(answer instanceof BatchAnswer known)) { // an exception: nothing was carried out
      return answer;
    }
    List<Outcome> outcomes = new ArrayList<>(known.outcomes().size());
    for (int i = 0; i < known.outcomes().size(); i++) {
      Outcome outcome = known.outcomes().get(i);
      RuntimeException failure = failures.get(keys.get(i));
      outcomes.add(
          failure != null && mayHaveChanged(commands.get(i), outcome)
              ? Failures.of(failure)
              : outcome);
    }
    return new BatchAnswer(outcomes);
  }

  private static boolean mayHaveChanged(KeyCommand command, Outcome outcome) {
    return command.writes()
        && switch (outcome) {
          case Outcome.Missing _, Outcome.NotApplied _, Outcome.Rejected _, Outcome.Failure _ ->
              false;
          case Outcome.Entry _,
              Outcome.Info _,
              Outcome.Applied _,
              Outcome.IntegerResult _,
              Outcome.DecimalResult _,
              Outcome.Elements _,
              Outcome.Integers _ ->
              true;
        };
  }

  /** Called before the commands are carried out. */
  abstract void begin(long nowMillis);

  @Override
  protected final void onSetCallId(long callId) {
    doubtful |= underWay && !repeatable;
    underWay = true;
  }

  @Override
  public final ExceptionAction onInvocationException(Throwable thrown) {
    if (thrown instanceof MemberLeftException && !repeatable) {
      return ExceptionAction.THROW_EXCEPTION;
    }
    underWay = false;
    return super.onInvocationException(thrown);
  }

  @Override
  protected final void innerBeforeRun() throws Exception {
    super.innerBeforeRun();
    recordStore.checkIfLoaded();
  }

  /** Makes it answer at once, with no outcome at all, where it would have to wait for a lock. */
  final BatchOperation impatient() {
    patient = false;
    return this;
  }

  @Override
  public final CallStatus call() throws Exception {
    blocking = firstStopped();
    if (blocking == null) {
      return super.call();
    }
    if (patient) {
      return CallStatus.WAIT;
    }
    blocking = null;
    answer = new BatchAnswer();
    return CallStatus.RESPONSE;
  }

  private @Nullable Data firstStopped() {
    for (int i = 0; i < commands.size(); i++) {
      if (isStopped(commands.get(i), keys.get(i))) {
        return keys.get(i);
      }
    }
    return null;
  }

  @Override
  protected final void runInternal() {
    if (doubtful) {
      throw new IndeterminateOperationStateException(
          "the cluster changed meanwhile: the command may or may not have taken effect; read the key"
              + " again");
    }
    long nowMillis = Clock.currentTimeMillis();
    answer = new BatchAnswer(); // an invocation that is tried again may run the same object again
    answer.stamp(((NativeRecordStore) recordStore).stamp());
    begin(nowMillis);
    EntryView entry =
        new EntryView(
            recordStore, getNodeEngine().getSerializationService(), getCallerAddress(), nowMillis);
    boolean mayMissValues = endsEarly;
    endsEarly = false;
    long bytes = 0;
    for (int i = 0; i < commands.size() && bytes + rememberedBytes() < RUN_BYTES; i++) {
      if (mayMissValues && i > 0 && isMissing(i)) {
        return; // the rest is sent anew, and its values are read then
      }
      try {
        Outcome outcome = execute(commands.get(i), entry.of(keys.get(i)), keys.get(i), nowMillis);
        answer.add(outcome);
        bytes += BYTES_PER_OUTCOME + valueBytes(outcome);
      } catch (MemoryShortException e) {
        if (i == 0) {
          throw e; // nothing was done: the whole of it comes again
        }
        return; // what was done is answered for, the rest is sent anew
      }
    }
  }

  private boolean isMissing(int i) {
    NativeRecordStore store = (NativeRecordStore) recordStore;
    return (looksAtValue(commands.get(i), store.isUnobserved()) && store.isOnDisk(keys.get(i)))
        || (needsEntry(commands.get(i)) && store.isToBeLoaded(keys.get(i)));
  }

  @Override
  public final Collection<Data> keys() {
    return keys;
  }

  @Override
  public final Collection<Data> keysOfValues(boolean unobserved) {
    List<Data> of = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      if (looksAtValue(commands.get(i), unobserved)) {
        of.add(keys.get(i));
      }
    }
    return of;
  }

  private static boolean looksAtValue(KeyCommand command, boolean unobserved) {
    return switch (command) {
      case KeyCommand.Write write -> !unobserved || write.returnPrevious();
      case KeyCommand.WriteCollection _ -> !unobserved;
      case KeyCommand.Remove remove -> !unobserved || remove.returnPrevious();
      case KeyCommand.Probe _ -> !unobserved;
      default -> true;
    };
  }

  @Override
  public final Collection<Data> keysOfEntries() {
    List<Data> of = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      if (needsEntry(commands.get(i))) {
        of.add(keys.get(i));
      }
    }
    return of;
  }

  private static boolean needsEntry(KeyCommand command) {
    return !(command instanceof KeyCommand.Write write
        && write.isUnconditional()
        && write.expireAtMillis() != Expiry.KEEP);
  }

  @Override
  public final boolean endEarly() {
    endsEarly = true;
    return true;
  }

  /** One command's misfortune (an external store that fails, say) must not undo the others. */
  private Outcome execute(KeyCommand command, EntryView entry, Data key, long nowMillis) {
    NativeRecordStore store = (NativeRecordStore) recordStore;
    long before = store.logged();
    try {
      Transition transition = command.apply(entry, nowMillis);
      carryOut(transition, key, entry);
      return transition.outcome();
    } catch (MemoryShortException e) {
      throw e;
    } catch (LogRefusedException e) {
      if (store.logged() == before) {
        return Failures.of(e);
      }
      partlyWritten(key);
      return Failures.partly();
    } catch (RefusedException e) {
      return Failures.of(e);
    } catch (RuntimeException e) {
      return Failures.internal("a command failed on its partition", e);
    }
  }

  /** Returns the number of bytes of values in an outcome. */
  static int valueBytes(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Entry entry -> entry.value().length;
      case Outcome.Applied applied -> length(applied.previous());
      case Outcome.NotApplied notApplied -> length(notApplied.previous());
      case Outcome.Elements elements -> Element.bytes(elements.elements());
      case Outcome.Integers integers -> integers.values().length * Long.BYTES;
      default -> 0;
    };
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  @Override
  public final Object getResponse() {
    return answer;
  }

  @Override
  public final int tenant() {
    return tenant;
  }

  final boolean mayPass(Data key) {
    return recordStore.canAcquireLock(key, getCallerUuid(), lockThread);
  }

  @Override
  public final WaitNotifyKey getWaitKey() {
    if (blocking == null) {
      throw new IllegalStateException("asked for a key to wait for, but none stops the batch");
    }
    return new LockWaitNotifyKey(getServiceNamespace(), blocking);
  }

  @Override
  public final boolean shouldWait() {
    return blocking != null && !mayPass(blocking);
  }

  @Override
  public final void onWaitExpire() {
    sendResponse(new OperationTimeoutException("a key stayed locked"));
  }

  @Override
  public final long getThreadId() {
    return lockThread;
  }

  @Override
  public final int getFactoryId() {
    return SpaceSerialization.FACTORY_ID;
  }

  @Override
  protected final void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(tenant);
    out.writeLong(lockThread);
    out.writeBoolean(doubtful);
    out.writeBoolean(patient);
    out.writeInt(commands.size());
    for (KeyCommand command : commands) {
      CommandCodec.write(out, command);
    }
  }

  @Override
  protected final void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    tenant = in.readInt();
    lockThread = in.readLong();
    doubtful = in.readBoolean();
    patient = in.readBoolean();
    int count = in.readInt();
    commands = CommandCodec.listOf(count);
    keys = CommandCodec.listOf(count);
    for (int i = 0; i < count; i++) {
      KeyCommand command = CommandCodec.read(in);
      commands.add(command);
      keys.add(KeyData.ofKey(command.key()));
    }
  }
}
