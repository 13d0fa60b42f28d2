package io.keyvalueserve.billing.metering;

/**
 * Integrates a level over time: bytes held become byte-seconds.
 *
 * <p>A level holds from when it is told until another is. It may be told whenever it changes, which
 * is exact, or be sampled at intervals, which is as exact as the intervals are short. Either way
 * nothing is rounded: unit-nanoseconds are kept in 128 bits, whole unit-seconds are taken out, and
 * what is left of a second stays for the next time.
 *
 * <p>Times are of {@link System#nanoTime} or a clock that runs like it; one that is older than the
 * last one counts as the last one. Not thread-safe.
 */
public final class LevelIntegrator {
  private static final long NANOS_A_SECOND = 1_000_000_000L;

  private long level;
  private long sinceNanos;

  // What was not taken yet, in unit-nanoseconds: high x 2^64 + low, low without a sign.
  private long high;
  private long low;

  /** Begins with a level of 0. */
  public LevelIntegrator(long nowNanos) {
    sinceNanos = nowNanos;
  }

  /**
   * Says what the level is from now on.
   *
   * @param newLevel 0 or more
   * @throws IllegalArgumentException if it is negative; nothing is changed
   */
  public void set(long newLevel, long nowNanos) {
    if (newLevel < 0) {
      throw new IllegalArgumentException("a level is 0 or more: " + newLevel);
    }
    integrate(nowNanos);
    level = newLevel;
  }

  /**
   * Says that the level changes now.
   *
   * @param change what to add, or with a negative number to take off
   * @throws IllegalArgumentException if it would be negative or more than a long holds; nothing is
   *     changed
   */
  public void change(long change, long nowNanos) {
    long next = level + change;
    if (next < 0 || (change > 0 && next < level)) {
      throw new IllegalArgumentException(
          "a level is 0 to 2^63 - 1: " + level + " and a change of " + change);
    }
    set(next, nowNanos);
  }

  /** The level at present. */
  public long level() {
    return level;
  }

  /**
   * Takes out the whole unit-seconds until now. More than 2^63 - 1 are not taken at once; the rest
   * stays for the next time.
   *
   * @return 0 or more
   */
  public long take(long nowNanos) {
    integrate(nowNanos);
    long seconds = wholeSeconds();
    long takenLow = seconds * NANOS_A_SECOND;
    long takenHigh = Math.multiplyHigh(seconds, NANOS_A_SECOND);
    high -= takenHigh + (Long.compareUnsigned(low, takenLow) < 0 ? 1 : 0);
    low -= takenLow;
    return seconds;
  }

  private void integrate(long nowNanos) {
    long elapsed = nowNanos - sinceNanos;
    if (elapsed <= 0) {
      return;
    }
    sinceNanos = nowNanos;
    long moreLow = level * elapsed;
    high += Math.multiplyHigh(level, elapsed);
    low += moreLow;
    if (Long.compareUnsigned(low, moreLow) < 0) {
      high++;
    }
  }

  /** The quotient of 128 bits by a second, 2^63 - 1 if it is more; long division by 32 bits. */
  private long wholeSeconds() {
    if (high >= NANOS_A_SECOND / 2) {
      return Long.MAX_VALUE; // 2^63 seconds are 2^64 x half of 10^9 nanoseconds
    }
    long middle = (high << 32) | (low >>> 32); // high is below 2^29, so this is below 2^61
    long quotientHigh = middle / NANOS_A_SECOND;
    long rest = ((middle % NANOS_A_SECOND) << 32) | (low & 0xffff_ffffL);
    return (quotientHigh << 32) + Long.divideUnsigned(rest, NANOS_A_SECOND);
  }
}
