package io.keyvalueserve.postgres.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Gathers messages to a client. Not thread-safe. */
public final class MessageWriter {
  private static final int FIRST_BYTES = 512;
  private static final int MOST_KEPT_BYTES = 64 << 10;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int end;
  private int messageAt = -1;

  /** Returns how many bytes are gathered. */
  public int size() {
    return end;
  }

  /** Takes what is gathered. */
  public byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, end);
    end = 0;
    messageAt = -1;
    if (bytes.length > MOST_KEPT_BYTES) {
      bytes = new byte[FIRST_BYTES];
    }
    return taken;
  }

  /** Drops what was written of the present message. */
  public void dropMessage() {
    if (messageAt >= 0) {
      end = messageAt - 1;
      messageAt = -1;
    }
  }

  /** Begins a message. */
  public MessageWriter begin(char type) {
    int8(type);
    messageAt = end;
    return int32(0);
  }

  /** Ends the message. */
  public void end() {
    put32(messageAt, end - messageAt);
    messageAt = -1;
  }

  /** Writes a byte. */
  public MessageWriter int8(int value) {
    room(1);
    bytes[end++] = (byte) value;
    return this;
  }

  /** Writes a number of two bytes. */
  public MessageWriter int16(int value) {
    room(2);
    bytes[end++] = (byte) (value >> 8);
    bytes[end++] = (byte) value;
    return this;
  }

  /** Writes a number of four bytes. */
  public MessageWriter int32(int value) {
    room(4);
    put32(end, value);
    end += 4;
    return this;
  }

  /** Writes a number of eight bytes. */
  public MessageWriter int64(long value) {
    return int32((int) (value >> 32)).int32((int) value);
  }

  /** Writes bytes. */
  public MessageWriter bytes(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, bytes, end, value.length);
    end += value.length;
    return this;
  }

  /** Writes text and a zero byte. Zero bytes in the text are left out. */
  public MessageWriter text(String value) {
    String clean = value.indexOf(0) < 0 ? value : value.replace("\0", "");
    return bytes(clean.getBytes(StandardCharsets.UTF_8)).int8(0);
  }

  /** Writes a length and text. */
  public MessageWriter value(String value) {
    return value(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a length and bytes. */
  public MessageWriter value(byte[] value) {
    return int32(value.length).bytes(value);
  }

  /** Begins a value whose length is not known yet; returns where it begins. */
  public int beginValue() {
    int32(0);
    return end;
  }

  /** Ends a value that begins there. */
  public void endValue(int begin) {
    put32(begin - 4, end - begin);
  }

  private void put32(int at, int value) {
    bytes[at] = (byte) (value >> 24);
    bytes[at + 1] = (byte) (value >> 16);
    bytes[at + 2] = (byte) (value >> 8);
    bytes[at + 3] = (byte) value;
  }

  private void room(int more) {
    if (end + more > bytes.length) {
      long wanted = Math.max((long) end + more, 2L * bytes.length);
      bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 16));
    }
  }
}
