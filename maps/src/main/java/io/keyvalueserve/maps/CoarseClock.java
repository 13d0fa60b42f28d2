package io.keyvalueserve.maps;

import com.hazelcast.internal.util.Clock;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The time to a quarter of a second, for what is kept in seconds. To ask the machine takes longer
 * than to find an entry, and it waits for all memory that was asked for before.
 *
 * <p>Thread-safe. Goes as long as the member's own scheduler does.
 */
final class CoarseClock {
  private static final long TICK_MILLIS = 250;

  private volatile long millis = Clock.currentTimeMillis();

  /** Starts it. */
  CoarseClock(ExecutionService scheduler) {
    ScheduledFuture<?> _ =
        scheduler.scheduleWithRepetition(
            () -> millis = Clock.currentTimeMillis(),
            TICK_MILLIS,
            TICK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Milliseconds since 1970, at most a quarter of a second ago while the scheduler keeps up. */
  long millis() {
    return millis;
  }
}
