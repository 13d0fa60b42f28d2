package io.keyvalueserve.postgres.wire;

import java.io.Serial;

/** Bytes that are no message of the protocol: the connection ends. */
public final class ProtocolException extends PostgresException {
  @Serial private static final long serialVersionUID = 1;

  /** SQLSTATE {@code protocol_violation}. */
  public static final String STATE = "08P01";

  /**
   * @param message may be shown to a client
   */
  public ProtocolException(String message) {
    super(STATE, message);
  }
}
