package io.keyvalueserve.gates.admission;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The gate for one limit of a tenant on one member. It admits requests within this member's share
 * of the limit, and counts the demand.
 *
 * <p>A door looks its gates up once for each session. Thread-safe; never blocks. Where nothing is
 * limited it costs one volatile read, and nothing is counted.
 */
public final class Gate {
  private final TokenBucket bucket = new TokenBucket();
  private final DemandMeter demand;
  private final AtomicBoolean refusing;

  /**
   * @param refusing set when this gate refuses something
   */
  Gate(long nowNanos, AtomicBoolean refusing) {
    this.demand = new DemandMeter(nowNanos);
    this.refusing = refusing;
  }

  /**
   * Takes tokens if they are there; see {@link TokenBucket#take}. Who is refused and asks again is
   * counted again: that raises this member's share at most to a fair one.
   *
   * @return 0 if they were taken, else nanoseconds after which as many could be
   */
  public long take(long amount, long nowNanos) {
    if (!bucket.isLimited()) {
      return 0;
    }
    demand.add(amount);
    long waitNanos = bucket.take(amount, nowNanos);
    if (waitNanos > 0 && !refusing.getPlain()) {
      refusing.set(true);
    }
    return waitNanos;
  }

  /** Takes tokens whether they are there or not; see {@link TokenBucket#charge}. */
  public void charge(long amount, long nowNanos) {
    if (bucket.isLimited()) {
      demand.add(amount);
      bucket.charge(amount, nowNanos);
    }
  }

  /** Returns whether this gate limits anything. */
  boolean isLimited() {
    return bucket.isLimited();
  }

  TokenBucket bucket() {
    return bucket;
  }

  DemandMeter demand() {
    return demand;
  }
}
