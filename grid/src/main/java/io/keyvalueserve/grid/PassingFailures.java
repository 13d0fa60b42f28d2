package io.keyvalueserve.grid;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.spi.exception.RetryableException;
import org.jspecify.annotations.Nullable;

/** Tells failures of the cluster that pass by themselves. Stateless. */
public final class PassingFailures {
  private PassingFailures() {}

  /**
   * Returns whether a failure, or what caused it, is one that comes from a member that was lost, or
   * from a majority that was not reached.
   */
  public static boolean has(@Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof RetryableException
          || each instanceof IndeterminateOperationStateException
          || each instanceof OperationTimeoutException) {
        return true;
      }
    }
    return false;
  }
}
