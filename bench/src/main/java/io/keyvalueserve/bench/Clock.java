package io.keyvalueserve.bench;

/** Waiting. */
final class Clock {
  private Clock() {}

  static void sleepMillis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
