package io.keyvalueserve.journal;

import java.time.Duration;

/**
 * The pace of scrubbing the log. A pass begins when a period is over, and takes as long as the
 * period. A small log is read faster than that, at the least rate. A very large one is not read
 * faster than at the greatest rate. Time in which nothing could be read is not made up for. For one
 * thread.
 */
final class ScrubPace {
  static final long LEAST_BYTES_PER_SECOND = 1 << 20;
  static final long MOST_BYTES_PER_SECOND = 64 << 20;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MOST_CREDIT_SECONDS = 0.5;

  private final long periodNanos;
  private final JournalClock clock;
  private boolean begun;
  private long begunNanos;
  private long nanosBefore;
  private double bytesPerSecond = LEAST_BYTES_PER_SECOND;
  private double credit;

  /**
   * @param period zero for no passes
   */
  ScrubPace(Duration period, JournalClock clock) {
    periodNanos = period.toNanos();
    this.clock = clock;
  }

  /** Returns whether it is time for the next pass. */
  boolean isDue() {
    return periodNanos > 0 && (!begun || clock.nanoTime() - begunNanos >= periodNanos);
  }

  /** A pass over so many bytes begins. */
  void begin(long bytes) {
    begun = true;
    begunNanos = clock.nanoTime();
    nanosBefore = begunNanos;
    double even = periodNanos == 0 ? 0 : bytes / (periodNanos / NANOS_PER_SECOND);
    bytesPerSecond = Math.clamp(even, LEAST_BYTES_PER_SECOND, MOST_BYTES_PER_SECOND);
    credit = 0;
  }

  /** Returns whether some bytes may be read now. */
  boolean mayRead() {
    long now = clock.nanoTime();
    credit += (now - nanosBefore) / NANOS_PER_SECOND * bytesPerSecond;
    credit = Math.min(credit, MOST_CREDIT_SECONDS * bytesPerSecond);
    nanosBefore = now;
    return credit > 0;
  }

  /** Counts bytes that were read. */
  void read(long bytes) {
    credit -= bytes;
  }

  /** The rate of the pass. */
  double bytesPerSecond() {
    return bytesPerSecond;
  }
}
