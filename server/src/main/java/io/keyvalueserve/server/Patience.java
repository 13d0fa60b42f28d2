package io.keyvalueserve.server;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what comes soon. */
final class Patience {
  private static final long LOOK_MILLIS = 20;

  private Patience() {}

  /**
   * Waits until something is so.
   *
   * @return whether it is; false if the time was over before, or the thread was interrupted
   */
  static boolean until(BooleanSupplier isSo, Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }
}
