package io.keyvalueserve.resp.protocol;

/**
 * Bytes that are no request. The message is the error line for the client, in Redis' own words; the
 * connection ends after it.
 */
public final class ProtocolException extends Exception {
  ProtocolException(String rule) {
    super("ERR Protocol error: " + rule, null, false, false);
  }

  /** The line for the client. */
  public Reply.ErrorLine reply() {
    return Reply.error(String.valueOf(getMessage()));
  }
}
