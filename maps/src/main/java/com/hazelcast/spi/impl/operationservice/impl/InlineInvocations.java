package com.hazelcast.spi.impl.operationservice.impl;

import com.hazelcast.internal.nio.Packet;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationexecutor.OperationExecutor;
import com.hazelcast.spi.impl.operationexecutor.OperationRunner;
import com.hazelcast.spi.impl.operationexecutor.impl.PartitionOperationThread;
import com.hazelcast.spi.impl.operationexecutor.impl.RunningOperations;
import com.hazelcast.spi.impl.operationservice.LiveOperations;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionTaskFactory;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions.Guard;
import java.util.BitSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Has an operation on a partition of this member run on the thread that invokes it, if nobody uses
 * the partition at this moment: all else is as with any invocation, its backups, its retries and
 * its answer. Saves the way to the partition's thread and back. Lives in Hazelcast's package
 * because an invocation's context is package-private.
 */
public final class InlineInvocations {
  private InlineInvocations() {}

  /**
   * Lets invocations of this member run inline from now on. To be called after the member has
   * started; threads that already wait for the answer of an operation are not affected.
   *
   * @param guards gives the guard of each partition, as {@link GuardedPartitions#install} was given
   * @param mayRun whether an operation never blocks, takes little time, and may overtake what waits
   *     in the partition's queue; asked on the invoking thread
   */
  public static void install(
      NodeEngine nodeEngine, IntFunction<Guard> guards, Predicate<Operation> mayRun) {
    OperationServiceImpl service = (OperationServiceImpl) nodeEngine.getOperationService();
    Invocation.Context context = service.getInvocationContext();
    service.invocationContext =
        new Invocation.Context(
            context.asyncExecutor,
            context.clusterClock,
            context.clusterService,
            context.server,
            context.executionService,
            context.defaultCallTimeoutMillis,
            context.invocationRegistry,
            context.invocationMonitor,
            context.logger,
            context.node,
            context.nodeEngine,
            context.partitionService,
            context.operationService,
            new Executor(context.operationExecutor, guards, mayRun),
            context.retryCount,
            context.callTimeoutCount,
            context.serializationService,
            context.thisAddress,
            context.outboundOperationHandler,
            context.defaultServerConnectionManager);
  }

  private static final class Executor implements OperationExecutor {
    private final OperationExecutor executor;
    private final IntFunction<Guard> guards;
    private final Predicate<Operation> mayRun;

    Executor(OperationExecutor executor, IntFunction<Guard> guards, Predicate<Operation> mayRun) {
      this.executor = executor;
      this.guards = guards;
      this.mayRun = mayRun;
    }

    /** A partition's thread keeps to its own partitions. */
    @Override
    public void execute(Operation operation) {
      int partition = operation.getPartitionId();
      if (partition < 0
          || Thread.currentThread() instanceof PartitionOperationThread
          || !mayRun.test(operation)) {
        executor.execute(operation);
        return;
      }
      Guard guard = guards.apply(partition);
      if (!guard.tryEnter()) {
        executor.execute(operation);
        return;
      }
      try {
        executor.getPartitionOperationRunners()[partition].run(operation);
      } finally {
        guard.exit();
      }
    }

    @Override
    public void runOrExecute(Operation operation) {
      if (operation.getPartitionId() < 0) {
        RunningOperations.runOrExecute(executor, operation);
      } else {
        executor.runOrExecute(operation);
      }
    }

    @Override
    public int getRunningOperationCount() {
      return executor.getRunningOperationCount();
    }

    @Override
    public int getQueueSize() {
      return executor.getQueueSize();
    }

    @Override
    public int getPriorityQueueSize() {
      return executor.getPriorityQueueSize();
    }

    @Override
    public long getExecutedOperationCount() {
      return executor.getExecutedOperationCount();
    }

    @Override
    public int getPartitionThreadCount() {
      return executor.getPartitionThreadCount();
    }

    @Override
    public int getGenericThreadCount() {
      return executor.getGenericThreadCount();
    }

    @Override
    public OperationRunner[] getPartitionOperationRunners() {
      return executor.getPartitionOperationRunners();
    }

    @Override
    public OperationRunner[] getGenericOperationRunners() {
      return executor.getGenericOperationRunners();
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hazelcast's own
    public void executeOnPartitions(PartitionTaskFactory taskFactory, BitSet partitions) {
      executor.executeOnPartitions(taskFactory, partitions);
    }

    @Override
    public void execute(PartitionSpecificRunnable task) {
      executor.execute(task);
    }

    @Override
    public void executeOnPartitionThreads(Runnable task) {
      executor.executeOnPartitionThreads(task);
    }

    @Override
    public void run(Operation operation) {
      executor.run(operation);
    }

    @Override
    public boolean isRunAllowed(Operation operation) {
      return executor.isRunAllowed(operation);
    }

    @Override
    public boolean isInvocationAllowed(Operation operation, boolean isAsync) {
      return executor.isInvocationAllowed(operation, isAsync);
    }

    @Override
    public int getPartitionThreadId(int partitionId) {
      return executor.getPartitionThreadId(partitionId);
    }

    @Override
    public int toPartitionThreadIndex(int partitionId) {
      return executor.toPartitionThreadIndex(partitionId);
    }

    @Override
    public void start() {
      executor.start();
    }

    @Override
    public void shutdown() {
      executor.shutdown();
    }

    @Override
    public void accept(Packet packet) {
      executor.accept(packet);
    }

    @Override
    public void populate(LiveOperations liveOperations) {
      executor.populate(liveOperations);
    }

    @Override
    public String toString() {
      return "inline " + executor;
    }
  }
}
