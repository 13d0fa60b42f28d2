package io.keyvalueserve.postgres.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a message's body. What is not there fails with a {@link ProtocolException}.
 * Not thread-safe.
 */
public final class MessageBody {
  private final byte[] bytes;
  private final ByteBuffer in;

  /** Begins at the first byte. */
  public MessageBody(byte[] bytes) {
    this.bytes = bytes;
    this.in = ByteBuffer.wrap(bytes);
  }

  /** Reads a byte. */
  public byte int8() {
    require(1);
    return in.get();
  }

  /** Reads a number of two bytes. */
  public short int16() {
    require(2);
    return in.getShort();
  }

  /** Reads a number of two bytes that says how many parts of so many bytes at least follow. */
  public int count(int bytesOfEach) {
    int count = Short.toUnsignedInt(int16());
    if ((long) count * bytesOfEach > in.remaining()) {
      throw new ProtocolException("the message is shorter than its counts say");
    }
    return count;
  }

  /** Reads a number of four bytes. */
  public int int32() {
    require(4);
    return in.getInt();
  }

  /** Reads text up to a zero byte. */
  public String text() {
    int from = in.position();
    int to = from;
    while (to < bytes.length && bytes[to] != 0) {
      to++;
    }
    if (to == bytes.length) {
      throw new ProtocolException("a text in the message has no end");
    }
    in.position(to + 1);
    return utf8(bytes, from, to);
  }

  /** Reads a length and so many bytes; null if the length is -1. */
  public byte @Nullable [] value() {
    int length = int32();
    if (length == -1) {
      return null;
    }
    return bytes(length);
  }

  /** Reads so many bytes. */
  public byte[] bytes(int length) {
    if (length < 0) {
      throw new ProtocolException("a length in the message is negative");
    }
    require(length);
    byte[] read = Arrays.copyOfRange(bytes, in.position(), in.position() + length);
    in.position(in.position() + length);
    return read;
  }

  /** Reads all that is left. */
  public byte[] rest() {
    return bytes(in.remaining());
  }

  /** Returns how many bytes are left. */
  public int remaining() {
    return in.remaining();
  }

  /** Fails if anything is left. */
  public void end() {
    if (in.hasRemaining()) {
      throw new ProtocolException("the message is longer than its parts");
    }
  }

  private void require(int count) {
    if (in.remaining() < count) {
      throw new ProtocolException("the message is shorter than its parts");
    }
  }

  /**
   * Reads UTF-8.
   *
   * @throws PostgresException {@code 22021} if it is none
   */
  public static String utf8(byte[] bytes, int from, int to) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw new PostgresException("22021", "the text is no UTF-8: use client_encoding UTF8");
    }
  }
}
