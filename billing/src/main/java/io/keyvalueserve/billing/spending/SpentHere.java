package io.keyvalueserve.billing.spending;

import java.time.YearMonth;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that one member has spent for tenants with caps, for the member that adds up.
 *
 * @param member who
 * @param life the member's id in the ledgers, another with each start; null before it told any
 *     ledger anything
 * @param tenants what it spent for each
 */
public record SpentHere(UUID member, @Nullable UUID life, List<OfTenant> tenants) {
  public SpentHere {
    tenants = List.copyOf(tenants);
  }

  /**
   * The amount that the member spent for one tenant.
   *
   * @param tenantNumber the tenant's number
   * @param month in which month
   * @param spentNanos all of it, in nano units: 0 or more
   * @param marks how much that was when usage was told to the ledger, the oldest first: up to
   *     {@link Spendings#MOST_MARKS}
   */
  public record OfTenant(int tenantNumber, YearMonth month, long spentNanos, List<Mark> marks) {
    public OfTenant {
      marks = List.copyOf(marks);
    }

    /**
     * Returns the amount that the ledger does not have yet.
     *
     * @param posted the last interval that it has of this member; -1 for none
     */
    long pendingNanos(long posted) {
      long settled = 0;
      for (Mark mark : marks) {
        if (mark.interval() <= posted) {
          settled = mark.spentNanos();
        }
      }
      return Math.max(0, spentNanos - settled);
    }
  }

  /**
   * The amount spent in the month at the time when an interval was told to the ledger.
   *
   * @param interval as the ledger knows it
   * @param spentNanos how much
   */
  public record Mark(long interval, long spentNanos) {}
}
