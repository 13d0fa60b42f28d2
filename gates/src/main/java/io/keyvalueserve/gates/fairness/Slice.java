package io.keyvalueserve.gates.fairness;

import java.util.function.LongSupplier;

/**
 * The time for which a thread may serve its present session, and the work done meanwhile. It is
 * unbounded while only one tenant is on the thread.
 *
 * <p>The clock is looked at now and then only, so that looking costs little beside the work: some
 * requests are always served. One for each thread, and of that thread alone.
 */
public final class Slice {
  /** The arguments that may be worked on between two looks at the clock. */
  private static final int ARGUMENTS = 16;

  /** The bytes, in or out, that cost about as much as one argument. */
  private static final int BYTES_OF_ARGUMENT = 256;

  private final LongSupplier nanoTime;
  private final UsualCosts costs;
  private boolean isBounded;
  private boolean isOver;
  private long endNanos;
  private long worked;

  /**
   * Without a bound.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param sorts how many sorts of work there are: 1 or more
   */
  public Slice(LongSupplier nanoTime, int sorts) {
    this.nanoTime = nanoTime;
    this.costs = new UsualCosts(sorts);
  }

  /**
   * Bounds what is done from now on.
   *
   * @param end when it is over, by the clock
   */
  public void begin(long end) {
    costs.begin();
    isBounded = true;
    endNanos = end;
    worked = 0;
  }

  /** Ends the bound: work from now on is unbounded. */
  public void end() {
    isBounded = false;
    isOver = false;
  }

  /** Returns whether the slice is bounded. */
  public boolean isBounded() {
    return isBounded;
  }

  /** Returns whether the session has to stop. */
  public boolean isOver() {
    return isOver;
  }

  /**
   * Returns the usual time, in nanoseconds, of the work done since the slice began; 0 if unknown.
   * {@link #took} has to be called next.
   */
  public long usualNanos() {
    return costs.usualNanos();
  }

  /** Learns how long it took, in nanoseconds, without what the thread did not run. */
  public void took(long nanos) {
    costs.took(nanos);
  }

  /** Looks at the clock: for work that is told later, with the request that it is a part of. */
  public void look() {
    if (isBounded) {
      isOver = nanoTime.getAsLong() - endNanos >= 0;
    }
  }

  /**
   * Tells what was done.
   *
   * @param sort of work: from 0 on
   * @param arguments of requests, or outcomes: 0 or more
   * @param bytes of requests and replies: 0 or more
   */
  public void worked(int sort, int arguments, long bytes) {
    if (isBounded) {
      long amount = arguments + bytes / BYTES_OF_ARGUMENT;
      costs.did(sort, amount);
      worked += amount;
      if (worked >= ARGUMENTS) {
        worked = 0;
        look();
      }
    }
  }
}
