package io.keyvalueserve.server;

import org.jspecify.annotations.Nullable;

/** The server cannot start. The message says why and what to do; it is for the operator. */
public final class StartException extends RuntimeException {
  StartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
