package io.keyvalueserve.acceptance;

import java.time.Duration;

/** A moment by which several things must have happened. */
record Deadline(long nanoTime) {
  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /**
   * What is left until then, at least one millisecond: no time at all means for ever to sockets.
   */
  long remainingMs() {
    return Math.max(1, (nanoTime - System.nanoTime()) / 1_000_000);
  }
}
