package io.keyvalueserve.gates.fairness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * For how long a thread that meant to work did not run: its processor was taken away, or the
 * virtual machine stopped. To ask for the time that a thread has run costs as much as some
 * requests, so it is asked at most once in a while and when something took strikingly long. On the
 * thread alone.
 */
public final class Stalls {
  /** What took no longer than this beyond what it was meant to is not looked into. */
  private static final long STRIKING_NANOS = 1_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final boolean isKnown = THREADS.isCurrentThreadCpuTimeSupported();
  private boolean hasBegun;
  private long sinceNanos;
  private long ranThen;

  /** None yet. For the thread that makes it. */
  public Stalls() {}

  /** The thread begins to work, after it may have waited for something to do. */
  public void begin(long nowNanos) {
    if (isKnown && (!hasBegun || nowNanos - sinceNanos > STRIKING_NANOS)) {
      hasBegun = true;
      sinceNanos = nowNanos;
      ranThen = THREADS.getCurrentThreadCpuTime();
    }
  }

  /**
   * How much of what was done last the thread did not run. Too much by a millisecond at most.
   *
   * @param tookNanos how long that took
   * @param meantNanos how long it was meant to take
   */
  public long within(long tookNanos, long meantNanos, long nowNanos) {
    if (!hasBegun || tookNanos - meantNanos < STRIKING_NANOS) {
      return 0;
    }
    long ran = THREADS.getCurrentThreadCpuTime();
    long stalled = nowNanos - sinceNanos - (ran - ranThen);
    sinceNanos = nowNanos;
    ranThen = ran;
    return Math.clamp(stalled, 0, tookNanos - meantNanos);
  }
}
