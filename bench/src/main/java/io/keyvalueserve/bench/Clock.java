package io.keyvalueserve.bench;

/** Waiting. */
final class Clock {
  private Clock() {}

  /** Until a moment in the time of {@link System#nanoTime}. */
  static void sleepUntil(long moment) {
    for (long rest; (rest = moment - System.nanoTime()) > 0; ) {
      sleepMillis(Math.ceilDiv(rest, 1_000_000));
    }
  }

  static void sleepMillis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
