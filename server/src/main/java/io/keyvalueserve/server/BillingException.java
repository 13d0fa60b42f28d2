package io.keyvalueserve.server;

import org.jspecify.annotations.Nullable;

/** A bill or a ledger cannot be had as it was asked for. The message says why and what to do. */
public final class BillingException extends RuntimeException {
  /** The kind of problem. */
  public enum Kind {
    /** Something was used when no rate card holds. */
    NO_RATE_CARD,
    /** A stored ledger is not what was written. */
    BROKEN_LEDGER
  }

  private final Kind kind;

  BillingException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of problem. */
  public Kind kind() {
    return kind;
  }
}
