package io.keyvalueserve.maps.reclaim;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs compactions, but only those that are worth it: never more than half of the time, and after
 * one that brought nothing only when much more is scattered than then, or a long time later.
 *
 * <p>One thread runs them; what is counted is for any.
 */
final class PacedCompaction {
  private static final Logger LOG = LoggerFactory.getLogger(PacedCompaction.class);
  private static final int LEAST_PART = 64;
  private static final int FRUITLESS_PAUSE = 20;

  private final LongSupplier compaction;
  private final LongSupplier nanoClock;
  private final long leastBytes;
  private long nextNanos;
  private long scatteredBytes;
  private boolean fruitful = true;
  private volatile long runs;
  private volatile long gatheredBytes;

  /**
   * None has run yet.
   *
   * @param compaction gathers what is scattered and says how many bytes of pages came free
   * @param capacityBytes of all memory: 1 or more
   */
  PacedCompaction(LongSupplier compaction, long capacityBytes) {
    this(compaction, capacityBytes, System::nanoTime);
  }

  PacedCompaction(LongSupplier compaction, long capacityBytes, LongSupplier nanoClock) {
    this.compaction = compaction;
    this.nanoClock = nanoClock;
    this.leastBytes = capacityBytes / LEAST_PART;
    this.nextNanos = nanoClock.getAsLong();
  }

  /**
   * Runs one if it may bring something and it is time.
   *
   * @param scattered bytes in pages that are in use by others
   * @return whether any page came free
   */
  boolean runIfWorthIt(long scattered) {
    boolean isTime = nanoClock.getAsLong() - nextNanos >= 0;
    boolean isNew = !fruitful && scattered - scatteredBytes > leastBytes;
    if (scattered <= leastBytes || !(isTime || isNew)) {
      return false;
    }
    scatteredBytes = scattered;
    return run();
  }

  /** Runs one. Returns whether any page came free. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // there is one thread
  boolean run() {
    long begin = nanoClock.getAsLong();
    long came = compaction.getAsLong();
    long end = nanoClock.getAsLong();
    fruitful = came > 0;
    nextNanos = end + (end - begin) * (fruitful ? 1 : FRUITLESS_PAUSE);
    runs++;
    gatheredBytes += came;
    LOG.debug(
        "compacted memory: {} bytes of pages came free in {} ms",
        came,
        TimeUnit.NANOSECONDS.toMillis(end - begin));
    return fruitful;
  }

  /**
   * Returns whether a compaction would run, now or soon, that may free as much as the last one did.
   *
   * @param scattered bytes in pages that are in use by others
   */
  boolean mayHelp(long scattered) {
    return fruitful && runs > 0 && scattered > leastBytes;
  }

  /** Returns the number of compactions. */
  long runs() {
    return runs;
  }

  /** The bytes of pages that came free by all of them. */
  long gatheredBytes() {
    return gatheredBytes;
  }
}
