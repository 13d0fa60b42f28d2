package io.keyvalueserve.maps.readable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the values that queries and indexes passed over as they are not readable or do not
 * compare, and says so in the log, at most once a minute. Thread-safe.
 */
public final class Unreadable {
  private static final Logger LOG = LoggerFactory.getLogger(Unreadable.class);
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private static final LongAdder COUNT = new LongAdder();
  private static final AtomicLong NEXT_LINE = new AtomicLong(System.nanoTime());

  private Unreadable() {}

  /** Counts a value that has no attributes for a query. */
  public static void passedOver(RuntimeException reason) {
    passedOver(String.valueOf(reason.getMessage()));
  }

  /** Counts a value that has no attributes for a query or an index. */
  public static void passedOver(String reason) {
    COUNT.increment();
    long now = System.nanoTime();
    long next = NEXT_LINE.get();
    if (now - next >= 0 && NEXT_LINE.compareAndSet(next, now + MINUTE)) {
      LOG.warn(
          "queries and indexes saw no attributes in values that members do not read or compare: {}"
              + " so far, the last since {}",
          COUNT.sum(),
          reason);
    }
  }

  /** Returns how often this process has passed over a value. */
  public static long count() {
    return COUNT.sum();
  }
}
