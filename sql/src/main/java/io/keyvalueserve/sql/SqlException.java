package io.keyvalueserve.sql;

import java.io.Serial;

/** A statement that failed. The message may be shown to a client. */
public final class SqlException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final String state;
  private final int position;
  private final String hint;

  /**
   * @param state five characters of SQLSTATE, as PostgreSQL has them
   * @param message may be shown to a client
   * @param position the first wrong character of the statement, from 1; 0 if there is none
   * @param hint what to do about it; may be empty
   */
  public SqlException(String state, String message, int position, String hint) {
    super(message);
    this.state = state;
    this.position = position;
    this.hint = hint;
  }

  /** Returns the SQLSTATE, as {@code 42601} for a syntax error. */
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
}
