package io.keyvalueserve.maps.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that are being written, numbers big-endian. To be reused; owned by one thread. */
final class CodeWriter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] array = new byte[64];
  private int length;

  byte[] array() {
    return array;
  }

  int length() {
    return length;
  }

  /** Forgets what was written from there on. */
  CodeWriter truncate(int length) {
    this.length = length;
    return this;
  }

  void put(int value) {
    room(1);
    array[length++] = (byte) value;
  }

  void putShort(int value) {
    put(value >>> 8);
    put(value);
  }

  void putInt(int value) {
    room(Integer.BYTES);
    INT.set(array, length, value);
    length += Integer.BYTES;
  }

  void putLong(long value) {
    room(Long.BYTES);
    LONG.set(array, length, value);
    length += Long.BYTES;
  }

  void put(byte[] bytes, int from, int count) {
    room(count);
    System.arraycopy(bytes, from, array, length, count);
    length += count;
  }

  /** Writes a number to a place in an array. */
  static void putInt(byte[] array, int at, int value) {
    INT.set(array, at, value);
  }

  /** A copy of what was written from there on. */
  byte[] copyFrom(int from) {
    return Arrays.copyOfRange(array, from, length);
  }

  private void room(int more) {
    if (length + more > array.length) {
      array = Arrays.copyOf(array, Math.max(2 * array.length, length + more));
    }
  }
}
