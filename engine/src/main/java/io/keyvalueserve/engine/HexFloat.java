package io.keyvalueserve.engine;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * Reads a number in the C language's hexadecimal notation (C17 section 7.22.1.3), which Redis takes
 * for counters as well: {@code 0x1F}, {@code -0x.8p3}. Costs at most as much as its text is long,
 * whatever the exponent says. Safe for use by many threads.
 */
final class HexFloat {
  /** Bits behind the point beyond this are far below what a counter keeps; they are dropped. */
  private static final int MOST_FRACTION_BITS = 256;

  /** Bits before the point of the greatest 80-bit float. */
  private static final int MOST_MAGNITUDE = 16_384;

  /** Half of the least, which is a denormal: this and less is rounded to zero. */
  private static final int ZERO_EXPONENT = -16_446;

  private static final int BITS_OF_DIGIT = 4;
  private static final int RADIX = 16;

  private HexFloat() {}

  /** True if the text can only be a number in this notation: a sign or none, then {@code 0x}. */
  static boolean begins(String text) {
    int first = signOf(text);
    return text.length() > first + 1
        && text.charAt(first) == '0'
        && (text.charAt(first + 1) | ' ') == 'x';
  }

  /** The number that an 80-bit float rounds to zero, as all that are less. */
  static BigDecimal zeroFrom() {
    return scaled(BigInteger.ONE, ZERO_EXPONENT, -ZERO_EXPONENT);
  }

  /**
   * The number, exact down to 2^-256; nothing if the text is no such number as a whole or if it is
   * out of the range of an 80-bit float.
   */
  static Optional<BigDecimal> parse(String text) {
    int sign = signOf(text);
    int end = indexOfExponent(text);
    String mantissa = text.substring(sign + 2, end);
    int point = mantissa.indexOf('.');
    String digits =
        point < 0 ? mantissa : mantissa.substring(0, point) + mantissa.substring(point + 1);
    Optional<Long> power = end == text.length() ? Optional.of(0L) : exponent(text, end + 1);
    if (digits.isEmpty() || !digits.chars().allMatch(HexFloat::isHex) || power.isEmpty()) {
      return Optional.empty();
    }
    BigInteger significand = new BigInteger(digits, RADIX);
    if (significand.signum() == 0) {
      return Optional.of(BigDecimal.ZERO);
    }
    long fraction = point < 0 ? 0 : (long) (mantissa.length() - 1 - point) * BITS_OF_DIGIT;
    long scale = power.get() - fraction;
    long magnitude = scale + significand.bitLength();
    boolean isZero =
        magnitude <= ZERO_EXPONENT
            || (magnitude == ZERO_EXPONENT + 1 && significand.bitCount() == 1);
    if (magnitude > MOST_MAGNITUDE || isZero) {
      return Optional.empty();
    }
    BigDecimal number = scaled(significand, scale, MOST_FRACTION_BITS);
    return Optional.of(text.charAt(0) == '-' ? number.negate() : number);
  }

  /** significand * 2^scale, but for what is behind so many bits of a fraction. */
  private static BigDecimal scaled(BigInteger significand, long scale, int mostBits) {
    if (scale >= 0) {
      return new BigDecimal(significand.shiftLeft((int) scale));
    }
    int bits = (int) Math.min(-scale, mostBits);
    BigInteger kept = significand.shiftRight((int) (-scale - bits));
    // k / 2^b = k * 5^b / 10^b
    return new BigDecimal(kept.multiply(BigInteger.valueOf(5).pow(bits)), bits);
  }

  private static int signOf(String text) {
    return !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
  }

  private static int indexOfExponent(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ((text.charAt(i) | ' ') == 'p') {
        return i;
      }
    }
    return text.length();
  }

  /** A decimal number behind the {@code p}, held to a range in which nothing overflows. */
  private static Optional<Long> exponent(String text, int from) {
    boolean signed = from < text.length() && "+-".indexOf(text.charAt(from)) >= 0;
    int first = signed ? from + 1 : from;
    if (first == text.length()) {
      return Optional.empty();
    }
    long value = 0;
    for (int i = first; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return Optional.empty();
      }
      value = Math.min(value * 10 + digit, Integer.MAX_VALUE);
    }
    return Optional.of(signed && text.charAt(from) == '-' ? -value : value);
  }

  private static boolean isHex(int c) {
    int lower = c | ' ';
    return (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'f');
  }
}
