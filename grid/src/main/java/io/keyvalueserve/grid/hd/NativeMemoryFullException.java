package io.keyvalueserve.grid.hd;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.spi.exception.SilentException;

/**
 * The member's memory is full, and nothing may be evicted to make room: the write was not carried
 * out, and nothing was changed. Belongs to the operation that wrote; a client is told of it as a
 * plain {@link HazelcastException}. Without a stack trace, as a full member may throw many.
 */
public final class NativeMemoryFullException extends HazelcastException implements SilentException {
  private static final long serialVersionUID = 1;

  NativeMemoryFullException(String message) {
    super(message);
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
