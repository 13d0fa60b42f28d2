package io.keyvalueserve.maps.reclaim;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures how fast free pages are used up. The free pages have to last until the thread that
 * reclaims has looked again, and has been given a processor to do so. For one thread.
 */
final class PageFlow {
  private static final long AHEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(120);
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A rush is forgotten by so much with each look. */
  private static final int FORGOTTEN_PART = 16;

  private final LongSupplier nanoClock;
  private long lookedNanos;
  private long freeBytes;
  private long bytesAhead;

  /** None is used up yet. */
  PageFlow(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
  }

  /**
   * Looks how much is free now.
   *
   * @return how much may be used up before the next look is sure to have come, in bytes; 0 or more
   */
  long look(long free) {
    long now = nanoClock.getAsLong();
    long elapsed = now - lookedNanos;
    if (elapsed >= LEAST_NANOS) {
      long ahead = Math.max(0, freeBytes - free) * AHEAD_NANOS / elapsed;
      bytesAhead = Math.max(ahead, bytesAhead - bytesAhead / FORGOTTEN_PART);
      lookedNanos = now;
      freeBytes = free;
    }
    return bytesAhead;
  }
}
