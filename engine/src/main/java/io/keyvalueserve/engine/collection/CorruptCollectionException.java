package io.keyvalueserve.engine.collection;

import java.io.Serial;

/** The bytes of a packed collection are none: damaged, or made up by somebody. */
public final class CorruptCollectionException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * @param message what does not fit, without any of the bytes
   */
  public CorruptCollectionException(String message) {
    super(message, null, false, false);
  }
}
