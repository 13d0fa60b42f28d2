package io.keyvalueserve.maps;

/** A record is in the member's log, but cannot be read. */
public final class LogUnreadableException extends RefusedException {
  private static final long serialVersionUID = 1;

  /**
   * A refusal.
   *
   * @param message says which file, where in it, and why
   */
  public LogUnreadableException(String message) {
    super(message);
  }
}
