package io.keyvalueserve.maps.readable;

import com.hazelcast.nio.serialization.HazelcastSerializationException;

/** Thrown if bytes of a tenant are not to be made into an object. The message says why. */
public final class UnreadableException extends HazelcastSerializationException {
  private static final long serialVersionUID = 1;

  /** Says why. */
  public UnreadableException(String message) {
    super(message);
  }
}
