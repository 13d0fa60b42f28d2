package io.keyvalueserve.engine;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The text of floating point numbers, as Redis 7.0 writes them: {@code printf("%.17g")}. */
public final class RealText {
  private static final MathContext DIGITS = new MathContext(17, RoundingMode.HALF_EVEN);
  private static final double MOST_WHOLE = 1e17;
  private static final int LEAST_PLAIN_EXPONENT = -4;

  private RealText() {}

  /** Returns the text of a number; 0 for both zeros. */
  public static String of(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "inf" : "-inf";
    }
    if (Double.isNaN(value)) {
      return "nan";
    }
    if (value == Math.rint(value) && Math.abs(value) < MOST_WHOLE) {
      return Long.toString((long) value);
    }
    BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    int exponent = rounded.precision() - rounded.scale() - 1;
    if (exponent >= LEAST_PLAIN_EXPONENT && exponent < DIGITS.getPrecision()) {
      return rounded.toPlainString();
    }
    String digits = rounded.unscaledValue().abs().toString();
    StringBuilder text = new StringBuilder();
    if (rounded.signum() < 0) {
      text.append('-');
    }
    text.append(digits.charAt(0));
    if (digits.length() > 1) {
      text.append('.').append(digits, 1, digits.length());
    }
    text.append('e').append(exponent < 0 ? '-' : '+');
    int magnitude = Math.abs(exponent);
    if (magnitude < 10) {
      text.append('0');
    }
    return text.append(magnitude).toString();
  }
}
