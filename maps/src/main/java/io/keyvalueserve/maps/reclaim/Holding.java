package io.keyvalueserve.maps.reclaim;

import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.maps.MemoryPressure;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps tenants that have too much memory from taking more, so that the others need not wait. For
 * one thread, except {@link #times}; a change takes effect at once for all threads.
 */
final class Holding {
  private final MemoryPressure pressure;

  /** The number of times that each tenant was held; read by any thread. */
  private final Map<TenantHoldings, Long> times = new ConcurrentHashMap<>();

  private Set<TenantHoldings> held = Set.of();
  private boolean on;

  Holding(MemoryPressure pressure) {
    this.pressure = pressure;
  }

  /** Sets the tenants that are held from now on; the others are held no longer. */
  void setHeld(Set<TenantHoldings> next) {
    for (TenantHoldings usage : held) {
      if (!next.contains(usage)) {
        usage.setHeld(false);
      }
    }
    held = Set.copyOf(next);
    holdAll();
  }

  /** Holds them, or lets them go. */
  void set(boolean next) {
    if (next != on) {
      on = next;
      pressure.setTight(next);
      holdAll();
    }
  }

  private void holdAll() {
    for (TenantHoldings usage : held) {
      if (on && !usage.isHeld()) {
        times.merge(usage, 1L, Long::sum);
      }
      usage.setHeld(on);
    }
  }

  boolean isOn() {
    return on;
  }

  /**
   * Returns the number of times that a tenant has been kept from taking more. Any thread may call
   * this.
   */
  long times(TenantHoldings usage) {
    return times.getOrDefault(usage, 0L);
  }

  /** Forgets all others, as they are gone. */
  void keepOnly(Set<TenantHoldings> present) {
    times.keySet().retainAll(present);
  }
}
