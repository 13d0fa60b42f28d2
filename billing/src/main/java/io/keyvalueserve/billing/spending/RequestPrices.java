package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.TimeBand;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The prices of requests at some hours, prepared for the path of a request. A look-up allocates
 * nothing and reads no clock. Its creator replaces it when the calendar changes between peak and
 * off-peak.
 *
 * <p>Costs are in nano units and rounded up for each measure, by less than 3 of them for up to 2^32
 * units, so a cap comes a little early and never late. Only what is charged by the amount of a flow
 * is in them; what goes by time is charged when usage is flushed. Immutable.
 */
public final class RequestPrices {
  private static final int MOST_FRACTION_BITS = 32;

  /** Nano units for one unit of a measure, as a fixed-point number, rounded up. */
  private final long[] prices = new long[Measure.COUNT];

  /**
   * The number of bits of a price that are behind the point: 1 to 32, fewer for very high prices.
   */
  private final int[] fractionBits = new int[Measure.COUNT];

  /**
   * @param card the tenant's card
   * @param band at which hours
   * @param sharing whether the map or the member is reserved
   */
  public RequestPrices(RateCard card, TimeBand band, SharingLevel sharing) {
    for (Rate rate : card.rates()) {
      if (rate.basis() == Basis.AMOUNT && !rate.measure().isLevel()) {
        set(rate.measure(), card.unitPrice(rate, band, sharing), rate.per());
      }
    }
  }

  private void set(Measure measure, BigDecimal price, long per) {
    int bits = MOST_FRACTION_BITS;
    BigInteger fixed = fixedPoint(price, per, bits);
    while (fixed.bitLength() >= Long.SIZE && bits > 1) {
      bits--;
      fixed = fixedPoint(price, per, bits);
    }
    prices[measure.index()] = fixed.bitLength() < Long.SIZE ? fixed.longValue() : Long.MAX_VALUE;
    fractionBits[measure.index()] = bits;
  }

  private static BigInteger fixedPoint(BigDecimal price, long per, int bits) {
    return price
        .movePointRight(NanoMoney.DECIMALS)
        .multiply(BigDecimal.valueOf(1L << bits))
        .divide(BigDecimal.valueOf(per), 0, RoundingMode.CEILING)
        .toBigInteger();
  }

  /**
   * Returns the cost of a request, in nano units; {@link Long#MAX_VALUE} for more.
   *
   * @param operation what it does
   * @param operations on how many keys: 0 or more
   * @param bytesIn of the request: 0 or more
   * @param bytesOut of the answer, or 0 while that is not known: 0 or more
   */
  public long request(Measure operation, long operations, long bytesIn, long bytesOut) {
    return NanoMoney.add(
        cost(operation, operations),
        NanoMoney.add(cost(Measure.BYTES_IN, bytesIn), cost(Measure.BYTES_OUT, bytesOut)));
  }

  /** Returns the cost of 0 or more units of a flow, in nano units. */
  public long cost(Measure measure, long units) {
    long price = prices[measure.index()];
    if (price == 0 || units == 0) {
      return 0;
    }
    int bits = fractionBits[measure.index()];
    long high = Math.multiplyHigh(price, units);
    long low = price * units;
    if (high >= 1L << (bits - 1) || price == Long.MAX_VALUE) {
      return Long.MAX_VALUE;
    }
    long nanos = (high << (Long.SIZE - bits)) | (low >>> bits);
    return (low & ((1L << bits) - 1)) == 0 ? nanos : NanoMoney.add(nanos, 1);
  }
}
