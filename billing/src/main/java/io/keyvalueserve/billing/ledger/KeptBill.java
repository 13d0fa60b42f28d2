package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a bill that somebody kept. With it the bill can be checked later against the ledger
 * alone.
 *
 * @param head where the ledger ended when the bill was computed
 * @param total what it came to; null if only the ledger is to be checked
 */
public record KeptBill(LedgerHead head, @Nullable BigDecimal total) {
  /**
   * Checks a ledger up to the bill's head, and computes the bill from it anew.
   *
   * @param stored the ledger's entries as {@link LedgerCodec} wrote them, or whatever became of
   *     them; those that came after the bill may be among them
   * @param kept the bill; null to check that the ledger is whole in itself
   * @return the first difference; empty if there is none
   * @throws IllegalArgumentException if something was used when no rate card holds
   */
  public static Optional<Difference> verify(
      TenantName tenant,
      int tenantNumber,
      List<byte[]> stored,
      YearMonth month,
      RateCards cards,
      @Nullable KeptBill kept) {
    long counted = kept == null ? stored.size() : Math.min(stored.size(), kept.head().entries());
    TenantLedger ledger;
    try {
      ledger = TenantLedger.open(tenant, tenantNumber, stored.subList(0, (int) counted));
    } catch (BrokenLedgerException e) {
      return Optional.of(e.difference());
    }
    Invoice invoice = Invoices.compute(ledger, month, cards);
    return new BillVerifier(kept == null ? invoice : kept.of(invoice), cards).verify(stored);
  }

  /** An invoice as it was kept. */
  private Invoice of(Invoice invoice) {
    return new Invoice(
        invoice.id(),
        invoice.tenant(),
        invoice.tenantNumber(),
        invoice.period(),
        invoice.currency(),
        invoice.lines(),
        invoice.credit(),
        total == null ? invoice.total() : total,
        head);
  }
}
