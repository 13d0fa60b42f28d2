package io.keyvalueserve.billing.metering;

/** Bytes that are no usage event. The message says what is the matter with them. */
public final class MalformedUsageException extends Exception {
  MalformedUsageException(String reason) {
    super("not a usage event: " + reason, null, false, false);
  }
}
