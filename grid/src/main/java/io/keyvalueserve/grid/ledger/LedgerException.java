package io.keyvalueserve.grid.ledger;

import org.jspecify.annotations.Nullable;

/** A ledger cannot be read or written now. The message says why. */
public final class LedgerException extends RuntimeException {
  LedgerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
