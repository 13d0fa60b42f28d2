package io.keyvalueserve.maps.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that are being read, numbers big-endian. To be reused; owned by one thread. */
final class CodeReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] array = {};
  private int at;

  CodeReader over(byte[] array, int from) {
    this.array = array;
    this.at = from;
    return this;
  }

  /** Returns the offset of the next byte. */
  int at() {
    return at;
  }

  byte[] array() {
    return array;
  }

  int get() {
    return array[at++] & 0xFF;
  }

  int getShort() {
    int high = get();
    return (high << 8) | get();
  }

  int getInt() {
    int value = getInt(array, at);
    at += Integer.BYTES;
    return value;
  }

  /** Returns the number that lies at an offset of an array. */
  static int getInt(byte[] array, int at) {
    return (int) INT.get(array, at);
  }

  long getLong() {
    long value = (long) LONG.get(array, at);
    at += Long.BYTES;
    return value;
  }

  byte[] get(int count) {
    byte[] bytes = Arrays.copyOfRange(array, at, at + count);
    at += count;
    return bytes;
  }

  void skip(int count) {
    at += count;
  }

  /** Goes behind the next byte that has a given value in the bits of a mask. */
  void skipThrough(int mask, int end) {
    while ((array[at++] & mask) != end) {
      // on to the next
    }
  }
}
