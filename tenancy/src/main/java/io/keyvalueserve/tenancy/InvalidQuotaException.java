package io.keyvalueserve.tenancy;

/** A limit that cannot be set so. The message names it and what it can be. */
public final class InvalidQuotaException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final Limit limit;

  InvalidQuotaException(Limit limit, String message) {
    super(message);
    this.limit = limit;
  }

  /** Returns the limit that is invalid. */
  public Limit limit() {
    return limit;
  }
}
