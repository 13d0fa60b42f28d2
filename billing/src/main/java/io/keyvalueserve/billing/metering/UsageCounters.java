package io.keyvalueserve.billing.metering;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one tenant, map and sharing level.
 *
 * <p><b>Why nothing is lost.</b> Counters only grow and are never set back, as {@link
 * LongAdder#sumThenReset} says nothing of what is added meanwhile. A flush takes the difference to
 * the sum that it saw last. A sum reads each cell once; what is added behind its back is in a later
 * sum, and differences of sums add up to the last sum. Sums wrap around; differences do not care.
 */
final class UsageCounters {
  private final LongAdder[] sums = new LongAdder[Measure.COUNT];

  /** The sums at the last flush. Accessed only by the flushing thread. */
  private final long[] flushed = new long[Measure.COUNT];

  /** The sums at the last sample; null before the first one. Guarded by the book. */
  private long @Nullable [] sampled;

  UsageCounters() {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = new LongAdder();
    }
  }

  void add(Measure measure, long quantity) {
    if (quantity < 0) {
      throw new IllegalArgumentException(
          "what is counted is 0 or more: " + measure.label() + " " + quantity);
    }
    sums[measure.index()].add(quantity);
  }

  /** Returns the quantities added since the last call. For one thread at a time. */
  UsageQuantities flush() {
    long[] quantities = new long[Measure.COUNT];
    for (int i = 0; i < sums.length; i++) {
      long sum = sums[i].sum();
      quantities[i] = sum - flushed[i];
      flushed[i] = sum;
    }
    return UsageQuantities.of(quantities);
  }

  /**
   * Returns the quantities added since the last sample, flushed or not; null if there are none. For
   * one thread at a time.
   */
  @Nullable UsageQuantities sample() {
    long[] before = sampled == null ? new long[Measure.COUNT] : sampled;
    sampled = before;
    long[] more = null;
    for (int i = 0; i < sums.length; i++) {
      long sum = sums[i].sum();
      if (sum != before[i]) {
        more = more == null ? new long[Measure.COUNT] : more;
        more[i] = sum - before[i];
        before[i] = sum;
      }
    }
    return more == null ? null : UsageQuantities.of(more);
  }
}
