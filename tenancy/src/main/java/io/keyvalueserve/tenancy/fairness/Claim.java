package io.keyvalueserve.tenancy.fairness;

import org.jspecify.annotations.Nullable;

/**
 * A session's claim to the time of its thread, on behalf of one tenant. Made by {@link
 * DeficitRoundRobin#enter}.
 *
 * @param <T> what is served
 */
public final class Claim<T> {
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

  Claim(Flow<T> flow, T work) {
    this.flow = flow;
    this.work = work;
  }

  /** What is served. */
  public T work() {
    return work;
  }

  /** Whether it waits to be served. */
  public boolean isReady() {
    return isReady;
  }
}
