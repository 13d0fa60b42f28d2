package io.keyvalueserve.gates.peer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A leaky bucket: so many turns a second, of which some may be taken at once. Thread-safe. */
final class Pace {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;
  private final long intervalNanos;
  private final long aheadNanos;

  /** The time when the next turn is due, if it is later than now; by {@link #nanoTime}. */
  private final AtomicLong nextNanos;

  /**
   * Makes a full bucket.
   *
   * @param perSecond turns in a second, at least 1
   * @param aheadNanos how far turns may run ahead of their time, not negative
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  Pace(int perSecond, long aheadNanos, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.intervalNanos = SECOND / perSecond;
    this.aheadNanos = aheadNanos;
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  /**
   * Takes a turn if there is one.
   *
   * @return 0 if the turn was taken, else the nanoseconds after which to ask again
   */
  long take() {
    while (true) {
      long now = nanoTime.getAsLong();
      long next = nextNanos.get();
      long ahead = next - now;
      if (ahead > aheadNanos) {
        return ahead - aheadNanos;
      }
      if (nextNanos.compareAndSet(next, (ahead > 0 ? next : now) + intervalNanos)) {
        return 0;
      }
    }
  }
}
