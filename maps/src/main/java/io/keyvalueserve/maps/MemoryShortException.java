package io.keyvalueserve.maps;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.SilentException;

/**
 * Memory is short and is being made free: nothing was changed by the write that met it, and
 * Hazelcast sends its operation again by itself. Without a stack trace, as there may be many.
 */
public final class MemoryShortException extends RetryableHazelcastException
    implements SilentException {
  private static final long serialVersionUID = 1;

  MemoryShortException() {
    super("memory is being made free for the write: try again");
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
