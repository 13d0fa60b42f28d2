package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;

/**
 * The amounts that a tenant owes for a period.
 *
 * @param id its name: the tenant's number, the month, how many entries of the ledger it counts, and
 *     the first digits of the last one's hash. Two invoices with one id count the same entries
 * @param tenant who owes it
 * @param tenantNumber the tenant's number
 * @param period for when
 * @param currency of all amounts
 * @param lines what for
 * @param credit what is taken off as free spend: 0 or more, and no more than all lines
 * @param total all lines less the credit; nothing is rounded here
 * @param head where the ledger ended that it was computed from
 */
public record Invoice(
    String id,
    TenantName tenant,
    int tenantNumber,
    BillingPeriod period,
    Currency currency,
    List<InvoiceLine> lines,
    BigDecimal credit,
    BigDecimal total,
    LedgerHead head) {
  public Invoice {
    lines = List.copyOf(lines);
  }

  /** All lines, before the credit. */
  public BigDecimal subtotal() {
    return lines.stream().map(InvoiceLine::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
