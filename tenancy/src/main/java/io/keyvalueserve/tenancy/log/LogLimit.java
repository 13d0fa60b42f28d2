package io.keyvalueserve.tenancy.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Bounds how many lines are logged about one thing in an interval. Thread-safe. */
public final class LogLimit {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final int lines;
  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private long begunNanos;
  private int taken;
  private long leftOut;

  /**
   * Allows so many lines in each interval.
   *
   * @param lines lines, at least 1
   * @param nanoTime a monotonic clock, in nanoseconds
   */
  public LogLimit(int lines, Duration interval, LongSupplier nanoTime) {
    this.lines = lines;
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
    this.begunNanos = nanoTime.getAsLong();
  }

  /** Returns a limit of so many lines a minute. */
  public static LogLimit aMinute(int lines) {
    return new LogLimit(lines, MINUTE, System::nanoTime);
  }

  /**
   * Asks for a line.
   *
   * @return how many lines were left out since the last one; -1 if this one is to be left out
   */
  public synchronized long take() {
    long now = nanoTime.getAsLong();
    if (now - begunNanos >= intervalNanos) {
      begunNanos = now;
      taken = 0;
    }
    if (taken >= lines) {
      leftOut++;
      return -1;
    }
    taken++;
    long before = leftOut;
    leftOut = 0;
    return before;
  }
}
