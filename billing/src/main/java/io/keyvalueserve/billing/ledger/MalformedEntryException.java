package io.keyvalueserve.billing.ledger;

/** Bytes that are no ledger entry. The message says what is the matter with them. */
public final class MalformedEntryException extends Exception {
  MalformedEntryException(String reason) {
    super(reason, null, false, false);
  }
}
