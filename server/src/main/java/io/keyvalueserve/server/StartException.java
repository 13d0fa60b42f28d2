package io.keyvalueserve.server;

import org.jspecify.annotations.Nullable;

/** The server cannot start. The message says why and what to do; it is for the operator. */
public final class StartException extends RuntimeException {
  private final boolean passes;

  StartException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private StartException(String message, @Nullable Throwable cause, boolean passes) {
    super(message, cause);
    this.passes = passes;
  }

  /** The cluster changed while the server started; the next time it may not. */
  static StartException passing(Throwable cause) {
    return new StartException("the cluster changed meanwhile: " + cause.getMessage(), cause, true);
  }

  /** Returns whether it is worth trying again. */
  public boolean passes() {
    return passes;
  }
}
