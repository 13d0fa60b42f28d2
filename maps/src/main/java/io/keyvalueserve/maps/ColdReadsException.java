package io.keyvalueserve.maps;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.SilentException;

/**
 * So many values of a tenant are being read from the disk that no more may wait: nothing was done,
 * and Hazelcast sends the operation again by itself. Without a stack trace, as there may be many.
 */
public final class ColdReadsException extends RetryableHazelcastException
    implements SilentException {
  private static final long serialVersionUID = 1;

  ColdReadsException() {
    super("too many values of the tenant wait to be read from the disk: try again");
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
