package io.keyvalueserve.billing.pricing;

import java.math.BigDecimal;

/** Rules for the decimal numbers of a rate card. */
final class Decimals {
  private Decimals() {}

  /**
   * The number without zeros at its end, so that equal numbers are equal objects.
   *
   * @param mostDecimals digits behind the point at most
   * @param mostDigits digits before the point at most
   * @throws InvalidRateCardException if it is negative or has more digits
   */
  static BigDecimal checked(String field, BigDecimal value, int mostDecimals, int mostDigits) {
    BigDecimal plain = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    long digits = (long) plain.precision() - plain.scale();
    if (plain.signum() < 0 || plain.scale() > mostDecimals || digits > mostDigits) {
      throw new InvalidRateCardException(
          field,
          shown(plain, digits),
          "set 0 or more, with up to "
              + mostDigits
              + " digits before the point and "
              + mostDecimals
              + " behind it");
    }
    return plain.scale() < 0 ? plain.setScale(0) : plain;
  }

  /** A number of a thousand million digits has a short form as well. */
  private static String shown(BigDecimal value, long digits) {
    return digits <= 40 && value.scale() <= 40 ? value.toPlainString() : value.toString();
  }
}
