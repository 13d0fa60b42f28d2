package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.PostgresException;

/**
 * The state of a transaction as its client sees it. Statements take effect one by one, whatever it
 * is; after one has failed, the others are refused until the transaction ends, as clients expect.
 */
final class Transaction {
  private boolean isBegun;
  private boolean hasFailed;
  private boolean hasWritten;

  /** Returns the letter that clients are told. */
  char status() {
    return !isBegun ? 'I' : hasFailed ? 'E' : 'T';
  }

  boolean isBegun() {
    return isBegun;
  }

  void begin() {
    isBegun = true;
  }

  /** Ends it; returns whether something was written that a rollback should have undone. */
  boolean end() {
    boolean written = hasWritten;
    isBegun = false;
    hasFailed = false;
    hasWritten = false;
    return written;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  void fail() {
    hasFailed = isBegun;
  }

  /** Goes back to a savepoint. */
  void recover() {
    hasFailed = false;
  }

  void written() {
    hasWritten |= isBegun;
  }

  boolean hasWritten() {
    return hasWritten;
  }

  /** Refuses a statement if an earlier one has failed. */
  void requireSound() {
    if (hasFailed) {
      throw new PostgresException(
          "25P02",
          "current transaction is aborted, commands ignored until end of transaction block");
    }
  }
}
