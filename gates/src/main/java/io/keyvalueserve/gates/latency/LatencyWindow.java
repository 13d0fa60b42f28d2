package io.keyvalueserve.gates.latency;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * The recent latencies of requests, from looks at meters that only grow. The window has the last
 * ten looks, which are ten seconds. Meters that have recorded nothing since the last look cost an
 * addition for each lane. Thread-safe.
 *
 * @param <K> what meters are known by
 */
public final class LatencyWindow<K> {
  /** The number of looks that count, a second apart. */
  private static final int LOOKS = 10;

  private final Map<K, Seen> seen = new HashMap<>();
  private Map<K, LatencyMeter> lookedAt = Map.of();
  private final Deque<Map<K, Latencies>> looks = new ArrayDeque<>();
  private volatile Map<K, Latencies> recent = Map.of();

  private record Seen(LatencyMeter meter, long sumNanos, Latencies latencies) {}

  /** Creates a window that has seen nothing. */
  public LatencyWindow() {}

  /**
   * Looks at meters. To be called once in a second. It costs less with the same map as before,
   * which then must not have changed.
   *
   * @param meters all that there are; those that are missing are forgotten. What a meter had
   *     recorded when it is seen first counts as recent
   */
  public synchronized void look(Map<K, LatencyMeter> meters) {
    boolean isSame = isSame(meters, lookedAt); // the same object: none has come or gone
    lookedAt = meters;
    if (!isSame) {
      seen.keySet().retainAll(meters.keySet());
    }
    Map<K, Latencies> changes = new HashMap<>();
    meters.forEach((key, meter) -> look(key, meter, changes));
    looks.addLast(changes);
    if (looks.size() > LOOKS) {
      looks.removeFirst();
    }
    Map<K, Latencies> sums = new HashMap<>();
    looks.forEach(look -> look.forEach((key, each) -> sums.merge(key, each, Latencies::plus)));
    if (!isSame) {
      sums.keySet().retainAll(meters.keySet());
      looks.forEach(look -> look.keySet().retainAll(meters.keySet()));
    }
    recent = sums;
  }

  @SuppressWarnings("ReferenceEquality") // to compare what they hold would cost what is to be saved
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }

  private void look(K key, LatencyMeter meter, Map<K, Latencies> changes) {
    long sum = meter.sumNanos();
    if (sum == 0) {
      return; // it has recorded nothing, as most meters
    }
    Seen before = seen.get(key);
    if (before == null || !before.meter().equals(meter)) {
      before = new Seen(meter, 0, Latencies.NONE);
    }
    if (sum != before.sumNanos()) {
      Latencies now = meter.latencies();
      changes.put(key, now.since(before.latencies()));
      seen.put(key, new Seen(meter, sum, now));
    }
  }

  /** Returns the latencies of all requests in the last ten seconds. */
  public Latencies all() {
    return recent.values().stream().reduce(Latencies.NONE, Latencies::plus);
  }

  /**
   * Returns the latencies of requests in the last ten seconds; {@link Latencies#NONE} if there were
   * none.
   */
  public Latencies of(K key) {
    return recent.getOrDefault(key, Latencies.NONE);
  }
}
