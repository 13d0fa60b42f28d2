package io.keyvalueserve.grid.snapshot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Has a thread that works for long rest as long as it works, so that requests have their
 * processors. For one thread.
 */
final class Pace {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long MOST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private long begun = System.nanoTime();

  /** Rests if it is time. */
  void step() {
    long worked = System.nanoTime() - begun;
    if (worked >= SLICE_NANOS) {
      LockSupport.parkNanos(Math.min(worked, MOST_REST_NANOS));
      begun = System.nanoTime();
    }
  }
}
