package io.keyvalueserve.billing.ledger;

/** A ledger that was changed after it was written. The message says where. */
public final class BrokenLedgerException extends Exception {
  private final transient Difference difference;

  BrokenLedgerException(Difference difference) {
    super(difference.text());
    this.difference = difference;
  }

  /** The first thing that is the matter. */
  public Difference difference() {
    return difference;
  }
}
