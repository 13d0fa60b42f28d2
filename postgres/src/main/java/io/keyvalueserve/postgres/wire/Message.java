package io.keyvalueserve.postgres.wire;

/**
 * A message from a client.
 *
 * @param type its first byte; {@link #STARTUP} for one that has none
 * @param body what follows the length
 */
public record Message(byte type, byte[] body) {
  /** The type of messages before the session begins. */
  public static final byte STARTUP = 0;

  private static final int OVERHEAD_BYTES = 48;

  /** Returns about how many bytes of heap it takes. */
  public int heapBytes() {
    return body.length + OVERHEAD_BYTES;
  }

  /** Returns a reader of the body. */
  public MessageBody read() {
    return new MessageBody(body);
  }
}
