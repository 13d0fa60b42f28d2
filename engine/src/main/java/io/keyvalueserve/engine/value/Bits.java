package io.keyvalueserve.engine.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bits of a value: bit 0 is the most significant bit of the first byte. */
public final class Bits {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Bits() {}

  /** Returns whether a bit is set. Bits beyond the end are not. */
  public static boolean get(byte[] value, long offset) {
    long at = offset >>> 3;
    return at < value.length && ((value[(int) at] >> (7 - (offset & 7))) & 1) != 0;
  }

  /** Returns a copy with a bit set or cleared, and with zeros up to it if it was too short. */
  public static byte[] with(byte[] value, long offset, boolean on) {
    int at = (int) (offset >>> 3);
    byte[] copy = Arrays.copyOf(value, Math.max(value.length, at + 1));
    int mask = 1 << (7 - (offset & 7));
    copy[at] = (byte) (on ? copy[at] | mask : copy[at] & ~mask);
    return copy;
  }

  /** Returns the number of bits of a range that are set. */
  public static long count(byte[] value, BitRange range) {
    long first = range.firstBit(value.length);
    long last = range.lastBit(value.length);
    if (first > last) {
      return 0;
    }
    int from = (int) (first >>> 3);
    int to = (int) (last >>> 3);
    int head = 0xff >>> (first & 7);
    int tail = (-1 << (7 - (last & 7))) & 0xff;
    if (from == to) {
      return Integer.bitCount(value[from] & head & tail);
    }
    long count = (long) Integer.bitCount(value[from] & head) + Integer.bitCount(value[to] & tail);
    int at = from + 1;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      count += Long.bitCount((long) LONG.get(value, at));
    }
    for (; at < to; at++) {
      count += Integer.bitCount(value[at] & 0xff);
    }
    return count;
  }

  /**
   * Returns the position of the first bit of a range that is as wanted.
   *
   * @param wanted whether a bit that is set is looked for
   * @param isEndGiven whether the range ends where it says; otherwise zeros follow the value
   * @return -1 if there is none
   */
  public static long find(byte[] value, boolean wanted, BitRange range, boolean isEndGiven) {
    long first = range.firstBit(value.length);
    long last = range.lastBit(value.length);
    if (first > last) {
      return -1;
    }
    int flip = wanted ? 0 : 0xff;
    int from = (int) (first >>> 3);
    int to = (int) (last >>> 3);
    int found = (value[from] ^ flip) & (0xff >>> (first & 7));
    int at = from;
    if (found == 0) {
      at = skip(value, from + 1, to, flip);
      found = at <= to ? (value[at] ^ flip) & 0xff : 0;
    }
    if (found != 0) {
      long position = at * (long) Byte.SIZE + Integer.numberOfLeadingZeros(found) - 24;
      if (position <= last) {
        return position;
      }
    }
    return wanted || isEndGiven ? -1 : last + 1;
  }

  /** Returns the first byte, up to the last one, that is not just what the flip is. */
  private static int skip(byte[] value, int from, int last, int flip) {
    long plain = flip == 0 ? 0 : -1;
    int at = from;
    while (at + Long.BYTES <= last + 1 && (long) LONG.get(value, at) == plain) {
      at += Long.BYTES;
    }
    while (at <= last && (value[at] & 0xff) == flip) {
      at++;
    }
    return at;
  }
}
