package com.hazelcast.spi.impl.operationexecutor.impl;

import com.hazelcast.spi.impl.operationexecutor.OperationExecutor;
import com.hazelcast.spi.impl.operationexecutor.OperationRunner;
import com.hazelcast.spi.impl.operationservice.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Knows which operation each thread runs. Lives in Hazelcast's package because the runner that an
 * operation thread uses is package-private.
 */
public final class RunningOperations {
  /** The operations of threads that run what they invoke themselves. */
  private static final ThreadLocal<@Nullable Operation> INVOKED = new ThreadLocal<>();

  private RunningOperations() {}

  /**
   * Has an executor run or take an operation that is not on a partition, known as {@link #here}.
   */
  public static void runOrExecute(OperationExecutor executor, Operation operation) {
    Operation before = INVOKED.get();
    INVOKED.set(operation);
    try {
      executor.runOrExecute(operation);
    } finally {
      INVOKED.set(before);
    }
  }

  /** The operation that the calling thread runs, as far as it is known. */
  public static @Nullable Operation here() {
    Operation invoked = INVOKED.get();
    if (invoked != null || !(Thread.currentThread() instanceof OperationThread thread)) {
      return invoked;
    }
    OperationRunner runner = thread.currentRunner;
    return runner != null && runner.currentTask() instanceof Operation operation ? operation : null;
  }
}
