package io.keyvalueserve.postgres.wire;

import java.io.Serial;

/** An error that a client is told of. */
public class PostgresException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String state;
  private final int position;
  private final String hint;

  /**
   * @param state five characters of SQLSTATE
   * @param message may be shown to a client
   */
  public PostgresException(String state, String message) {
    this(state, message, 0, "");
  }

  /**
   * @param state five characters of SQLSTATE
   * @param message may be shown to a client
   * @param position the first wrong character of the statement, from 1; 0 if there is none
   * @param hint what to do about it; may be empty
   */
  public PostgresException(String state, String message, int position, String hint) {
    super(message, null, false, false);
    this.state = state;
    this.position = position;
    this.hint = hint;
  }

  /** Returns the SQLSTATE. */
  public String state() {
    return state;
  }

  /** Returns the first wrong character of the statement, from 1; 0 if there is none. */
  public int position() {
    return position;
  }

  /** Returns what to do about it; may be empty. */
  public String hint() {
    return hint;
  }

  /** Returns the message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
