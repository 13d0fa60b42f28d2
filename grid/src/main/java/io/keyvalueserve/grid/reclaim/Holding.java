package io.keyvalueserve.grid.reclaim;

import io.keyvalueserve.grid.hd.MemoryPressure;
import io.keyvalueserve.tenancy.admission.Usage;
import java.util.Set;

/**
 * Whether those who give up memory are kept from taking more, so that the others need not wait. For
 * one thread; holds at once for all.
 */
final class Holding {
  private final MemoryPressure pressure;
  private Set<Usage> giving = Set.of();
  private boolean on;

  Holding(MemoryPressure pressure) {
    this.pressure = pressure;
  }

  /** From now on it is these that give up memory; the others are held no longer. */
  void setGiving(Set<Usage> next) {
    for (Usage usage : giving) {
      if (!next.contains(usage)) {
        usage.setHeld(false);
      }
    }
    giving = Set.copyOf(next);
    giving.forEach(usage -> usage.setHeld(on));
  }

  /** Holds them, or lets them go. */
  void set(boolean next) {
    if (next != on) {
      on = next;
      pressure.setTight(next);
      giving.forEach(usage -> usage.setHeld(next));
    }
  }

  boolean isOn() {
    return on;
  }
}
