package io.keyvalueserve.gates;

import java.util.concurrent.TimeUnit;

/**
 * The recent rates of a tenant's counters. They are measured between the last two looks that were a
 * second or more apart; the first look is the moment the counters were made. Costs nothing while
 * nobody looks. Thread-safe.
 */
public final class RecentRates {
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  // Guarded by this.
  private long nanos;
  private long operations;
  private long bytesIn;
  private long bytesOut;
  private PerSecond rates = new PerSecond(0, 0, 0);

  /**
   * Creates rates for counters that are 0 at {@code nowNanos}, a time in nanoseconds since any
   * moment.
   */
  RecentRates(long nowNanos) {
    nanos = nowNanos;
  }

  /**
   * The rates per second.
   *
   * @param operations that were admitted
   * @param bytesIn bytes read
   * @param bytesOut bytes written
   */
  public record PerSecond(double operations, double bytesIn, double bytesOut) {}

  /** Looks at the counters. */
  synchronized PerSecond look(
      long nowNanos, long operationsNow, long bytesInNow, long bytesOutNow) {
    long passed = nowNanos - nanos;
    if (passed >= LEAST_NANOS) {
      double seconds = passed / NANOS_PER_SECOND;
      rates =
          new PerSecond(
              (operationsNow - operations) / seconds,
              (bytesInNow - bytesIn) / seconds,
              (bytesOutNow - bytesOut) / seconds);
      nanos = nowNanos;
      operations = operationsNow;
      bytesIn = bytesInNow;
      bytesOut = bytesOutNow;
    }
    return rates;
  }
}
