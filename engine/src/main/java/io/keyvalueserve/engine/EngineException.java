package io.keyvalueserve.engine;

/** The engine could not do what it was asked. The message may be shown to a client. */
public final class EngineException extends RuntimeException {
  private final Outcome.Failure failure;

  /** Without a stack trace when it is an expected outcome; the cause, if any, is for the log. */
  public EngineException(Outcome.Failure failure) {
    super(failure.message(), null, false, false);
    this.failure = failure;
  }

  /** Returns the failure. */
  public Outcome.Failure failure() {
    return failure;
  }
}
