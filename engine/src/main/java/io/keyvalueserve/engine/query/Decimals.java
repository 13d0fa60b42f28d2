package io.keyvalueserve.engine.query;

import java.math.BigDecimal;

/**
 * Bounds of decimal numbers. A number such as {@code 1e400000000} is a few bytes, but to write its
 * digits, or to add 1 to it, takes gigabytes: so it is refused where it comes in.
 */
public final class Decimals {
  /** The most digits behind the point, and the most zeros before it. */
  public static final int MOST_SCALE = 1_000;

  private Decimals() {}

  /** Returns whether a number has few enough digits behind the point and zeros before it. */
  public static boolean isBounded(BigDecimal number) {
    return Math.abs((long) number.scale()) <= MOST_SCALE;
  }

  /**
   * Returns the number.
   *
   * @throws NumberFormatException if it is not {@linkplain #isBounded bounded}
   */
  public static BigDecimal bounded(BigDecimal number) {
    if (!isBounded(number)) {
      throw new NumberFormatException("the exponent of a decimal is out of range: " + number);
    }
    return number;
  }

  /** Returns the number as text: without an exponent, unless it is not bounded. */
  public static String text(BigDecimal number) {
    return isBounded(number) ? number.toPlainString() : number.toString();
  }
}
