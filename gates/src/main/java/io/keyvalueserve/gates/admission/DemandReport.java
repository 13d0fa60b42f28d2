package io.keyvalueserve.gates.admission;

import java.util.List;
import java.util.UUID;

/**
 * The report of a member to the coordinator: what its clients ask for, and which shares it obeys.
 *
 * @param member who reports
 * @param sentNanos when, by the member's own clock; greater than that of its report before, so it
 *     is the report's number too
 * @param openedNanos since when the member has been speaking with this coordinator, by its own
 *     clock: it takes no answer to a report that was sent earlier
 * @param tenure the coordinator whose shares it obeys; 0 for none yet, and then all its limits are
 *     in the list
 * @param epoch the last one of that tenure that is in force here
 * @param demands limits that are asked for, or that this tenure has not assigned yet. Of a limit
 *     that is left out nothing is asked
 */
public record DemandReport(
    UUID member, long sentNanos, long openedNanos, long tenure, long epoch, List<Demand> demands) {
  public DemandReport {
    demands = List.copyOf(demands);
  }

  /**
   * The demand under one limit.
   *
   * @param perSecond tokens a second that were asked for, admitted or not
   * @param share what is in force here, in parts of {@link ShareAssignment#WHOLE}
   */
  public record Demand(RateKey key, double perSecond, int share) {}
}
