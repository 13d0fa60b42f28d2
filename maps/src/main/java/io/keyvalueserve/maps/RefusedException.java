package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.spi.exception.SilentException;

/**
 * An operation was refused for the state that the member is in, and nothing was changed. A client
 * is told of it as a plain {@link HazelcastException}. Without a stack trace, as a member in such a
 * state may throw many.
 */
public abstract sealed class RefusedException extends HazelcastException implements SilentException
    permits ExternalStoreException,
        LoadingException,
        LogRefusedException,
        LogUnreadableException,
        NativeMemoryFullException,
        PartitionLostException,
        QuotaUsedException,
        SpillUnreadableException {
  private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message);
  }

  /** Returns whether a class, given by its name, is one of these exceptions. */
  public static boolean isOne(String className) {
    for (Class<?> each : RefusedException.class.getPermittedSubclasses()) {
      if (each.getName().equals(className)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
