package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.pricing.BillingPeriod;

/**
 * The amount that all members together have spent for a tenant, added up from their reports.
 *
 * @param period in which billing period
 * @param totalNanos all of it, in nano units: 0 or more
 * @param ownNanos what of the receiving member's own count is in it, as it reported: 0 or more. It
 *     may be more than the total, where a bill has less than was counted: what is free
 * @param members how many members there are: 1 to 10,000
 */
public record SpendTotal(BillingPeriod period, long totalNanos, long ownNanos, int members) {
  private static final int MOST_MEMBERS = 10_000;

  /**
   * @throws IllegalArgumentException if a field is out of its range; the message names it
   */
  public SpendTotal {
    require(totalNanos >= 0, "totalNanos is 0 or more: " + totalNanos);
    require(ownNanos >= 0, "ownNanos is 0 or more: " + ownNanos);
    require(
        members >= 1 && members <= MOST_MEMBERS,
        "members is 1 to " + MOST_MEMBERS + ": " + members);
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
