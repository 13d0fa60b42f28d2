package io.keyvalueserve.billing.pricing;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneId;

/**
 * The period of one invoice: a month, from its first local midnight to the next one's.
 *
 * @param month the month
 * @param zone whose local time it is
 */
public record BillingPeriod(YearMonth month, ZoneId zone) {
  /** The one that an instant is in. */
  public static BillingPeriod at(Instant instant, ZoneId zone) {
    return new BillingPeriod(YearMonth.from(instant.atZone(zone)), zone);
  }

  /** Returns the beginning of the period. */
  public Instant start() {
    return month.atDay(1).atStartOfDay(zone).toInstant();
  }

  /** Returns the end of the period, which is the beginning of the next one. */
  public Instant end() {
    return next().start();
  }

  /** The first minute that is in it, since 1970. */
  public long startMinute() {
    return start().getEpochSecond() / 60;
  }

  /** The first minute that is not in it any more. */
  public long endMinute() {
    return end().getEpochSecond() / 60;
  }

  /** Returns whether a minute is in this period. */
  public boolean contains(long minute) {
    return minute >= startMinute() && minute < endMinute();
  }

  /** The month after. */
  public BillingPeriod next() {
    return new BillingPeriod(month.plusMonths(1), zone);
  }

  /** The month and the zone: {@code 2026-03 Europe/Berlin}. */
  @Override
  public String toString() {
    return month + " " + zone;
  }
}
