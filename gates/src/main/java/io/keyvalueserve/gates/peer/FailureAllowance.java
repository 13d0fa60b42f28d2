package io.keyvalueserve.gates.peer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The number of failures that are allowed: 20 at once, and then one each half second.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, annex A): of each one time is kept, at which it
 * would have used up nothing. The latest 4,096 are kept, some 0.5 MB. Thread-safe.
 */
public final class FailureAllowance {
  private static final int MOST_KEPT = 4_096;
  private static final int AT_ONCE = 20;
  private static final long INTERVAL_NANOS = 500_000_000;

  private final LongSupplier nanoClock;
  private final Map<String, Long> unused =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST_KEPT;
        }
      };

  /**
   * Nobody has failed yet.
   *
   * @param nanoClock a monotonic clock, in nanoseconds
   */
  public FailureAllowance(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Takes one failure of somebody's.
   *
   * @return 0 if there was one, else in how many milliseconds there will be
   */
  public synchronized long take(String who) {
    long now = nanoClock.getAsLong();
    long known = unused.getOrDefault(who, now);
    long at = known - now > 0 ? known : now;
    long wait = at - now - (AT_ONCE - 1) * INTERVAL_NANOS;
    if (wait > 0) {
      return (wait + 999_999) / 1_000_000;
    }
    unused.put(who, at + INTERVAL_NANOS);
    return 0;
  }

  /** Gives one back that was taken: it was no failure. */
  public synchronized void giveBack(String who) {
    Long unusedHere = unused.computeIfPresent(who, (key, at) -> at - INTERVAL_NANOS);
    if (unusedHere != null && unusedHere - nanoClock.getAsLong() <= 0) {
      unused.remove(who);
    }
  }

  /** Returns the number of entries that are kept. */
  synchronized int kept() {
    return unused.size();
  }
}
