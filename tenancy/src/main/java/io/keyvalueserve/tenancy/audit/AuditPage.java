package io.keyvalueserve.tenancy.audit;

import java.util.List;
import java.util.OptionalLong;

/**
 * The result of a query.
 *
 * @param events in the order asked for
 * @param next the cursor of the page that follows; empty if there is none
 * @param damaged lines that were skipped on the way, the first {@value AuditLog#MOST_DAMAGED} of
 *     them. A page tells of the files that it was read from, not of all
 */
public record AuditPage(List<AuditEvent> events, OptionalLong next, List<DamagedLine> damaged) {
  public AuditPage {
    events = List.copyOf(events);
    damaged = List.copyOf(damaged);
  }
}
