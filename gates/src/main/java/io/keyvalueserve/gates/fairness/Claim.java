package io.keyvalueserve.gates.fairness;

import org.jspecify.annotations.Nullable;

/**
 * A session's claim to the time of its thread, on behalf of one tenant. Made by {@link
 * DeficitRoundRobin#enter}.
 *
 * @param <T> what is served
 */
public final class Claim<T> {
  /** The place of one of which no slice goes on beside others. */
  static final int NOWHERE = -1;

  /** The value of {@link #charged} for a slice that is free, however long it takes. */
  static final long FREE = Long.MAX_VALUE;

  final Flow<T> flow;
  private final T work;

  // The tenant's ring of claims that are ready.
  boolean isReady;
  @Nullable Claim<T> before;
  @Nullable Claim<T> behind;

  boolean hasLeft;

  // How things were when it became ready.
  long readyNanos;
  long servedThen;
  long ownServedThen;
  long visitThen;

  // While a slice of it goes on beside others.
  int place = NOWHERE;
  long begunNanos;

  /**
   * The nanoseconds of that slice that its tenant was charged or that are free of charge; {@link
   * #FREE} if the whole slice is free.
   */
  long charged;

  Claim(Flow<T> flow, T work) {
    this.flow = flow;
    this.work = work;
  }

  /** Returns the work of this claim. */
  public T work() {
    return work;
  }

  /** Returns whether a slice of this claim is running beside others. */
  boolean isGoing() {
    return place != NOWHERE;
  }

  /** Returns whether this claim waits to be served. */
  public boolean isReady() {
    return isReady;
  }
}
