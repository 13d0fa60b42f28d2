package io.keyvalueserve.journal;

import java.util.function.LongSupplier;

/**
 * The bytes that the compactor may write: a credit that grows with what others append and with
 * time.
 */
final class CompactionPace {
  private static final long MOST_CREDIT_BYTES = 16 << 20;
  private static final double NANOS_PER_SECOND = 1e9;

  private final CompactionPolicy policy;
  private final JournalClock clock;
  private final LongSupplier appended;
  private long appendedBefore;
  private long wroteSince;
  private long nanosBefore;
  private double credit;

  CompactionPace(CompactionPolicy policy, JournalClock clock, LongSupplier appended) {
    this.policy = policy;
    this.clock = clock;
    this.appended = appended;
    nanosBefore = clock.nanoTime();
  }

  /** Returns whether credit is left from before. */
  boolean hasCredit() {
    return credit > 0;
  }

  /**
   * Adds the credit that has accrued, at a ratio of bytes in files to bytes needed, and returns
   * whether there is any.
   */
  boolean mayWrite(double ratio) {
    long now = clock.nanoTime();
    long all = appended.getAsLong();
    long others = Math.max(0, all - appendedBefore - wroteSince);
    double idle = (now - nanosBefore) / NANOS_PER_SECOND * policy.idleBytesPerSecond();
    credit += others * policy.shareAt(ratio) + idle;
    credit = Math.min(credit, MOST_CREDIT_BYTES);
    appendedBefore = all;
    nanosBefore = now;
    wroteSince = 0;
    return credit > 0;
  }

  /** The compactor has written so much. */
  void wrote(long bytes) {
    credit -= bytes;
    wroteSince += bytes;
  }
}
