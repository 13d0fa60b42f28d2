package io.keyvalueserve.engine.rdb;

/** Says that a value is in the format, or may be, and is not taken nevertheless. */
public final class RdbRefusedException extends RdbException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message why, and what can be done, for the client
   */
  RdbRefusedException(String message) {
    super(message);
  }
}
