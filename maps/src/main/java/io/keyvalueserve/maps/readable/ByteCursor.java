package io.keyvalueserve.maps.readable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Walks big-endian bytes, and never past their end. For one thread. */
final class ByteCursor {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int position;

  ByteCursor(byte[] bytes, int position, int end) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  byte[] bytes() {
    return bytes;
  }

  int position() {
    return position;
  }

  int end() {
    return end;
  }

  int left() {
    return end - position;
  }

  void moveTo(int to) {
    if (to < position || to > end) {
      throw new UnreadableException(
          "a value names a place outside its bytes: place=" + to + " end=" + end);
    }
    position = to;
  }

  /** Passes so many bytes, and returns where they begin. */
  int skip(long count) {
    if (count < 0 || count > left()) {
      throw new UnreadableException(
          "a value names more than it has bytes: named=" + count + " left=" + left());
    }
    int at = position;
    position += (int) count;
    return at;
  }

  byte int8() {
    return bytes[skip(1)];
  }

  short int16() {
    return (short) SHORT.get(bytes, skip(Short.BYTES));
  }

  int int32() {
    return (int) INT.get(bytes, skip(Integer.BYTES));
  }

  /** Returns the next 4 bytes, and stays where it is. */
  int peekInt32() {
    int value = int32();
    position -= Integer.BYTES;
    return value;
  }

  long int64() {
    return (long) LONG.get(bytes, skip(Long.BYTES));
  }

  /** Reads a text of so many bytes. */
  String text(int length) {
    return new String(bytes, skip(length), length, StandardCharsets.UTF_8);
  }
}
