package io.keyvalueserve.billing.spending;

import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.TreeSet;

/**
 * The limit on what a tenant may spend in a billing period.
 *
 * @param cap the most: more than 0, up to 9 x 10^9, up to 9 decimals
 * @param currency of the cap
 * @param action what becomes of more
 * @param burstPercent with {@link SpendAction#THROTTLE}, how much of the cap may be spent at the
 *     beginning: 1 to 100; with {@link SpendAction#REFUSE} it is 100
 * @param warnPercents of the cap: at which to warn, 1 to 100 each, up to 10 of them
 */
public record SpendLimit(
    BigDecimal cap,
    Currency currency,
    SpendAction action,
    int burstPercent,
    List<Integer> warnPercents) {
  private static final BigDecimal MOST = BigDecimal.valueOf(9_000_000_000L);
  private static final int MOST_WARNINGS = 10;

  /**
   * @throws InvalidSpendLimitException if a field is out of its range; the message names it and
   *     says the remedy
   */
  public SpendLimit {
    require(
        cap.signum() > 0 && cap.compareTo(MOST) <= 0,
        "cap",
        "more than 0, up to " + MOST.toPlainString(),
        cap);
    require(
        cap.stripTrailingZeros().scale() <= NanoMoney.DECIMALS,
        "cap",
        "of up to " + NanoMoney.DECIMALS + " decimals",
        cap);
    require(burstPercent >= 1 && burstPercent <= 100, "burstPercent", "1 to 100", burstPercent);
    require(
        action == SpendAction.THROTTLE || burstPercent == 100,
        "burstPercent",
        "100 where requests are refused",
        burstPercent);
    warnPercents = List.copyOf(new TreeSet<>(warnPercents));
    require(
        warnPercents.size() <= MOST_WARNINGS
            && warnPercents.stream().allMatch(percent -> percent >= 1 && percent <= 100),
        "warnPercents",
        "up to 10 numbers from 1 to 100",
        warnPercents);
  }

  /** Refuses what is more than the cap; warns at 50, 80 and 100 percent. */
  public static SpendLimit refusing(BigDecimal cap, Currency currency) {
    return new SpendLimit(cap, currency, SpendAction.REFUSE, 100, List.of(50, 80, 100));
  }

  private static void require(boolean holds, String field, String rule, Object value) {
    if (!holds) {
      throw new InvalidSpendLimitException(
          field, "spend limit: %s is wrong: %s; it is %s".formatted(field, value, rule));
    }
  }

  long capNanos() {
    return NanoMoney.ofAtLeast(cap);
  }

  /**
   * Returns those of {@link #warnPercents} that were spent, the lowest first.
   *
   * @param spentNanos in nano units: 0 or more
   */
  public List<Integer> reached(long spentNanos) {
    return warnPercents.stream().filter(percent -> spentNanos >= nanos(percent)).toList();
  }

  /** Percent of the cap, rounded down. */
  long nanos(int percent) {
    long nanos = capNanos();
    return nanos / 100 * percent + nanos % 100 * percent / 100;
  }
}
