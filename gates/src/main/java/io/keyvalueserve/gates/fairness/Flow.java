package io.keyvalueserve.gates.fairness;

import org.jspecify.annotations.Nullable;

/**
 * One tenant on one thread: its claims that are ready, in the order they became so, and what it may
 * use yet. Confined to the thread.
 */
final class Flow<T> {
  /**
   * The binary logarithm of the number of slices that {@link #took} and {@link #usual} average
   * over.
   */
  private static final int SMOOTHING = 6;

  /**
   * A tenant whose slices differ from what is usual by more than a part of that is charged them.
   */
  private static final int PART = 8;

  final int tenant;
  final WaitMeter meter;

  /** The number of claims, ready or not. */
  int claims;

  private @Nullable Claim<T> first;
  private @Nullable Claim<T> last;

  // In the scheduler's list of flows that have work.
  boolean isListed;
  @Nullable Flow<T> next;

  int weight = 1;

  /** Nanoseconds it may use before others are visited; negative if it has used too much. */
  long balance;

  /** The part of the balance that is lent for the present visit. */
  long lent;

  /** True if this flow is visited before those that were listed earlier. */
  boolean isAhead;

  /** The time when it was last taken off the list. */
  long idleSince;

  /** The grant, at that time, of a tenant of weight 1 that had always had work. */
  long grantedThen;

  /** Nanoseconds it has been served since the beginning. */
  long served;

  // Of the slices of late, the older the less: what they took, and what is usual for their work.
  private long took;
  private long usual;

  /** The number of slices that go on at once. */
  int going;

  /** The expected time of a slice, averaged over recent ones; 0 while unknown. */
  long expected;

  Flow(int tenant) {
    this.tenant = tenant;
    this.meter = new WaitMeter(tenant);
  }

  /**
   * Returns the nanoseconds that a slice is charged.
   *
   * @param costNanos what it took
   * @param usualNanos what is usual for its work, or 0
   */
  long charge(long costNanos, long usualNanos) {
    if (usualNanos <= 0) {
      return costNanos;
    }
    took += costNanos - (took >> SMOOTHING);
    usual += usualNanos - (usual >> SMOOTHING);
    return Math.abs(took - usual) * PART <= usual ? usualNanos : costNanos;
  }

  @Nullable Claim<T> first() {
    return first;
  }

  void append(Claim<T> claim) {
    Claim<T> before = last;
    if (before == null) {
      first = claim;
    } else {
      before.behind = claim;
      claim.before = before;
    }
    last = claim;
    claim.isReady = true;
  }

  void remove(Claim<T> claim) {
    Claim<T> before = claim.before;
    Claim<T> behind = claim.behind;
    if (before == null) {
      first = behind;
    } else {
      before.behind = behind;
      claim.before = null;
    }
    if (behind == null) {
      last = before;
    } else {
      behind.before = before;
      claim.behind = null;
    }
    claim.isReady = false;
  }
}
