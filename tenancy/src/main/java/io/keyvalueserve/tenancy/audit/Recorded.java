package io.keyvalueserve.tenancy.audit;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An occurrence on its way to the writer. Equal ones join it until it is there, so that a client in
 * a loop takes one place of the hand-over and not all. Thread-safe.
 */
final class Recorded {
  private static final long TAKEN = -1;

  private final Occurrence occurrence;
  private final Instant time;
  private final AtomicLong count = new AtomicLong(1);

  Recorded(Occurrence occurrence, Instant time) {
    this.occurrence = occurrence;
    this.time = time;
  }

  Occurrence occurrence() {
    return occurrence;
  }

  /** Returns the time when it came first. */
  Instant time() {
    return time;
  }

  /** Counts an equal occurrence here; false if it is not equal or this was taken already. */
  boolean join(Occurrence other) {
    if (!occurrence.equals(other)) {
      return false;
    }
    long before = count.get();
    while (before != TAKEN && !count.compareAndSet(before, before + 1)) {
      before = count.get();
    }
    return before != TAKEN;
  }

  /** Returns how many came. None joins any more. Called by the writer, once. */
  long take() {
    return count.getAndSet(TAKEN);
  }
}
