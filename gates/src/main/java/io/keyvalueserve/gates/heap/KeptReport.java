package io.keyvalueserve.gates.heap;

import java.util.Map;
import java.util.UUID;

/**
 * Tells other members how many bytes tenants keep on a member's heap.
 *
 * @param member the member that was measured
 * @param tenants bytes by the names of the tenants that keep any
 */
public record KeptReport(UUID member, Map<String, Long> tenants) {
  public KeptReport {
    tenants = Map.copyOf(tenants);
  }

  /** Returns the bytes of all tenants together. */
  long total() {
    long total = 0;
    for (long bytes : tenants.values()) {
      total += bytes;
    }
    return total;
  }
}
