package io.keyvalueserve.tenancy.audit;

import java.util.List;

/**
 * What an export wrote.
 *
 * @param events how many events
 * @param damaged lines that were skipped, the first {@value AuditLog#MOST_DAMAGED} of them
 */
public record AuditExport(long events, List<DamagedLine> damaged) {
  public AuditExport {
    damaged = List.copyOf(damaged);
  }
}
