package io.keyvalueserve.postgres.wire;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into messages. A message's memory grows as its bytes come, whatever length
 * it claims. Not thread-safe.
 */
public final class MessageReader {
  private static final int LENGTH_BYTES = 4;
  private static final int FIRST_BYTES = 1024;
  private static final byte[] NOTHING = new byte[0];

  private boolean hasTypes;
  private int mostBytes;

  private boolean typeRead;
  private byte type;
  private int lengthRead;
  private int length;
  private byte[] body = NOTHING;
  private int filled;
  private long messages;

  /**
   * Begins with messages without a type.
   *
   * @param mostBytes the longest body
   */
  public MessageReader(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** From the next message on, messages have a type. */
  public void withTypes() {
    hasTypes = true;
  }

  /** From the next message on, bodies may have so many bytes. */
  public void limit(int bytes) {
    mostBytes = bytes;
  }

  /** Returns the bytes that it holds of a message that has come in part. */
  public int heldBytes() {
    return body.length;
  }

  /** Returns how many messages it has read. */
  public long messages() {
    return messages;
  }

  /** Returns whether a message has come in part. */
  public boolean isWithinMessage() {
    return typeRead || lengthRead > 0;
  }

  /**
   * Reads up to the end of a message.
   *
   * @return the message; null if more bytes are needed: all there are were read
   * @throws ProtocolException if the bytes are no message, or one that is too long
   */
  public @Nullable Message next(ByteBuf in) {
    if (hasTypes && !typeRead) {
      if (!in.isReadable()) {
        return null;
      }
      type = in.readByte();
      typeRead = true;
    }
    while (lengthRead < LENGTH_BYTES) {
      if (!in.isReadable()) {
        return null;
      }
      length = length << 8 | in.readUnsignedByte();
      lengthRead++;
      if (lengthRead == LENGTH_BYTES) {
        begin();
      }
    }
    fill(in);
    if (filled < length) {
      return null;
    }
    Message message =
        new Message(
            hasTypes ? type : Message.STARTUP,
            body.length == length ? body : Arrays.copyOf(body, length));
    messages++;
    typeRead = false;
    lengthRead = 0;
    length = 0;
    body = NOTHING;
    filled = 0;
    return message;
  }

  private void begin() {
    length -= LENGTH_BYTES;
    if (length < 0) {
      throw new ProtocolException("a message is shorter than its own length");
    }
    if (length > mostBytes) {
      throw new ProtocolException(
          "a message has "
              + length
              + " bytes, and may have "
              + mostBytes
              + (hasTypes ? "" : ": is this a client of PostgreSQL?"));
    }
    body = length == 0 ? NOTHING : new byte[Math.min(length, FIRST_BYTES)];
  }

  private void fill(ByteBuf in) {
    while (filled < length && in.isReadable()) {
      int wanted = Math.min(length - filled, in.readableBytes());
      if (filled + wanted > body.length) {
        int next = (int) Math.min(length, Math.max(filled + (long) wanted, 2L * body.length));
        body = Arrays.copyOf(body, next);
      }
      in.readBytes(body, filled, wanted);
      filled += wanted;
    }
  }
}
