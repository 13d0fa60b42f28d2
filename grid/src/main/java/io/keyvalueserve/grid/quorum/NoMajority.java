package io.keyvalueserve.grid.quorum;

import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.spi.exception.RetryableException;
import org.jspecify.annotations.Nullable;

/** Tells what became of a request that failed as its member could not reach a majority. */
public enum NoMajority {
  /** Nothing was done, or only read; it may be tried again. */
  NOTHING_DONE,
  /** It may or may not have taken effect. */
  IN_DOUBT;

  private static final int MOST_CAUSES = 8;

  /** Returns what became of the request that failed so; null if another thing went wrong. */
  public static @Nullable NoMajority of(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      if (cause instanceof IndeterminateOperationStateException) {
        return IN_DOUBT;
      }
      if (cause instanceof RetryableException) {
        return NOTHING_DONE;
      }
      cause = cause.getCause();
    }
    return null;
  }
}
