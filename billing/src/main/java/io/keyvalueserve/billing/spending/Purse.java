package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one tenant on one member. Doors ask it whether the tenant may spend what a request
 * costs. Every tenant has one. Without a cap, it costs one volatile read.
 *
 * <p>Thread-safe and lock-free; taking and charging allocate nothing.
 */
public final class Purse {
  private final InstantSource clock;
  private volatile @Nullable Content content;

  Purse(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * A cap, and what requests cost at present.
   *
   * @param prices null while no rate card holds: then they cost nothing
   */
  record Content(SpendCap cap, @Nullable RequestPrices prices) {}

  /**
   * The cap and the month in force.
   *
   * @param limit the cap
   * @param period the month
   */
  public record Holds(SpendLimit limit, BillingPeriod period) {}

  void put(@Nullable Content next) {
    content = next;
  }

  /** Returns whether the tenant has a cap. */
  public boolean isCapped() {
    return content != null;
  }

  /**
   * Takes what a request costs, if it may be spent.
   *
   * @param measure what the request does
   * @param operations on how many keys: 0 or more
   * @param bytes of the request: 0 or more
   * @return as {@link SpendCap#take}; 0 without a cap
   */
  public long take(Measure measure, long operations, long bytes) {
    Content now = content;
    if (now == null) {
      return 0;
    }
    RequestPrices prices = now.prices;
    return now.cap.take(
        prices == null ? 0 : prices.request(measure, operations, bytes, 0), clock.millis());
  }

  /**
   * Takes the cost of several operations at once, if it may be spent.
   *
   * @param reads how many read: 0 or more; the others likewise
   */
  public long take(long reads, long writes, long deletes, long bytes) {
    Content now = content;
    if (now == null) {
      return 0;
    }
    RequestPrices prices = now.prices;
    long nanos = 0;
    if (prices != null) {
      nanos = prices.request(Measure.READS, reads, bytes, 0);
      nanos = NanoMoney.add(nanos, prices.cost(Measure.WRITES, writes));
      nanos = NanoMoney.add(nanos, prices.cost(Measure.DELETES, deletes));
    }
    return now.cap.take(nanos, clock.millis());
  }

  /**
   * Takes what something has cost that was done already.
   *
   * @param units of the measure: 0 or more
   */
  public void charge(Measure measure, long units) {
    Content now = content;
    RequestPrices prices = now == null ? null : now.prices;
    if (now != null && prices != null) {
      now.cap.charge(prices.cost(measure, units), clock.millis());
    }
  }

  /** Returns the cap and the month in force; null without a cap. */
  public @Nullable Holds holds() {
    Content now = content;
    return now == null ? null : new Holds(now.cap.limit(), now.cap.period(clock.millis()));
  }
}
