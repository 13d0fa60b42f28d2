package io.keyvalueserve.tenancy.audit;

/** A line of an audit trail that cannot be read. The message says what is the matter with it. */
public final class DamagedLineException extends Exception {
  private final String reason;

  DamagedLineException(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  /** Returns the fault of the line. */
  public String reason() {
    return reason;
  }
}
