package io.keyvalueserve.maps;

import com.hazelcast.internal.util.Clock;

/**
 * The time to a quarter of a second, for what is kept in seconds. To ask the machine takes longer
 * than to find an entry, and it waits for all memory that was asked for before.
 *
 * <p>Thread-safe. Goes as long as the member's {@link OwnedTime} does.
 */
final class CoarseClock {
  private static final long TICK_MILLIS = 100;

  private volatile long millis = Clock.currentTimeMillis();

  /** Starts it. */
  CoarseClock(OwnedTime ticks) {
    ticks.repeat(() -> millis = Clock.currentTimeMillis(), TICK_MILLIS);
  }

  /** Milliseconds since 1970, at most a quarter of a second ago while the thread keeps up. */
  long millis() {
    return millis;
  }
}
