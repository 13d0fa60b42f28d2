package io.keyvalueserve.billing.spending;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * Money as a long: nano units, 10^-9 of the currency's unit (of a dollar, not of a cent). 2^63 - 1
 * of them are 9.2 thousand million units. What would be more stays there, so that a cap that is
 * passed stays passed.
 */
public final class NanoMoney {
  /** Decimals of a currency's unit that are kept. */
  public static final int DECIMALS = 9;

  private NanoMoney() {}

  /**
   * An amount in nano units, rounded up to the next one; {@link Long#MAX_VALUE} for what is more.
   *
   * @param amount 0 or more
   */
  public static long ofAtLeast(BigDecimal amount) {
    BigInteger nanos =
        amount.movePointRight(DECIMALS).setScale(0, RoundingMode.CEILING).toBigInteger();
    return nanos.bitLength() < Long.SIZE ? nanos.longValue() : Long.MAX_VALUE;
  }

  /** The amount, exactly. */
  public static BigDecimal amount(long nanos) {
    return BigDecimal.valueOf(nanos, DECIMALS);
  }

  /** The sum of two amounts, each 0 or more. */
  static long add(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** An amount so many times, both 0 or more. */
  static long multiply(long nanos, long times) {
    return Math.multiplyHigh(nanos, times) == 0 && nanos * times >= 0
        ? nanos * times
        : Long.MAX_VALUE;
  }
}
