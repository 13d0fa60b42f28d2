package io.keyvalueserve.gates.latency;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A copy of a meter's histogram for the threads of one lane, mostly one thread. Thread-safe;
 * recording takes no lock and allocates nothing, and while the lane has one thread no other writes
 * to its cache lines.
 */
public final class LatencyLane {
  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs of a cache line and of the one that a processor fetches with it. */
  private static final int PADDING = 16;

  /** The index of the sum of all times; the buckets follow. */
  private static final int SUM = PADDING;

  private static final int FIRST = SUM + 1;

  private final long[] cells = new long[FIRST + Buckets.COUNT + PADDING];

  LatencyLane() {}

  /**
   * Records requests that took the same time.
   *
   * @param nanos how long each took; less than 1 counts as 1, as clocks of several threads may
   *     differ by that
   * @param requests how many: 0 or more
   */
  public void record(long nanos, long requests) {
    if (requests > 0) {
      long took = Math.max(1, nanos);
      long _ = (long) CELLS.getAndAdd(cells, FIRST + Buckets.of(took), requests);
      long _ = (long) CELLS.getAndAdd(cells, SUM, took * requests);
    }
  }

  /** The sum of all times: changes whenever something is recorded. */
  long sumNanos() {
    return (long) CELLS.getAcquire(cells, SUM);
  }

  void addTo(long[] counts) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += (long) CELLS.getOpaque(cells, FIRST + i);
    }
  }
}
