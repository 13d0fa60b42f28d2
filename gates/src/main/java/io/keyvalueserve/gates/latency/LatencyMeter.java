package io.keyvalueserve.gates.latency;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The meter of the latencies of one tenant's requests at one door on this member, since it started.
 *
 * <p>Threads record in lanes of their own, which are summed when somebody asks: there are as many
 * as the process has processors, rounded up to a power of two, and 64 at most. A lane takes 1.9 KB
 * and is made when it is first asked for. Thread-safe.
 */
public final class LatencyMeter {
  private final LaneNumbers numbers;
  private final AtomicReferenceArray<LatencyLane> lanes;

  /**
   * One in which nothing is recorded.
   *
   * @param numbers those of the door's threads
   */
  public LatencyMeter(LaneNumbers numbers) {
    this.numbers = numbers;
    lanes = new AtomicReferenceArray<>(numbers.count());
  }

  /** The lane of the current thread. A session that stays on one thread asks once. */
  public LatencyLane lane() {
    int number = numbers.ofThread();
    LatencyLane lane = lanes.get(number);
    return lane == null ? added(number) : lane;
  }

  private LatencyLane added(int number) {
    LatencyLane added = new LatencyLane();
    LatencyLane other = lanes.compareAndExchange(number, null, added);
    return other == null ? added : other;
  }

  /** The sum of all times, in nanoseconds: changes whenever something is recorded. */
  long sumNanos() {
    long sum = 0;
    for (int i = 0; i < lanes.length(); i++) {
      LatencyLane lane = lanes.get(i);
      sum += lane == null ? 0 : lane.sumNanos();
    }
    return sum;
  }

  /**
   * Returns the latencies recorded until now. A request that is recorded meanwhile may be missing,
   * or its time may be missing from the sum. It is in the next reading.
   */
  public Latencies latencies() {
    long[] counts = new long[Buckets.COUNT];
    long sum = sumNanos();
    for (int i = 0; i < lanes.length(); i++) {
      LatencyLane lane = lanes.get(i);
      if (lane != null) {
        lane.addTo(counts);
      }
    }
    return Latencies.of(counts, sum);
  }
}
