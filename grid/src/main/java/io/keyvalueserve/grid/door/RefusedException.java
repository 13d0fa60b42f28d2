package io.keyvalueserve.grid.door;

/** A tenant asked for what it may not have. The message is for its client. Has no stack trace. */
final class RefusedException extends RuntimeException {
  RefusedException(String message) {
    super(message, null, false, false);
  }
}
