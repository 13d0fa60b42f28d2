package io.keyvalueserve.gates.reclaim;

import java.time.Instant;
import java.util.List;

/**
 * The report of one reclaim for the log, the operator and the tenant: the memory taken, the tenants
 * and the reasons. Immutable.
 *
 * @param at when the plan was made
 * @param tookMillis how long carrying it out took
 * @param neededBytes what was needed when it was planned
 * @param items in the order of the plan
 */
public record ReclaimReport(Instant at, long tookMillis, long neededBytes, List<Item> items) {
  public ReclaimReport {
    items = List.copyOf(items);
  }

  /**
   * The result of one part of the plan.
   *
   * @param take what was planned
   * @param freedBytes memory that came free: may be more, as records are freed whole, or less if
   *     the tenant had less by then or the disk had no room
   * @param records how many records gave up their values or were deleted
   */
  public record Item(ReclaimPlan.Take take, long freedBytes, long records) {
    /**
     * @throws IllegalArgumentException if a figure is negative
     */
    public Item {
      if (freedBytes < 0 || records < 0) {
        throw new IllegalArgumentException(
            "freedBytes and records are 0 or more: freedBytes=%d records=%d"
                .formatted(freedBytes, records));
      }
    }
  }

  /** Returns the bytes that came free. */
  public long freedBytes() {
    return items.stream().mapToLong(Item::freedBytes).sum();
  }
}
