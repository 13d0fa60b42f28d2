package com.hazelcast.spi.impl.operationservice.impl;

import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationexecutor.OperationRunner;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.util.function.IntFunction;

/**
 * Has whatever runs on a partition's thread for the partition run within a guard, so that another
 * thread which holds the guard has the partition for itself meanwhile. Lives in Hazelcast's package
 * because the runners' constructor is package-private.
 */
public final class GuardedPartitions {
  private GuardedPartitions() {}

  /** What a partition is used under. Reentrant. */
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
  }

  /**
   * Puts guarded runners in the place of Hazelcast's. To be called before the threads start.
   *
   * @param guards gives the guard of each partition
   */
  public static void install(NodeEngine nodeEngine, IntFunction<Guard> guards) {
    OperationServiceImpl service = (OperationServiceImpl) nodeEngine.getOperationService();
    OperationExecutorImpl executor = (OperationExecutorImpl) service.getOperationExecutor();
    OperationRunner[] runners = executor.getPartitionOperationRunners();
    Thread[] threads = executor.getPartitionThreads();
    for (int partition = 0; partition < runners.length; partition++) {
      if (runners[partition].getClass() != OperationRunnerImpl.class) {
        throw new IllegalStateException(
            "another kind of operation runner than is known: " + runners[partition].getClass());
      }
      Runner runner = new Runner(service, partition, guards.apply(partition));
      runner.setCurrentThread(threads[partition % threads.length]);
      runners[partition] = runner;
    }
  }

  private static final class Runner extends OperationRunnerImpl {
    private final Guard guard;

    Runner(OperationServiceImpl service, int partition, Guard guard) {
      super(service, partition, 0, service.failedBackupsCount, service.getOpLatencyDistributions());
      this.guard = guard;
    }

    @Override
    public void run(Runnable task) {
      guard.enter();
      try {
        super.run(task);
      } finally {
        guard.exit();
      }
    }

    /** A packet comes here too, after it has become an operation. */
    @Override
    protected void run(Operation operation, long startNanos) {
      guard.enter();
      try {
        super.run(operation, startNanos);
      } finally {
        guard.exit();
      }
    }
  }
}
