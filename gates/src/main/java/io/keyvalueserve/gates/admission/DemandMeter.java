package io.keyvalueserve.gates.admission;

import java.util.concurrent.atomic.LongAdder;

/**
 * The demand of a tenant for one resource on one member, in tokens a second. It includes what was
 * admitted and what was refused.
 *
 * <p><b>How.</b> An exponential moving average over slices of any length. A slice counts for as
 * much as it knows: fully when {@value #ENOUGH} askings came or were to be expected in it, else in
 * proportion to those expected. A thousand askings a second are therefore known from one slice, and
 * ten a second from the last second. A slice's weight does not depend on what came by chance, which
 * would bend the average.
 *
 * <p>Many threads may {@link #add}; the rest is for one.
 */
final class DemandMeter {
  private static final int ENOUGH = 8;
  private static final double RISE = 1.5;
  private static final double SLOWEST_NANOS = 2e9;
  private static final long SHORTEST_NANOS = 5_000_000;

  private final LongAdder asked = new LongAdder();
  private volatile long grain; // the most that was asked for at once, of late
  private long sliceNanos;
  private long closedAsked;
  private long lookedNanos;
  private long lookedAsked;
  private int quiet;
  private double perSecond;

  DemandMeter(long nowNanos) {
    sliceNanos = nowNanos;
    lookedNanos = nowNanos;
  }

  /** Adds one asking. */
  void add(long amount) {
    asked.add(amount);
    if (amount > grain) {
      grain = amount; // of two that are written at once either will do
    }
  }

  /** Tokens a second as of the last slice. */
  double perSecond() {
    return perSecond;
  }

  /**
   * Looks at what came since it looked last, and tells whether that is clearly something else than
   * before: half as much again, or nothing at all twice in a row. The slice then begins anew with
   * what was seen, so that it says nothing of the time before.
   *
   * @param ups whether to look for more as well as for nothing
   */
  boolean hasTurned(boolean ups, long nowNanos) {
    long nanos = nowNanos - lookedNanos;
    if (nanos < SHORTEST_NANOS) {
      return false;
    }
    long sum = asked.sum();
    long came = sum - lookedAsked;
    double expected = perSecond * nanos / 1e9;
    quiet = came == 0 && expected >= enough() ? quiet + 1 : 0;
    boolean turned = quiet == 2 || (ups && came >= enough() && came > RISE * expected);
    if (turned) {
      sliceNanos = lookedNanos;
      closedAsked = lookedAsked;
    }
    lookedNanos = nowNanos;
    lookedAsked = sum;
    return turned;
  }

  /**
   * Ends the slice, unless it is too short to say anything, and returns what is asked for, in
   * tokens a second.
   */
  double close(long nowNanos) {
    long nanos = nowNanos - sliceNanos;
    if (nanos < SHORTEST_NANOS) {
      return perSecond;
    }
    long sum = asked.sum();
    long open = sum - closedAsked;
    double weight = Math.max(nanos / SLOWEST_NANOS, perSecond * nanos / 1e9 / enough());
    if (open >= enough()) {
      weight = 1;
    }
    perSecond += Math.min(1, weight) * (open * 1e9 / nanos - perSecond);
    long most = grain;
    grain = most - (most + 31) / 32; // and of a change in between either will do
    closedAsked = sum;
    sliceNanos = nowNanos;
    lookedAsked = sum;
    lookedNanos = nowNanos;
    quiet = 0;
    return perSecond;
  }

  private double enough() {
    return (double) ENOUGH * Math.max(1, grain);
  }
}
