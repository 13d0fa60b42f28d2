package io.keyvalueserve.billing.pricing;

import static io.keyvalueserve.billing.pricing.InvalidRateCardException.require;

import io.keyvalueserve.billing.metering.Measure;
import java.math.BigDecimal;

/**
 * One price: what so many units of a measure cost.
 *
 * @param measure of what; not of what was turned away
 * @param basis what of it
 * @param per for how many units the price is: 1 to 10^18; the units are {@link Basis#unit}
 * @param peak the price at peak hours: 0 to 10^9, up to 12 decimals
 * @param offPeak the price at other hours: as {@code peak}, and not more than it
 * @param weight by which the price is multiplied: more than 0, up to 1000, up to 6 decimals. Where
 *     the weights of a card's measures add up to 1, a bill is the paper's weighted average
 * @param free how much of it is free in a billing period, in multiples of {@code per}: 0 to 10^18,
 *     up to 6 decimals. Peak hours use it up first
 */
public record Rate(
    Measure measure,
    Basis basis,
    long per,
    BigDecimal peak,
    BigDecimal offPeak,
    BigDecimal weight,
    BigDecimal free) {
  private static final long MOST_PER = 1_000_000_000_000_000_000L;
  private static final BigDecimal MOST_WEIGHT = BigDecimal.valueOf(1_000);

  /** Decimals of a price at most. */
  public static final int PRICE_DECIMALS = 12;

  private static final int WEIGHT_DECIMALS = 6;

  /**
   * @throws InvalidRateCardException if a field is out of its range
   */
  public Rate {
    require(
        !measure.isTurnedAway(),
        "measure",
        measure.label(),
        "remove the rate: what was not served is not charged");
    require(
        basis != Basis.VOLUME || measure.isLevel(),
        "basis",
        basis.label(),
        "use 'amount' or 'duration': " + measure.label() + " are not held for a time");
    require(
        basis == Basis.VOLUME || !measure.isReservation(),
        "basis",
        basis.label(),
        "use 'volume': a reservation is charged by how many for how long");
    require(
        basis == Basis.VOLUME || !measure.isSummed(),
        "basis",
        basis.label(),
        "use 'volume': " + measure.label() + " are told once a day");
    require(per >= 1 && per <= MOST_PER, "per", per, "set 1 to 10^18 " + basis.unit(measure));
    peak = Decimals.checked("peak", peak, PRICE_DECIMALS, 9);
    offPeak = Decimals.checked("offPeak", offPeak, PRICE_DECIMALS, 9);
    require(
        offPeak.compareTo(peak) <= 0,
        "offPeak",
        offPeak.toPlainString(),
        "set no more than the price at peak hours, which is " + peak.toPlainString());
    weight = Decimals.checked("weight", weight, WEIGHT_DECIMALS, 4);
    require(
        weight.signum() > 0 && weight.compareTo(MOST_WEIGHT) <= 0,
        "weight",
        weight.toPlainString(),
        "set more than 0, up to 1000; remove the rate if it should not count");
    free = Decimals.checked("free", free, WEIGHT_DECIMALS, 18);
  }

  /** A price of weight 1 with nothing free. */
  public static Rate of(Measure measure, Basis basis, long per, String peak, String offPeak) {
    return new Rate(
        measure,
        basis,
        per,
        new BigDecimal(peak),
        new BigDecimal(offPeak),
        BigDecimal.ONE,
        BigDecimal.ZERO);
  }

  /** Returns this rate with another weight. */
  public Rate weighing(String newWeight) {
    return new Rate(measure, basis, per, peak, offPeak, new BigDecimal(newWeight), free);
  }

  /** Returns this rate with so much free in a billing period. */
  public Rate freeOf(String newFree) {
    return new Rate(measure, basis, per, peak, offPeak, weight, new BigDecimal(newFree));
  }

  /** The price for {@link #per} units, without its weight. */
  public BigDecimal price(TimeBand band) {
    return band == TimeBand.PEAK ? peak : offPeak;
  }

  /** Returns the units that are free in a billing period. */
  public BigDecimal freeUnits() {
    return free.multiply(BigDecimal.valueOf(per));
  }

  /** The name of what is charged: {@code residentBytes/amount}. */
  public String sku() {
    return measure.label() + "/" + basis.label();
  }
}
