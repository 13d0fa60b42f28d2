package io.keyvalueserve.bench;

import java.util.function.LongSupplier;

/**
 * Holds a thread to a share of a core. What the thread does not use for a moment it may use later,
 * up to 20 ms. Not thread-safe.
 */
final class CpuShare {
  private static final double MOST_SAVED_NANOS = 20e6;

  private final double share;
  private final LongSupplier cpuNanos;
  private final LongSupplier nanoTime;
  private long cpuBefore;
  private long timeBefore;
  private double savedNanos;

  /**
   * Begins now.
   *
   * @param share more than 0, and 1 at most
   * @param cpuNanos the processor time of the thread
   * @param nanoTime a clock
   */
  CpuShare(double share, LongSupplier cpuNanos, LongSupplier nanoTime) {
    this.share = share;
    this.cpuNanos = cpuNanos;
    this.nanoTime = nanoTime;
    cpuBefore = cpuNanos.getAsLong();
    timeBefore = nanoTime.getAsLong();
  }

  /** Returns how many nanoseconds the thread has to rest now; 0 if it may go on. */
  long restNanos() {
    long cpu = cpuNanos.getAsLong();
    long time = nanoTime.getAsLong();
    savedNanos += share * (time - timeBefore);
    savedNanos -= (double) (cpu - cpuBefore);
    savedNanos = Math.min(savedNanos, MOST_SAVED_NANOS);
    cpuBefore = cpu;
    timeBefore = time;
    return savedNanos >= 0 ? 0 : (long) (-savedNanos / share);
  }
}
