package io.keyvalueserve.grid;

/** A member could not start. The message says why and what to do; it is for the operator. */
public final class GridStartException extends RuntimeException {
  public GridStartException(String message) {
    super(message);
  }

  public GridStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
