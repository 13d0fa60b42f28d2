package io.keyvalueserve.bench;

import java.util.concurrent.TimeUnit;

/** Waits. */
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
      throw interrupted(e);
    }
  }

  /**
   * The condition of a wait.
   *
   * @param <E> what asking for it throws
   */
  interface Condition<E extends Exception> {
    boolean holds() throws E;
  }

  /**
   * Waits until a condition holds, and asks for it again and again.
   *
   * @param otherwise what was not so, if it does not hold in time
   * @throws BenchException if it does not hold in time
   */
  static <E extends Exception> void await(
      Condition<E> condition, long stepMillis, long seconds, String otherwise) throws E {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new BenchException(otherwise + " within " + seconds + " s");
      }
      sleepMillis(stepMillis);
    }
  }

  /** Waits until all threads have ended. */
  static void join(Iterable<Thread> threads) {
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Returns what to throw where a thread was interrupted, which it still is then. */
  static BenchException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new BenchException("interrupted", e);
  }
}
