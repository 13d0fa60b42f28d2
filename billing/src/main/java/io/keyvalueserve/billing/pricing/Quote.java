package io.keyvalueserve.billing.pricing;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;

/**
 * The price of one request. Asking for it charges nothing.
 *
 * <p>It does not contain free allowances, nor what the request makes the tenant hold afterwards,
 * memory above all, as that depends on how long it stays.
 *
 * @param at when
 * @param card by which card
 * @param band whether that is at peak hours
 * @param currency of the amounts
 * @param parts the amounts of which it consists; those without a price are left out
 * @param amount all parts together, rounded to {@value #SCALE} decimals each
 * @param storage the prices of what the map holds afterwards
 * @param minute what is charged besides if nothing else of the kind was asked for in this minute:
 *     the minute's part of what costs by duration
 */
public record Quote(
    Instant at,
    String card,
    TimeBand band,
    Currency currency,
    List<Part> parts,
    BigDecimal amount,
    List<Storage> storage,
    BigDecimal minute) {
  private static final int SCALE = 18;

  public Quote {
    parts = List.copyOf(parts);
    storage = List.copyOf(storage);
  }

  /**
   * The price of one measure.
   *
   * @param measure which
   * @param units how much of it
   * @param amount what that costs
   */
  public record Part(Measure measure, long units, BigDecimal amount) {}

  /**
   * The price of what is stored, at that time of day.
   *
   * @param persistence how maps are kept that have this price; the default if all have it
   * @param rate of what, and for how much of it
   * @param unitPrice the price, with all factors
   */
  public record Storage(Persistence persistence, Rate rate, BigDecimal unitPrice) {}

  /**
   * Asks what a request would be charged.
   *
   * @param cards the tenant's
   * @param sharing whether its map or member is reserved
   * @param operation what is counted for the request: a flow of requests
   * @param operations how many, 0 or more; a command on several keys is one for each key
   * @param bytesIn of the request, 0 or more
   * @param bytesOut of the answer, 0 or more
   * @return empty if no card holds at that time
   * @throws IllegalArgumentException if the measure is none of operations or a number is negative
   */
  public static Optional<Quote> of(
      RateCards cards,
      SharingLevel sharing,
      Measure operation,
      long operations,
      long bytesIn,
      long bytesOut,
      Instant at) {
    if (!operation.unit().equals(Measure.READS.unit()) || operation.isTurnedAway()) {
      throw new IllegalArgumentException(
          "operation is one of reads, writes, deletes, queries, locks and transactions: "
              + operation.label());
    }
    requireNatural("operations", operations);
    requireNatural("bytesIn", bytesIn);
    requireNatural("bytesOut", bytesOut);
    long minute = Math.floorDiv(at.getEpochSecond(), 60L);
    return cards
        .at(minute)
        .map(
            card ->
                new Quoting(card, card.calendar().band(minute), sharing)
                    .add(operation, operations)
                    .add(Measure.BYTES_IN, bytesIn)
                    .add(Measure.BYTES_OUT, bytesOut)
                    .quote(at));
  }

  private static void requireNatural(String field, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " is 0 or more: " + value);
    }
  }

  private static final class Quoting {
    private final RateCard card;
    private final TimeBand band;
    private final SharingLevel sharing;
    private final List<Part> parts = new ArrayList<>();
    private BigDecimal amount = BigDecimal.ZERO;
    private BigDecimal minute = BigDecimal.ZERO;

    Quoting(RateCard card, TimeBand band, SharingLevel sharing) {
      this.card = card;
      this.band = band;
      this.sharing = sharing;
    }

    Quoting add(Measure measure, long units) {
      if (units == 0) {
        return this;
      }
      Optional<Rate> ofAmount = card.rate(measure, Basis.AMOUNT);
      if (ofAmount.isPresent()) {
        BigDecimal cost = cost(ofAmount.get(), units);
        parts.add(new Part(measure, units, cost));
        amount = amount.add(cost);
      }
      Optional<Rate> ofDuration = card.rate(measure, Basis.DURATION);
      if (ofDuration.isPresent()) {
        minute = minute.add(cost(ofDuration.get(), 1));
      }
      return this;
    }

    private BigDecimal cost(Rate rate, long units) {
      return card.unitPrice(rate, band, sharing)
          .multiply(BigDecimal.valueOf(units))
          .divide(BigDecimal.valueOf(rate.per()), SCALE, RateCard.ROUNDING)
          .stripTrailingZeros();
    }

    Quote quote(Instant at) {
      return new Quote(at, card.id(), band, card.currency(), parts, amount, storage(), minute);
    }

    private List<Storage> storage() {
      List<Storage> storage = new ArrayList<>();
      for (Rate rate : card.rates()) {
        if (rate.measure().isStorage()) {
          for (Persistence kept : card.chargedApart(rate.measure())) {
            storage.add(new Storage(kept, rate, card.unitPrice(rate, band, sharing, kept)));
          }
        }
      }
      return storage;
    }
  }
}
