package io.keyvalueserve.maps;

import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.exception.SilentException;

/**
 * Thrown when so many values of a tenant are being read from the disk that no more may wait.
 * Nothing was done, and Hazelcast retries the operation by itself. Has no stack trace, because it
 * may be thrown often.
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
