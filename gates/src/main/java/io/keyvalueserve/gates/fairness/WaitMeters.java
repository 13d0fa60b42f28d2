package io.keyvalueserve.gates.fairness;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of all threads of a door. Thread-safe. */
public final class WaitMeters {
  private final Set<WaitMeter> meters = ConcurrentHashMap.newKeySet();

  /** Creates an instance without meters; each {@link DeficitRoundRobin} adds its own. */
  public WaitMeters() {}

  void add(WaitMeter meter) {
    meters.add(meter);
  }

  void remove(WaitMeter meter) {
    meters.remove(meter);
  }

  /**
   * Returns the time that each tenant has waited on all threads together. The figures of one thread
   * are of one instant, but those of different threads may not be.
   */
  public Collection<Waits> readings(long nowNanos) {
    Map<Integer, Waits> sums = new HashMap<>();
    meters.forEach(meter -> sums.merge(meter.tenant(), meter.reading(nowNanos), Waits::plus));
    return sums.values();
  }
}
