package io.keyvalueserve.bench;

import java.util.concurrent.TimeUnit;

/**
 * Waits until a server has nothing left to do, and tells what that cost: what it puts off must not
 * be free, nor hit whoever is measured next. What it uses when idle is taken off.
 */
final class AtRest {
  private static final long LONGEST_IDLE_MILLIS = 3_000;

  /** Longer than what is written every second stays in memory. */
  private static final long SHORTEST_MILLIS = 1_200;

  private static final long LONGEST_MILLIS = 20_000;
  private static final long STEP_MILLIS = 200;

  /** The part of a core from which on a server is busy. Processor times come in ticks of 10 ms. */
  private static final double BUSY = 0.1;

  private final ServerProcess process;
  private final double idle;

  private AtRest(ServerProcess process, double idle) {
    this.process = process;
    this.idle = idle;
  }

  /**
   * Returns the idle use of a server that nobody loads. Blocks for seconds to measure it.
   *
   * @param measuredNanos how long it is measured afterwards: its idleness is watched for half as
   *     long again, for 3 s at most
   */
  static AtRest of(ServerProcess process, long measuredNanos) {
    new AtRest(process, 0).await();
    long idle = TimeUnit.NANOSECONDS.toMillis(measuredNanos + measuredNanos / 2);
    long begin = System.nanoTime();
    long before = process.cpuNanos();
    Clock.sleepMillis(Math.clamp(idle, 1, LONGEST_IDLE_MILLIS));
    return new AtRest(
        process, (double) (process.cpuNanos() - before) / (System.nanoTime() - begin));
  }

  /** Waits, and returns the processor time that it has used above what it uses when idle. */
  long await() {
    long begin = System.nanoTime();
    long before = process.cpuNanos();
    long last = before;
    Clock.sleepMillis(SHORTEST_MILLIS);
    while (System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS)) {
      last = process.cpuNanos();
      Clock.sleepMillis(STEP_MILLIS);
      double share =
          (double) (process.cpuNanos() - last) / TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS);
      if (share <= idle + BUSY) {
        break;
      }
    }
    long used = process.cpuNanos() - before;
    return Math.max(0, used - (long) (idle * (System.nanoTime() - begin)));
  }
}
