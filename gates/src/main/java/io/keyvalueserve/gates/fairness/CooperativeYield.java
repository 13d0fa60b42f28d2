package io.keyvalueserve.gates.fairness;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Has a thread that works in the background leave its core to others every 50 us. Linux takes a
 * core from a thread that never waits at a tick only, which is every 1 to 10 ms; until then the
 * threads that serve requests wait, also those that have just become able to run.
 *
 * <p>To yield costs half a microsecond where nobody waits for the core, and gives up what the
 * thread was entitled to where somebody does: beside one who never stops it would have a few
 * hundredths of the core. So when it did not come back for long it sleeps instead for a while, as
 * briefly as can be: who sleeps keeps its part.
 *
 * <p>Not for threads that requests pass through: two that hand work to each other would switch for
 * nothing.
 *
 * <p>One thread, which holds no lock that others wait for when it asks.
 */
public final class CooperativeYield {
  /** The time that a thread works before it leaves its core, in nanoseconds. */
  static final long BURST_NANOS = 50_000;

  /** Away for so long, it had to wait for another to be stopped. */
  static final long STARVED_NANOS = 1_000_000;

  /** The number of sleeps, in place of yields, after the thread was starved. */
  static final int NAPS = 16;

  private final LongSupplier nanoTime;
  private final Runnable yield;
  private final Runnable nap;
  private long since;
  private int naps;

  /** Creates an instance for the thread that calls {@link #check}. */
  public CooperativeYield() {
    this(System::nanoTime, Thread::yield, () -> LockSupport.parkNanos(1));
  }

  CooperativeYield(LongSupplier nanoTime, Runnable yield, Runnable nap) {
    this.nanoTime = nanoTime;
    this.yield = yield;
    this.nap = nap;
    this.since = nanoTime.getAsLong();
  }

  /**
   * Leaves the core to others if it is time. To be called every few microseconds; reads the clock.
   */
  public void check() {
    long now = nanoTime.getAsLong();
    if (now - since >= BURST_NANOS) {
      since = leave(now);
    }
  }

  /** Returns when the thread was back. */
  private long leave(long now) {
    if (naps > 0) {
      naps--;
      nap.run();
      return nanoTime.getAsLong();
    }
    yield.run();
    long back = nanoTime.getAsLong();
    if (back - now >= STARVED_NANOS) {
      naps = NAPS;
    }
    return back;
  }
}
