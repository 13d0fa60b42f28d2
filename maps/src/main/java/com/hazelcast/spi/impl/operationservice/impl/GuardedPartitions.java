package com.hazelcast.spi.impl.operationservice.impl;

import com.hazelcast.client.impl.protocol.task.MessageTask;
import com.hazelcast.internal.partition.MigrationCycleOperation;
import com.hazelcast.internal.partition.operation.MigrationOperation;
import com.hazelcast.internal.partition.operation.PartitionBackupReplicaAntiEntropyOperation;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationexecutor.OperationRunner;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl;
import com.hazelcast.spi.impl.operationservice.BackupOperation;
import com.hazelcast.spi.impl.operationservice.CallStatus;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.operations.Backup;
import com.hazelcast.spi.impl.operationservice.impl.responses.NormalResponse;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Has whatever runs on a partition's thread for the partition run within a guard, so that another
 * thread which holds the guard has the partition for itself meanwhile. Lives in Hazelcast's package
 * because the runners' constructor is package-private.
 */
public final class GuardedPartitions {
  private static final ClassValue<Boolean> ON_DATA =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return !type.getPackageName().startsWith(PARTITIONS_PACKAGE)
              && !Backup.class.isAssignableFrom(type)
              && !BackupOperation.class.isAssignableFrom(type)
              && !MigrationCycleOperation.class.isAssignableFrom(type);
        }
      };

  private static final String PARTITIONS_PACKAGE = "com.hazelcast.internal.partition";

  private GuardedPartitions() {}

  /**
   * Returns whether an operation reads or writes a partition's data for a caller. Operations that
   * move partitions, make backups or compare them do not.
   */
  public static boolean isOnData(Operation operation) {
    return operation.getPartitionId() >= 0 && ON_DATA.get(operation.getClass());
  }

  /** The guard under which a partition is used. Reentrant. */
  public interface Guard {
    /** Begins to use the partition; waits until nobody else does. */
    void enter();

    /**
     * Begins to use the partition if nobody else does.
     *
     * @return whether it could; then {@link #exit} has to follow
     */
    boolean tryEnter();

    /** Ends what {@link #enter} or {@link #tryEnter} began. */
    void exit();

    /**
     * Asked before an operation is carried out. By who uses the partition.
     *
     * @throws RuntimeException if it must not be: the answer
     */
    void admit(Operation operation);

    /**
     * Called with the exception that an operation threw. The caller holds the guard.
     *
     * @return the exception to answer with: the same, unless part of the operation was carried out
     */
    Exception failed(Operation operation, Exception failure);

    /**
     * Called with the exception that a backup operation threw: this backup does not have what its
     * owner sent. The caller holds the guard.
     */
    void missed(Operation backup, Exception failure);

    /**
     * Asked before an operation begins, unless another is in the middle of its run. By who uses the
     * partition.
     *
     * @param resumer has it run later, or ends it
     * @return whether it is for the resumer now, and not to be run
     */
    boolean defers(Operation operation, Resumer resumer);

    /** The partition's owner has found that the backup here has what it has. By who uses it. */
    void markCurrent();

    /**
     * An operation is carried out from now on, or what was carried out before it. By who uses the
     * partition.
     *
     * @param next null if that is no operation
     * @return what was carried out until now
     */
    @Nullable Operation begin(@Nullable Operation next);

    /**
     * Begins something that is answered on its own. By who uses the partition.
     *
     * @return to be given to {@link #endHolding}
     */
    long beginHolding();

    /**
     * Returns the position up to which a log has to be certain before the answer; 0 if it need not
     * be.
     */
    long held();

    /**
     * Returns the last position in the log that was written since {@link #beginHolding}; 0 if
     * nothing was.
     */
    long appended();

    /** Returns the last position in the log that was ever written; 0 if nothing was. */
    long lastAppended();

    /**
     * Returns the writes since the last call that an external store must have before the answer;
     * null if there are none. They are to be sent.
     */
    @Nullable Awaited takeAwaited();

    /** Resumes what was under way before {@link #beginHolding}. */
    void endHolding(long before);

    /**
     * Returns whether the member still has its lease, and so may answer for what it has just
     * carried out. Asked before each answer.
     */
    boolean mayAnswer();
  }

  /** An operation whose answer can say of each of its parts whether it is in doubt. */
  public interface Doubtful {
    /**
     * The answer, now that it will not be known whether what the operation changed survives. By any
     * thread, also where the operation was only sent from.
     *
     * @param answer that was to be given
     * @param why for the client
     */
    Object inDoubt(Object answer, String why);

    /**
     * The answer, now that the member has lost its lease: it neither knows whether what the
     * operation changed survives, nor whether what it read was current.
     *
     * @param answer that was to be given
     */
    Object lapsed(Object answer);

    /**
     * The answer, now that an external store has not taken some of the writes, which were undone.
     *
     * @param answer that was to be given
     * @param failures the reasons, by key
     */
    Object refused(Object answer, Map<Data, RuntimeException> failures);
  }

  /** Writes that an external store must have before an operation is answered. */
  public interface Awaited {
    /**
     * Sends them.
     *
     * @param whenWritten called once, by any thread, with the reasons why keys were not written;
     *     none if all were
     */
    void send(Consumer<Map<Data, RuntimeException>> whenWritten);
  }

  /** Runs or ends operations that were deferred. */
  public interface Resumer {
    /** One is run later, or ended: until then its caller is told that it is under way. */
    void defer(Operation operation);

    /** Runs one. By who uses the partition, in a {@link Resumption}. */
    void resume(Operation operation);

    /** One will not be run: its caller is told so. By any thread. */
    void refuse(Operation operation, RuntimeException why);
  }

  /** Has operations of its partition run that were deferred. */
  public interface Resumption extends PartitionSpecificRunnable {
    /** The one that the others wait behind. */
    Operation operation();
  }

  /** Tells when a log is certain. */
  @FunctionalInterface
  public interface Certainty {
    /**
     * Has something done when the log is certain up to a position, or will never be: by any thread,
     * at once if it is.
     *
     * @param failed done in its place if it will never be known
     */
    void whenCertain(int partition, long position, Runnable task, Consumer<Exception> failed);
  }

  /**
   * Puts guarded runners in the place of Hazelcast's. To be called before the threads start.
   *
   * @param guards gives the guard of each partition
   * @param certainty asked for what a guard holds
   */
  public static void install(
      NodeEngine nodeEngine, IntFunction<Guard> guards, Certainty certainty) {
    OperationServiceImpl service = (OperationServiceImpl) nodeEngine.getOperationService();
    OperationExecutorImpl executor = (OperationExecutorImpl) service.getOperationExecutor();
    OperationRunner[] runners = executor.getPartitionOperationRunners();
    Thread[] threads = executor.getPartitionThreads();
    for (int partition = 0; partition < runners.length; partition++) {
      if (runners[partition].getClass() != OperationRunnerImpl.class) {
        throw new IllegalStateException(
            "another kind of operation runner than is known: " + runners[partition].getClass());
      }
      Runner runner = new Runner(service, partition, guards.apply(partition), certainty);
      runner.setCurrentThread(threads[partition % threads.length]);
      runners[partition] = runner;
    }
  }

  private static Object inDoubt(Operation operation, @Nullable Object response, Exception failure) {
    return operation instanceof Doubtful doubtful && response != null
        ? doubtful.inDoubt(response, String.valueOf(failure.getMessage()))
        : failure;
  }

  private static final class Runner extends OperationRunnerImpl implements Resumer {
    private final OperationServiceImpl service;
    private final int partition;
    private final Guard guard;
    private final Certainty certainty;

    /**
     * The number of operations in the middle of their run that may wait for what they have run.
     * Used by the holder of the partition.
     */
    private int running;

    Runner(OperationServiceImpl service, int partition, Guard guard, Certainty certainty) {
      super(service, partition, 0, service.failedBackupsCount, service.getOpLatencyDistributions());
      this.service = service;
      this.partition = partition;
      this.guard = guard;
      this.certainty = certainty;
    }

    /**
     * A client's message sends its operation and ends; whatever else is run may wait for what it
     * sends.
     */
    @Override
    public void run(Runnable task) {
      guard.enter();
      try {
        if (task instanceof Resumption) {
          task.run(); // its operations are what is run
        } else if (task instanceof MessageTask) {
          super.run(task);
        } else {
          running++;
          try {
            super.run(task);
          } finally {
            running--;
          }
        }
      } finally {
        guard.exit();
      }
    }

    /** A packet comes here too, after it has become an operation. */
    @Override
    protected void run(Operation operation, long startNanos) {
      guard.enter();
      try {
        if (running > 0 || !guard.defers(operation, this)) {
          runNow(operation, startNanos);
        }
      } finally {
        guard.exit();
      }
    }

    private void runNow(Operation operation, long startNanos) {
      if (isOver(operation)) {
        return;
      }
      long before = guard.beginHolding();
      Operation outer = guard.begin(operation);
      running++;
      try {
        super.run(operation, startNanos);
      } finally {
        running--;
        Awaited unanswered = guard.takeAwaited(); // it has failed, and is answered
        if (unanswered != null) {
          unanswered.send(failures -> {});
        }
        Operation _ = guard.begin(outer);
        guard.endHolding(before);
      }
    }

    /**
     * Returns whether the caller of an operation on this member has been answered already.
     * Hazelcast may retry a call for two reasons at once, and so run it twice here. Once answered,
     * the caller may have written the same key again, and its first write must not be applied after
     * that.
     */
    private static boolean isOver(Operation operation) {
      if (!(operation.getOperationResponseHandler() instanceof Invocation<?> invocation)
          || !invocation.future.isDone()
          || invocation.future.isCancelled()) {
        return false;
      }
      invocation.complete(null); // the future keeps its answer; the second registration ends
      return true;
    }

    /** The caller is told that the operation is under way. */
    @Override
    public void defer(Operation operation) {
      boolean _ = service.asyncOperations.add(operation);
    }

    @Override
    public void resume(Operation operation) {
      boolean _ = service.asyncOperations.remove(operation);
      runNow(operation, System.nanoTime());
    }

    @Override
    public void refuse(Operation operation, RuntimeException why) {
      boolean _ = service.asyncOperations.remove(operation);
      answer(operation, why);
    }

    /** An answer that cannot be given concerns who asked, and not the thread that gives it. */
    private static void answer(Operation operation, @Nullable Object response) {
      try {
        operation.sendResponse(response);
      } catch (RuntimeException e) {
        operation.logError(e);
      }
    }

    /** A backup's answer is sent after it has run. */
    @Override
    void call(Operation operation) throws Exception {
      if (!(operation instanceof Backup)) {
        guard.admit(operation);
        try {
          super.call(operation);
        } catch (Exception e) {
          throw guard.failed(operation, e);
        }
        if (operation instanceof PartitionBackupReplicaAntiEntropyOperation
            && Boolean.TRUE.equals(operation.getResponse())) {
          guard.markCurrent();
        }
        return;
      }
      try {
        CallStatus _ = operation.call();
      } catch (Exception e) {
        guard.missed(operation, e);
        throw e;
      }
      long held = guard.held();
      if (held == 0) {
        operation.afterRun();
      } else {
        certainty.whenCertain(partition, held, () -> afterRun(operation), failure -> {});
      }
    }

    private static void afterRun(Operation backup) {
      try {
        backup.afterRun();
      } catch (Exception e) {
        backup.logError(e);
      }
    }

    @Override
    public void sendBackupsAndResponse(Operation operation) {
      long held =
          switch (operation) {
            // Who has sent a partition here gives it up when he is answered.
            case MigrationOperation _ -> guard.appended();
            // Who hears that the backup here has all may answer for it.
            case PartitionBackupReplicaAntiEntropyOperation _ -> guard.lastAppended();
            default -> guard.held();
          };
      if (!guard.mayAnswer() && isOnData(operation)) {
        int _ = getBackupHandler().sendBackups(operation);
        answer(operation, PendingInvocations.lapsed(operation, operation.getResponse()));
        return;
      }
      Awaited awaited = guard.takeAwaited();
      if (held == 0 && awaited == null) {
        super.sendBackupsAndResponse(operation);
        return;
      }
      if (awaited == null) {
        int backupAcks = getBackupHandler().sendBackups(operation);
        whenCertain(operation, held, operation.getResponse(), backupAcks);
        return;
      }
      sendAwaited(operation, held, awaited);
    }

    private void sendAwaited(Operation operation, long held, Awaited awaited) {
      boolean sent = false;
      try {
        int backupAcks = getBackupHandler().sendBackups(operation);
        Object response = operation.getResponse();
        sent = true;
        awaited.send(
            failures ->
                whenCertain(
                    operation,
                    held,
                    failures.isEmpty() ? response : refused(operation, response, failures),
                    backupAcks));
      } finally {
        if (!sent) {
          awaited.send(failures -> {});
        }
      }
    }

    private void whenCertain(
        Operation operation, long held, @Nullable Object response, int backupAcks) {
      Object answer =
          backupAcks > 0 && !(response instanceof Throwable)
              ? new NormalResponse(
                  response, operation.getCallId(), backupAcks, operation.isUrgent())
              : response;
      if (held == 0) {
        answerIfLeased(operation, answer, response);
        return;
      }
      certainty.whenCertain(
          partition,
          held,
          () -> answerIfLeased(operation, answer, response),
          failure -> answer(operation, inDoubt(operation, response, failure)));
    }

    private void answerIfLeased(
        Operation operation, @Nullable Object answer, @Nullable Object response) {
      answer(
          operation,
          guard.mayAnswer() || !isOnData(operation)
              ? answer
              : PendingInvocations.lapsed(operation, response));
    }

    private static Object refused(
        Operation operation, @Nullable Object response, Map<Data, RuntimeException> failures) {
      return operation instanceof Doubtful doubtful && response != null
          ? doubtful.refused(response, failures)
          : failures.values().iterator().next();
    }
  }
}
