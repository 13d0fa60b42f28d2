package io.keyvalueserve.engine.query;

import java.io.Serial;

/** A query that failed. The message may be shown to a client. */
public final class QueryException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** The reason for a failure. */
  public enum Kind {
    /** A value cannot be what its column says, or what the statement makes of it. */
    BAD_VALUE,
    /** A name is not there, or is there already. */
    BAD_NAME,
    /** The tenant may not do this. */
    REFUSED,
    /** The tenant has used up a quota, or the memory for its queries. */
    QUOTA,
    /** Too much is asked now; the same query may succeed later. */
    THROTTLED,
    /** Somebody ended the query, or its time was over. */
    CANCELLED,
    /** The table cannot do this. */
    UNSUPPORTED,
    /** Entries cannot be reached now; the same query may succeed later. */
    UNAVAILABLE,
    /** A write may or may not have taken effect. */
    IN_DOUBT,
    /** A defect. */
    INTERNAL
  }

  private final Kind kind;

  /**
   * @param message may be shown to a client
   */
  public QueryException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /**
   * @param message may be shown to a client
   * @param cause for the log alone
   */
  public QueryException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns why the query failed. */
  public Kind kind() {
    return kind;
  }
}
