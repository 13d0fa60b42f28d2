package com.hazelcast.spi.impl.operationexecutor.impl;

import com.hazelcast.internal.util.ThreadAffinity;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationexecutor.OperationRunner;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import io.keyvalueserve.grid.turn.TurnQueue;
import java.util.function.Supplier;

/**
 * Gives partition threads queues of ours: each thread is replaced, before it starts, by one that is
 * the same but for its queue. Lives in Hazelcast's package because a thread's queue and its runners
 * are package-private.
 */
public final class PartitionQueues {
  private PartitionQueues() {}

  /**
   * Replaces the threads of a member. To be called before they start, and before anybody keeps one
   * of them.
   *
   * @param queues makes a queue for each
   * @throws IllegalStateException if the threads are of another kind than is known, or have started
   */
  public static void install(NodeEngine nodeEngine, Supplier<TurnQueue> queues) {
    OperationServiceImpl service = (OperationServiceImpl) nodeEngine.getOperationService();
    OperationExecutorImpl executor = (OperationExecutorImpl) service.getOperationExecutor();
    PartitionOperationThread[] threads = executor.getPartitionThreads();
    // One for all: it gives each thread that asks the next processors.
    ThreadAffinity affinity =
        ThreadAffinity.newSystemThreadAffinity("hazelcast.operation.thread.affinity");
    for (int i = 0; i < threads.length; i++) {
      threads[i] = replaced(threads[i], (NodeEngineImpl) nodeEngine, queues.get());
      threads[i].setThreadAffinity(affinity);
    }
    OperationRunner[] runners = executor.getPartitionOperationRunners();
    for (int partition = 0; partition < runners.length; partition++) {
      runners[partition].setCurrentThread(threads[executor.toPartitionThreadIndex(partition)]);
    }
  }

  private static PartitionOperationThread replaced(
      PartitionOperationThread thread, NodeEngineImpl nodeEngine, TurnQueue queue) {
    if (thread.getClass() != PartitionOperationThread.class
        || thread.queue.getClass() != OperationQueueImpl.class
        || thread.getState() != Thread.State.NEW) {
      throw new IllegalStateException(
          "another kind of partition thread than is known: "
              + thread.getClass()
              + " "
              + thread.getState());
    }
    PartitionOperationThread replacement =
        new PartitionOperationThread(
            thread.getName(),
            thread.threadId,
            queue,
            nodeEngine.getLogger(OperationExecutorImpl.class),
            nodeEngine.getNode().getNodeExtension(),
            thread.partitionOperationRunners,
            thread.getContextClassLoader());
    queue.takenBy(replacement);
    for (Object task = thread.queue.poll(); task != null; task = thread.queue.poll()) {
      queue.add(task, false);
    }
    return replacement;
  }
}
