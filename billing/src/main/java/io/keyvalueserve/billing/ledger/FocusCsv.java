package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.tenancy.Persistence;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes an invoice as a dataset of FOCUS 1.2, the FinOps Open Cost and Usage Specification: all
 * columns that it makes mandatory, the conditional ones whose condition holds here, and three of
 * our own ({@code x_}), as comma-separated values (RFC 4180). Columns are in alphabetical order,
 * ours last; null is an empty field, as the specification's null handling asks.
 *
 * <p>{@code BilledCost} is the line's amount, so that the rows of an invoice add up to its total.
 * {@code ListCost} is exactly {@code ListUnitPrice} times {@code PricingQuantity}, as the
 * specification asks, and differs from the former by what was rounded. No prices are negotiated, so
 * {@code ContractedCost} is {@code ListCost}. The free spend is a row of the category {@code
 * Credit}.
 *
 * <p>Stateless.
 */
public final class FocusCsv {
  private static final int QUANTITY_DECIMALS = 18;
  private static final String SERVICE = "KeyValueServe";

  /**
   * The columns in the order in which they are written, with what the specification says of null.
   */
  private static final Map<String, Boolean> COLUMNS = columns();

  private FocusCsv() {}

  /** The names of the columns, in their order. */
  public static List<String> columnNames() {
    return List.copyOf(COLUMNS.keySet());
  }

  /**
   * Writes a header and the rows of invoices.
   *
   * @param issuer who provides the service and issues the invoices; not blank
   * @throws IOException if {@code out} does
   */
  public static void write(Iterable<Invoice> invoices, String issuer, Appendable out)
      throws IOException {
    if (issuer.isBlank()) {
      throw new IllegalArgumentException(
          "issuer is the name of who issues the invoices, and it is blank");
    }
    Csv.row(out, columnNames());
    for (Invoice invoice : invoices) {
      for (InvoiceLine line : invoice.lines()) {
        Csv.row(out, ordered(row(invoice, line, issuer)));
      }
      if (invoice.credit().signum() > 0) {
        Csv.row(out, ordered(credit(invoice, issuer)));
      }
    }
  }

  private static Map<String, Boolean> columns() {
    Map<String, Boolean> columns = new LinkedHashMap<>();
    columns.put("BilledCost", false);
    columns.put("BillingAccountId", false);
    columns.put("BillingAccountName", true);
    columns.put("BillingCurrency", false);
    columns.put("BillingPeriodEnd", false);
    columns.put("BillingPeriodStart", false);
    columns.put("ChargeCategory", false);
    columns.put("ChargeClass", true);
    columns.put("ChargeDescription", true);
    columns.put("ChargeFrequency", false);
    columns.put("ChargePeriodEnd", false);
    columns.put("ChargePeriodStart", false);
    columns.put("ConsumedQuantity", true);
    columns.put("ConsumedUnit", true);
    columns.put("ContractedCost", false);
    columns.put("EffectiveCost", false);
    columns.put("InvoiceId", true);
    columns.put("InvoiceIssuerName", false);
    columns.put("ListCost", false);
    columns.put("ListUnitPrice", true);
    columns.put("PricingQuantity", true);
    columns.put("PricingUnit", true);
    columns.put("ProviderName", false);
    columns.put("PublisherName", false);
    columns.put("ServiceCategory", false);
    columns.put("ServiceName", false);
    columns.put("ServiceSubcategory", false);
    columns.put("SkuId", true);
    columns.put("SkuMeter", true);
    columns.put("SkuPriceDetails", true);
    columns.put("SkuPriceId", true);
    columns.put("x_Persistence", true);
    columns.put("x_SharingLevel", true);
    columns.put("x_TimeBand", true);
    return columns;
  }

  private static Map<String, String> row(Invoice invoice, InvoiceLine line, String issuer) {
    BigDecimal quantity = pricingQuantity(line);
    String listCost = quantity.multiply(line.unitPrice()).toPlainString();
    Map<String, String> row = common(invoice, issuer, line.amount(), listCost);
    row.put("ChargeCategory", "Usage");
    row.put("ChargeFrequency", "Usage-Based");
    row.put("ChargeDescription", description(line));
    row.put("ChargePeriodStart", time(line.from()));
    row.put("ChargePeriodEnd", time(line.to()));
    row.put("ConsumedQuantity", line.quantity().toPlainString());
    row.put("ConsumedUnit", line.unit());
    row.put("ListUnitPrice", line.unitPrice().toPlainString());
    row.put("PricingQuantity", quantity.toPlainString());
    row.put("PricingUnit", pricingUnit(line));
    row.put("SkuId", line.measure().label() + "/" + line.basis().label());
    row.put("SkuMeter", line.measure().label() + " by " + line.basis().label());
    row.put(
        "SkuPriceDetails",
        "{\"x_Persistence\":\"%s\",\"x_SharingLevel\":\"%s\",\"x_TimeBand\":\"%s\"}"
            .formatted(line.persistence().text(), line.sharing().label(), line.band().label()));
    row.put("x_Persistence", line.persistence().text());
    row.put("SkuPriceId", line.sku());
    row.put("x_SharingLevel", line.sharing().label());
    row.put("x_TimeBand", line.band().label());
    return row;
  }

  private static Map<String, String> credit(Invoice invoice, String issuer) {
    BigDecimal amount = invoice.credit().negate();
    Map<String, String> row = common(invoice, issuer, amount, amount.toPlainString());
    row.put("ChargeCategory", "Credit");
    row.put("ChargeFrequency", "One-Time");
    row.put("ChargeDescription", "free spend of the billing period");
    row.put("ChargePeriodStart", time(invoice.period().start()));
    row.put("ChargePeriodEnd", time(invoice.period().end()));
    return row;
  }

  private static Map<String, String> common(
      Invoice invoice, String issuer, BigDecimal amount, String listCost) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("BilledCost", amount.toPlainString());
    row.put("BillingAccountId", Integer.toString(invoice.tenantNumber()));
    row.put("BillingAccountName", invoice.tenant().value());
    row.put("BillingCurrency", invoice.currency().getCurrencyCode());
    row.put("BillingPeriodStart", time(invoice.period().start()));
    row.put("BillingPeriodEnd", time(invoice.period().end()));
    row.put("ContractedCost", listCost);
    row.put("EffectiveCost", amount.toPlainString());
    row.put("InvoiceId", invoice.id());
    row.put("InvoiceIssuerName", issuer);
    row.put("ListCost", listCost);
    row.put("ProviderName", issuer);
    row.put("PublisherName", issuer);
    row.put("ServiceCategory", "Databases");
    row.put("ServiceName", SERVICE);
    row.put("ServiceSubcategory", "Caching");
    return row;
  }

  private static List<@Nullable String> ordered(Map<String, String> row) {
    List<@Nullable String> fields = new ArrayList<>();
    COLUMNS.forEach(
        (column, isNullable) -> {
          String field = row.get(column);
          if (field == null && !isNullable) {
            throw new IllegalStateException("FOCUS column must not be null: " + column);
          }
          fields.add(field);
        });
    return fields;
  }

  /** Returns the number of times that the price is charged: exact but for its 18th decimal. */
  private static BigDecimal pricingQuantity(InvoiceLine line) {
    BigDecimal quantity =
        line.quantity()
            .subtract(line.free())
            .divide(BigDecimal.valueOf(line.per()), QUANTITY_DECIMALS, RoundingMode.HALF_EVEN);
    return quantity.signum() == 0 ? BigDecimal.ZERO : quantity.stripTrailingZeros();
  }

  private static String description(InvoiceLine line) {
    return "%s of %s, %s, %s%s"
        .formatted(
            line.basis().label(),
            line.measure().label(),
            line.sharing().label(),
            line.band().label(),
            line.persistence() == Persistence.DEFAULT ? "" : ", " + line.persistence().text());
  }

  /**
   * Returns the unit that a price is for: {@code Hours}, {@code 500 MB}, {@code GB-Hours}, {@code 3
   * Requests}.
   */
  private static String pricingUnit(InvoiceLine line) {
    long per = line.per();
    String unit = line.unit();
    if (line.basis() == Basis.DURATION && per % 60 == 0) {
      per /= 60;
      unit = "Hours";
    } else if (line.basis() == Basis.VOLUME && per % 3600 == 0) {
      per /= 3600;
      unit = unit.replace("-Seconds", "-Hours");
    }
    if (unit.equals("B") || unit.startsWith("B-")) {
      for (String prefix : new String[] {"E", "P", "T", "G", "M", "K"}) {
        long bytes = (long) Math.pow(1_000, "KMGTPE".indexOf(prefix) + 1);
        if (per % bytes == 0) {
          per /= bytes;
          unit = prefix + unit;
          break;
        }
      }
    }
    return per == 1 ? unit : per + " " + unit;
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
