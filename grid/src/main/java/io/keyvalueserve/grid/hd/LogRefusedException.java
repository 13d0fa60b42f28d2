package io.keyvalueserve.grid.hd;

/** The member's log takes no write. */
public final class LogRefusedException extends RefusedException {
  private static final long serialVersionUID = 1;

  /**
   * A refusal.
   *
   * @param message says why and what to do
   */
  public LogRefusedException(String message) {
    super(message);
  }
}
