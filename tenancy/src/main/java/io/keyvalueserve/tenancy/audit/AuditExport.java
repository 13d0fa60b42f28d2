package io.keyvalueserve.tenancy.audit;

import java.util.List;

/**
 * The result of an export.
 *
 * @param events how many events
 * @param damaged lines that were skipped, the first {@value AuditLog#MOST_DAMAGED} of them
 */
public record AuditExport(long events, List<DamagedLine> damaged) {
  public AuditExport {
    damaged = List.copyOf(damaged);
  }
}
