package io.keyvalueserve.stores;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A database that did not do what it was asked to. The message is for a person: it has at most 300
 * characters, no passwords and no values of rows; there is no cause, for drivers' exceptions have.
 */
public final class StoreException extends RuntimeException {
  private static final int LONGEST = 300;

  /** The kinds of failures, by what can be done about them. */
  public enum Kind {
    /** Try again later: the database is away, busy or too slow. */
    UNAVAILABLE,
    /** Give this data up: the database will never take it. */
    REFUSED,
    /** Mend the settings: a table, a column or a right is missing, or the password is wrong. */
    MISCONFIGURED
  }

  private final Kind kind;
  private final @Nullable String sqlState;

  StoreException(Kind kind, String message, @Nullable String sqlState) {
    super(bounded(message), null, false, true);
    this.kind = requireNonNull(kind, "kind");
    this.sqlState = sqlState;
  }

  static StoreException misconfigured(String message) {
    return new StoreException(Kind.MISCONFIGURED, message, null);
  }

  /** Returns what to do about it. */
  public Kind kind() {
    return kind;
  }

  /** Returns the five characters of the SQLSTATE; null if no database said it. */
  public @Nullable String sqlState() {
    return sqlState;
  }

  private static String bounded(String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST - 1) + "…";
  }
}
