package io.keyvalueserve.grid.reclaim;

import io.keyvalueserve.grid.hd.MemoryPressure;
import io.keyvalueserve.tenancy.admission.Usage;
import java.util.Set;

/**
 * Whether those who have too much memory are kept from taking more, so that the others need not
 * wait. For one thread; holds at once for all.
 */
final class Holding {
  private final MemoryPressure pressure;
  private Set<Usage> held = Set.of();
  private boolean on;

  Holding(MemoryPressure pressure) {
    this.pressure = pressure;
  }

  /** From now on it is these; the others are held no longer. */
  void setHeld(Set<Usage> next) {
    for (Usage usage : held) {
      if (!next.contains(usage)) {
        usage.setHeld(false);
      }
    }
    held = Set.copyOf(next);
    held.forEach(usage -> usage.setHeld(on));
  }

  /** Holds them, or lets them go. */
  void set(boolean next) {
    if (next != on) {
      on = next;
      pressure.setTight(next);
      held.forEach(usage -> usage.setHeld(next));
    }
  }

  boolean isOn() {
    return on;
  }
}
