package io.keyvalueserve.sql.failure;

import java.io.Serial;

/** A statement that fails. The message may be shown to a client. */
public final class SqlFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String state;
  private final int position;
  private final String hint;

  /**
   * @param state one of {@link SqlState}
   * @param position the first wrong character of the statement, from 1; 0 if there is none
   * @param hint what to do about it; may be empty
   */
  public SqlFailure(String state, String message, int position, String hint) {
    super(message, null, false, false);
    this.state = state;
    this.position = position;
    this.hint = hint;
  }

  /** Creates a failure that no place of the text is to blame for. */
  public SqlFailure(String state, String message) {
    this(state, message, 0, "");
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
}
