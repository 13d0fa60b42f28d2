package io.keyvalueserve.grid.space;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells well-formed UTF-8 from other bytes (Unicode 16, table 3-7: well-formed byte sequences). */
final class Utf8 {
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private Utf8() {}

  /**
   * Returns whether the bytes are well-formed. Then, and only then, decoding and encoding again
   * gives the same bytes.
   */
  static boolean isWellFormed(byte[] bytes) {
    return isWellFormed(bytes, 0, bytes.length);
  }

  /** Returns whether a range of an array is well-formed. */
  static boolean isWellFormed(byte[] bytes, int offset, int count) {
    int i = offset;
    int end = offset + count;
    while (i <= end - Long.BYTES && ((long) LONG.get(bytes, i) & NOT_ASCII) == 0) {
      i += Long.BYTES;
    }
    while (i < end) {
      int length = sequenceLength(bytes, i, end);
      if (length == 0) {
        return false;
      }
      i += length;
    }
    return true;
  }

  /** The length of the well-formed sequence that begins at {@code i}, 0 if there is none. */
  private static int sequenceLength(byte[] bytes, int i, int end) {
    int lead = bytes[i];
    if (lead >= 0) {
      return 1;
    }
    int first = lead & 0xff;
    int second = i + 1 < end ? bytes[i + 1] & 0xff : 0;
    if (first >= 0xc2 && first <= 0xdf) {
      return isTail(second) ? 2 : 0;
    }
    if ((first & 0xf0) == 0xe0) {
      int low = first == 0xe0 ? 0xa0 : 0x80; // else it were shorter
      int high = first == 0xed ? 0x9f : 0xbf; // else it were half a surrogate pair
      return second >= low && second <= high && hasTail(bytes, i + 2, end) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
      int low = first == 0xf0 ? 0x90 : 0x80;
      int high = first == 0xf4 ? 0x8f : 0xbf; // beyond is no code point
      boolean inRange = second >= low && second <= high;
      return inRange && hasTail(bytes, i + 2, end) && hasTail(bytes, i + 3, end) ? 4 : 0;
    }
    return 0;
  }

  private static boolean hasTail(byte[] bytes, int i, int end) {
    return i < end && isTail(bytes[i] & 0xff);
  }

  private static boolean isTail(int b) {
    return (b & 0xc0) == 0x80;
  }
}
