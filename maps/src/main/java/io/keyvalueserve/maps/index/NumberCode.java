package io.keyvalueserve.maps.index;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Numbers as bytes with their order.
 *
 * <p><b>Whole and floating numbers</b> are compared with each other by value, as Hazelcast does: 1
 * is 1.0. Their bytes are those of the nearest double, its bits turned so that they sort as
 * unsigned, in groups of seven with a bit that says whether anything but zeros follows: so small
 * whole numbers take two to five bytes. Where doubles are sparser than whole numbers, from 2^53 to
 * 2^63, two more bytes have the distance of a whole number from its nearest double. That -2^63 as a
 * double comes before the same number as a long is Hazelcast's doing.
 */
final class NumberCode {
  private static final double DENSE = 0x1p53;
  private static final double LONGS = 0x1p63;
  private static final int GROUP_BITS = 7;
  private static final int FIRST_SHIFT = Long.SIZE - GROUP_BITS;
  private static final int MIDDLE = 0x8000;

  private static final int BELOW_ZERO = 0;
  private static final int ZERO = 1;
  private static final int ABOVE_ZERO = 2;

  private NumberCode() {}

  static void put(long value, CodeWriter out) {
    double nearest = (double) value;
    putBits(nearest, out);
    if (isSparse(nearest)) {
      long distance = nearest == LONGS ? value + Long.MIN_VALUE : value - (long) nearest;
      out.putShort(MIDDLE + (int) distance);
    }
  }

  static void put(double value, CodeWriter out) {
    putBits(value, out);
    if (isSparse(value)) {
      out.putShort(value == -LONGS ? MIDDLE - 1 : MIDDLE);
    }
  }

  /** A Long if it is whole and there is such a long, else a Double. */
  static Number get(CodeReader in) {
    double value = getBits(in);
    if (isSparse(value)) {
      int distance = in.getShort() - MIDDLE;
      if (value == LONGS) {
        return distance == 0 ? (Number) value : (Number) (Long.MIN_VALUE + distance);
      }
      return value == -LONGS && distance < 0 ? (Number) value : (Number) ((long) value + distance);
    }
    long whole = (long) value;
    return Double.doubleToLongBits((double) whole) == Double.doubleToLongBits(value)
        ? (Number) whole
        : (Number) value;
  }

  static void skip(CodeReader in) {
    Number _ = get(in);
  }

  private static boolean isSparse(double value) {
    double size = Math.abs(value);
    return size >= DENSE && size <= LONGS;
  }

  private static void putBits(double value, CodeWriter out) {
    long bits = Double.doubleToLongBits(value);
    long rest = bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
    do {
      int group = (int) (rest >>> FIRST_SHIFT);
      rest <<= GROUP_BITS;
      out.put((group << 1) | (rest == 0 ? 0 : 1));
    } while (rest != 0);
  }

  private static double getBits(CodeReader in) {
    long bits = 0;
    for (int shift = FIRST_SHIFT; ; shift -= GROUP_BITS) {
      long read = in.get();
      long group = read >>> 1;
      bits |= shift >= 0 ? group << shift : group >>> -shift;
      if ((read & 1) == 0) {
        return Double.longBitsToDouble(bits < 0 ? bits ^ Long.MIN_VALUE : ~bits);
      }
    }
  }

  /** Sign, length, and bytes; of what is below zero, all turned round. */
  static void put(BigInteger value, CodeWriter out) {
    int sign = value.signum();
    out.put(sign + 1);
    if (sign != 0) {
      byte[] magnitude = value.abs().toByteArray();
      int turn = sign < 0 ? -1 : 0;
      out.putInt(magnitude.length ^ turn);
      for (byte b : magnitude) {
        out.put(b ^ turn);
      }
    }
  }

  static BigInteger getBigInteger(CodeReader in) {
    int sign = in.get();
    if (sign == ZERO) {
      return BigInteger.ZERO;
    }
    int turn = sign == BELOW_ZERO ? -1 : 0;
    byte[] magnitude = in.get(in.getInt() ^ turn);
    turn(magnitude, turn);
    BigInteger size = new BigInteger(magnitude);
    return sign == ABOVE_ZERO ? size : size.negate();
  }

  static void skipBigInteger(CodeReader in) {
    int sign = in.get();
    if (sign != ZERO) {
      in.skip(in.getInt() ^ (sign == BELOW_ZERO ? -1 : 0));
    }
  }

  /**
   * Writes a decimal so that equal values have equal bytes, as 1.0 and 1.00: sign, exponent,
   * digits, and an end that sorts before all digits.
   */
  static void put(BigDecimal value, CodeWriter out) {
    int sign = value.signum();
    out.put(sign + 1);
    if (sign != 0) {
      BigDecimal canonical = value.stripTrailingZeros();
      long turn = sign < 0 ? -1 : 0;
      String digits = canonical.unscaledValue().abs().toString();
      long exponent = (long) digits.length() - canonical.scale();
      out.putLong(exponent ^ Long.MIN_VALUE ^ turn);
      for (int i = 0; i < digits.length(); i++) {
        out.put((digits.charAt(i) - '0' + 1) ^ (int) turn);
      }
      out.put((int) turn);
    }
  }

  static BigDecimal getBigDecimal(CodeReader in) {
    int sign = in.get();
    if (sign == ZERO) {
      return BigDecimal.ZERO;
    }
    int turn = sign == BELOW_ZERO ? -1 : 0;
    long exponent = in.getLong() ^ turn ^ Long.MIN_VALUE;
    StringBuilder digits = new StringBuilder(sign == BELOW_ZERO ? "-" : "");
    int count = 0;
    for (int digit = (in.get() ^ turn) & 0xFF; digit != 0; digit = (in.get() ^ turn) & 0xFF) {
      digits.append((char) ('0' + digit - 1));
      count++;
    }
    return new BigDecimal(new BigInteger(digits.toString()), (int) (count - exponent));
  }

  static void skipBigDecimal(CodeReader in) {
    int sign = in.get();
    if (sign != ZERO) {
      in.skip(Long.BYTES);
      in.skipThrough(0xFF, sign == BELOW_ZERO ? 0xFF : 0);
    }
  }

  private static void turn(byte[] bytes, int turn) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= (byte) turn;
    }
  }
}
