package io.keyvalueserve.bench;

import java.util.concurrent.TimeUnit;

/**
 * When which request is due, whatever the server does: evenly spaced, without an error that grows.
 *
 * @param begin when request 0 is due, in the time of {@link System#nanoTime}
 * @param perSecond requests in a second, from 1 to 1,000,000
 */
record IsolationTimetable(long begin, long perSecond) {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /** When a request is due. */
  long due(long number) {
    return begin + number / perSecond * SECOND + number % perSecond * SECOND / perSecond;
  }

  /** The first request that is due at a moment or later. */
  long first(long moment) {
    long after = Math.max(0, moment - begin);
    return after / SECOND * perSecond + Math.ceilDiv(after % SECOND * perSecond, SECOND);
  }

  /** How many requests are due from a moment on and before another. */
  long between(long from, long to) {
    return first(to) - first(from);
  }
}
