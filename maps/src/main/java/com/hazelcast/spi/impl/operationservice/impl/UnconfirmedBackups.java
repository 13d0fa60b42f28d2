package com.hazelcast.spi.impl.operationservice.impl;

import static com.hazelcast.internal.util.Clock.currentTimeMillis;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.internal.partition.impl.BackupsQuestion;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.properties.ClusterProperty;
import com.hazelcast.spi.properties.HazelcastProperty;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches writes whose owner has answered while backups have not confirmed.
 *
 * <p>A backup does not confirm a write that it cannot take: its partition table differs from the
 * owner's, as while partitions move, or the backup fails. Hazelcast then answers after a while as
 * if the backup had confirmed, and repairs the backup later. If the owner goes down in between, an
 * acknowledged write is lost. For writes that must not be lost, the owner is asked to bring its
 * backups up to date, and the write is answered when they are. If they are not in time, the answer
 * says that the outcome is unknown. Backups that have left the cluster are not waited for.
 *
 * <p>When any member leaves, Hazelcast treats all writes that wait for a backup as done. A member
 * that was removed by the others sees all of them leave. So where a majority decides, Hazelcast is
 * told not to do that ({@link #failsProperty}), and the owner is asked. The owner's answer counts
 * only if a majority has confirmed its list of members since.
 *
 * <p>Lives in Hazelcast's package because the state of an invocation is package-private.
 */
public final class UnconfirmedBackups {
  private static final Logger LOG = LoggerFactory.getLogger(UnconfirmedBackups.class);

  /** The time for which writes that do not need their backups wait for them, as in Hazelcast. */
  private static final long PATIENCE_MILLIS = 5_000;

  /** The time after which the owner is asked about its backups. */
  private static final long ASK_MILLIS = 1_000;

  /** The time after which a write is in doubt; tests set less, as they wait it out. */
  private static final HazelcastProperty DOUBT_MILLIS =
      new HazelcastProperty("kvs.backups.doubt.millis", 10_000L);

  private static final String UNCONFIRMED =
      "the write was carried out, but its backups have not confirmed it: it may or may not survive"
          + " the loss of a member; read the key again";

  /** The pause between two runs of what {@link #of} returns. */
  public static final long LOOK_MILLIS = 250;

  /** Later than that, Hazelcast would answer if we did not. */
  private static final long HAZELCAST_MILLIS = 60_000;

  private static final VarHandle TARGET;

  static {
    try {
      TARGET =
          MethodHandles.privateLookupIn(Invocation.class, MethodHandles.lookup())
              .findVarHandle(Invocation.class, "targetMember", Member.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final OperationServiceImpl operations;
  private final Predicate<Operation> mustBeConfirmed;
  private final BooleanSupplier mayConfirm;
  private final long doubtMillis;
  private final Executor threads;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Set<Place> asked = ConcurrentHashMap.newKeySet();

  /** A partition, and the member that has answered as its owner. */
  private record Place(int partition, Member owner) {}

  /** An invocation, and when it was answered: one that is begun anew is another one. */
  private record Late(Invocation<?> invocation, long answeredMillis) {}

  private UnconfirmedBackups(
      OperationServiceImpl operations,
      Predicate<Operation> mustBeConfirmed,
      BooleanSupplier mayConfirm,
      long doubtMillis,
      Executor threads) {
    this.operations = operations;
    this.threads = threads;
    this.doubtMillis = doubtMillis;
    this.mustBeConfirmed = mustBeConfirmed;
    this.mayConfirm = mayConfirm;
  }

  /**
   * The setting of a member that has Hazelcast leave it to this what becomes of a write when a
   * member leaves; true where a majority decides.
   */
  public static String failsProperty() {
    return ClusterProperty.FAIL_ON_INDETERMINATE_OPERATION_STATE.getName();
  }

  /** The setting of a member after how many milliseconds a write is in doubt. */
  public static String doubtProperty() {
    return DOUBT_MILLIS.getName();
  }

  /** The setting of a member that this looks after; before it starts. */
  public static String property() {
    return ClusterProperty.OPERATION_BACKUP_TIMEOUT_MILLIS.getName();
  }

  /** Returns the value that {@link #property} must have, in milliseconds. */
  public static long value() {
    return HAZELCAST_MILLIS;
  }

  /**
   * Returns what looks after a member's writes, each time that it is run. It does not block: if
   * there is anything to look at, another thread does that.
   *
   * @param mustBeConfirmed whether an operation is a write that must not be answered as done
   *     without its backups
   * @param mayConfirm whether this member may rely on its list of members now
   */
  public static Runnable of(
      NodeEngine nodeEngine, Predicate<Operation> mustBeConfirmed, BooleanSupplier mayConfirm) {
    OperationServiceImpl service = (OperationServiceImpl) nodeEngine.getOperationService();
    return new UnconfirmedBackups(
            service,
            mustBeConfirmed,
            mayConfirm,
            nodeEngine.getProperties().getLong(DOUBT_MILLIS),
            nodeEngine.getExecutionService().getGlobalTaskScheduler())
        ::lookIfAny;
  }

  private void lookIfAny() {
    if (operations.invocationRegistry.size() == 0 || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      threads.execute(this::lookOnce);
    } catch (RejectedExecutionException e) { // the member ends
      looking.set(false);
    }
  }

  private void lookOnce() {
    try {
      look();
    } catch (RuntimeException e) {
      LOG.error("writes that wait for their backups could not be looked after", e);
    } finally {
      looking.set(false);
    }
  }

  private void look() {
    Map<Place, List<Late>> late = new HashMap<>();
    for (Invocation<?> invocation : operations.invocationRegistry) {
      if (!mustBeConfirmed.test(invocation.op)) {
        boolean _ = invocation.detectAndHandleBackupTimeout(PATIENCE_MILLIS);
        continue;
      }
      long answered = invocation.pendingResponseReceivedMillis;
      if (isLate(invocation, answered, doubtMillis)) {
        giveUp(invocation);
      } else if (isLate(invocation, answered, ASK_MILLIS)) {
        Place place = place(invocation);
        if (place != null) {
          late.computeIfAbsent(place, p -> new ArrayList<>()).add(new Late(invocation, answered));
        }
      }
    }
    late.forEach(this::ask);
  }

  private static void giveUp(Invocation<?> invocation) {
    if (invocation.op instanceof GuardedPartitions.Doubtful doubtful) {
      invocation.complete(doubtful.inDoubt(PendingInvocations.answerOf(invocation), UNCONFIRMED));
    } else {
      invocation.completeExceptionally(new IndeterminateOperationStateException(UNCONFIRMED));
    }
  }

  private static @Nullable Place place(Invocation<?> invocation) {
    Member owner = (Member) TARGET.get(invocation);
    int partition = invocation.op.getPartitionId();
    return owner == null || partition < 0 ? null : new Place(partition, owner);
  }

  /** The writes were carried out before the owner is asked: what it has, has them. */
  private void ask(Place place, List<Late> late) {
    if (asked.add(place)) {
      Object _ =
          operations
              .createInvocationBuilder(
                  IPartitionService.SERVICE_NAME,
                  new BackupsQuestion(place.partition()),
                  place.owner().getAddress())
              .setTryCount(1)
              .<Boolean>invoke()
              .whenComplete(
                  (current, failure) -> {
                    asked.remove(place);
                    if (Boolean.TRUE.equals(current) && mayConfirm.getAsBoolean()) {
                      late.forEach(UnconfirmedBackups::confirm);
                    }
                  });
    }
  }

  private static void confirm(Late late) {
    Invocation<?> invocation = late.invocation();
    if (invocation.pendingResponseReceivedMillis == late.answeredMillis()) {
      // Who counts the last one answers: this, or a backup that does so now.
      int missing = invocation.backupsAcksExpected - invocation.backupsAcksReceived;
      for (int i = 0; i < missing; i++) {
        invocation.notifyBackupComplete();
      }
    }
  }

  private static boolean isLate(Invocation<?> invocation, long answered, long millis) {
    return invocation.backupsAcksExpected > invocation.backupsAcksReceived
        && answered >= 0
        && answered + millis < currentTimeMillis();
  }
}
