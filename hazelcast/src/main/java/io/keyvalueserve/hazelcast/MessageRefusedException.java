package io.keyvalueserve.hazelcast;

/** A tenant asked for what it may not have. The message is for its client. Has no stack trace. */
final class MessageRefusedException extends RuntimeException {
  private final String object;

  MessageRefusedException(String message) {
    this("", message);
  }

  /**
   * @param object the name of what was asked for
   */
  MessageRefusedException(String object, String message) {
    super(message, null, false, false);
    this.object = object;
  }

  /** The name of what was asked for; empty if it is not known. */
  String object() {
    return object;
  }
}
