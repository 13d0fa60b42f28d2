package io.keyvalueserve.billing.ledger;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an invoice as comma-separated values (RFC 4180): its lines, then the credit if there is
 * one, then the total. Stateless.
 */
public final class InvoiceCsv {
  private static final List<String> HEADER =
      List.of(
          "invoice",
          "tenant",
          "period",
          "line",
          "card",
          "from",
          "to",
          "measure",
          "basis",
          "sharing",
          "persistence",
          "band",
          "quantity",
          "free",
          "unit",
          "unitPrice",
          "per",
          "amount",
          "currency");

  private InvoiceCsv() {}

  /**
   * Writes a header and the invoice.
   *
   * @throws IOException if {@code out} does
   */
  public static void write(Invoice invoice, Appendable out) throws IOException {
    Csv.row(out, HEADER);
    for (int i = 0; i < invoice.lines().size(); i++) {
      InvoiceLine line = invoice.lines().get(i);
      Csv.row(
          out,
          List.of(
              invoice.id(),
              invoice.tenant().value(),
              invoice.period().toString(),
              Integer.toString(i),
              line.card(),
              line.from().toString(),
              line.to().toString(),
              line.measure().label(),
              line.basis().label(),
              line.sharing().label(),
              line.persistence().text(),
              line.band().label(),
              line.quantity().toPlainString(),
              line.free().toPlainString(),
              line.unit(),
              line.unitPrice().toPlainString(),
              Long.toString(line.per()),
              line.amount().toPlainString(),
              invoice.currency().getCurrencyCode()));
    }
    if (invoice.credit().signum() > 0) {
      sum(invoice, "credit", invoice.credit().negate(), out);
    }
    sum(invoice, "total", invoice.total(), out);
  }

  private static void sum(Invoice invoice, String name, BigDecimal amount, Appendable out)
      throws IOException {
    List<@Nullable String> row = new ArrayList<>();
    row.add(invoice.id());
    row.add(invoice.tenant().value());
    row.add(invoice.period().toString());
    row.add(name);
    while (row.size() < HEADER.size() - 2) {
      row.add(null);
    }
    row.add(amount.toPlainString());
    row.add(invoice.currency().getCurrencyCode());
    Csv.row(out, row);
  }
}
