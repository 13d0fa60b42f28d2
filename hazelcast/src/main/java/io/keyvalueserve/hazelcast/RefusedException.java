package io.keyvalueserve.hazelcast;

/** A tenant asked for what it may not have. The message is for its client. Has no stack trace. */
final class RefusedException extends RuntimeException {
  private final String object;

  RefusedException(String message) {
    this("", message);
  }

  /**
   * @param object the name of what was asked for
   */
  RefusedException(String object, String message) {
    super(message, null, false, false);
    this.object = object;
  }

  /** The name of what was asked for; empty if it is not known. */
  String object() {
    return object;
  }
}
