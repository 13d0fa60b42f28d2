package io.keyvalueserve.gates.fairness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The time for which a thread that had work did not run, because its processor was taken away or
 * the virtual machine stopped. Reading a thread's CPU time costs as much as some requests. It is
 * therefore read rarely: now and then, and when something took strikingly long. For one thread.
 */
public final class Stalls {
  /** The excess over the intended time up to which the CPU time is not read. */
  private static final long STRIKING_NANOS = 1_000_000;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final boolean isKnown = THREADS.isCurrentThreadCpuTimeSupported();
  private boolean hasBegun;
  private long sinceNanos;
  private long ranThen;

  /** Creates an instance without stalls, for the thread that makes it. */
  public Stalls() {}

  /** Notes that the thread begins to work, after it may have waited for something to do. */
  public void begin(long nowNanos) {
    if (isKnown && (!hasBegun || nowNanos - sinceNanos > STRIKING_NANOS)) {
      hasBegun = true;
      sinceNanos = nowNanos;
      ranThen = THREADS.getCurrentThreadCpuTime();
    }
  }

  /**
   * Returns the part of the last work's time in which the thread did not run. It is too much by a
   * millisecond at most.
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
