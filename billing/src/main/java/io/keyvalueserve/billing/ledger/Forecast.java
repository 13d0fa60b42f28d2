package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The expected total of a month, if the tenant goes on as it does. It is the sum of what was spent,
 * and for each minute that is left the mean cost of a recent minute. Recent means the last {@value
 * #LATE_DAYS} days, or the time since the tenant first used anything if that is shorter.
 *
 * <p>A straight line. It does not know that what was used at peak hours alone, or what is free at
 * the beginning of a month, costs more or less in the minutes that are left.
 *
 * @param total the forecast, as many decimals as a line of an invoice
 * @param since since when late is; null if nothing is left to foretell, or nothing was used yet
 * @param basis how it was computed, in words
 */
public record Forecast(BigDecimal total, @Nullable Instant since, String basis) {
  private static final int LATE_DAYS = 7;
  private static final long LATE_MINUTES = LATE_DAYS * 24 * 60;

  /**
   * Computes it.
   *
   * @throws IllegalArgumentException if something was used when no rate card holds; the message
   *     says when
   */
  public static Forecast of(TenantLedger ledger, YearMonth month, RateCards cards, Instant now) {
    BillingPeriod period = new BillingPeriod(month, cards.zone());
    long minute = Math.floorDiv(now.getEpochSecond(), 60L);
    BigDecimal spent = Invoices.spent(ledger, period, cards, Long.MAX_VALUE);
    long left = period.endMinute() - Math.max(minute, period.startMinute());
    if (left <= 0) {
      return new Forecast(spent, null, "the month is over");
    }
    long since = Math.max(minute - LATE_MINUTES, firstMinute(ledger));
    if (since >= minute) {
      return new Forecast(spent, null, "nothing was used before this minute");
    }
    Instant from = Instant.ofEpochSecond(since * 60);
    BigDecimal coming =
        spentBetween(ledger, cards, since, minute)
            .multiply(BigDecimal.valueOf(left))
            .divide(BigDecimal.valueOf(minute - since), cards.lineScale(), RateCard.ROUNDING);
    return new Forecast(
        spent.add(coming),
        from,
        "spent so far, and the mean since " + from + " for the " + left + " minutes left");
  }

  private static long firstMinute(TenantLedger ledger) {
    return ledger.entries().stream()
        .flatMap(entry -> entry.usage().stream())
        .mapToLong(event -> event.identity().minute())
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Two months at most: what was spent in them before the end, less that before the beginning. */
  private static BigDecimal spentBetween(
      TenantLedger ledger, RateCards cards, long from, long until) {
    BillingPeriod first = BillingPeriod.at(Instant.ofEpochSecond(from * 60), cards.zone());
    BigDecimal spent =
        Invoices.spent(ledger, first, cards, until)
            .subtract(Invoices.spent(ledger, first, cards, from));
    return first.contains(until - 1)
        ? spent
        : spent.add(Invoices.spent(ledger, first.next(), cards, until));
  }
}
