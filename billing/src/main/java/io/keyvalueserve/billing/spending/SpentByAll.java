package io.keyvalueserve.billing.spending;

import java.time.YearMonth;
import java.util.List;

/**
 * The amounts that all members have spent for tenants with caps, which each member is told.
 *
 * @param tenants for which, and how much
 */
public record SpentByAll(List<OfTenant> tenants) {
  public SpentByAll {
    tenants = List.copyOf(tenants);
  }

  /**
   * The amount spent for one tenant: {@link SpendTotal}, whose fields these are.
   *
   * @param tenantNumber the tenant's number
   */
  public record OfTenant(
      int tenantNumber, YearMonth month, long totalNanos, long ownNanos, int members) {}
}
