package io.keyvalueserve.grid.restart;

import org.jspecify.annotations.Nullable;

/** A member cannot come back with the data it had: the message says why and what to do. */
public final class RestartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RestartException(String message) {
    super(message);
  }

  RestartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
