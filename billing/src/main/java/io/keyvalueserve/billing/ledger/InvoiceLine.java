package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.TimeBand;
import io.keyvalueserve.tenancy.Persistence;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * One line of an invoice: {@code (quantity - free) x unitPrice / per} makes the amount.
 *
 * @param card by which rate card
 * @param from the first instant that it is for
 * @param to the first that it is not for any more
 * @param measure what was used
 * @param basis what of it is charged
 * @param sharing with whom it was shared
 * @param persistence how the maps were kept; the default where all are charged together
 * @param band at which hours
 * @param quantity how much, in units of {@link Basis#unit}; a whole number
 * @param free how much of that is free
 * @param per for how many units the price is
 * @param unitPrice the price, with weight and sharing factor
 * @param amount what it comes to, rounded
 */
public record InvoiceLine(
    String card,
    Instant from,
    Instant to,
    Measure measure,
    Basis basis,
    SharingLevel sharing,
    Persistence persistence,
    TimeBand band,
    BigDecimal quantity,
    BigDecimal free,
    long per,
    BigDecimal unitPrice,
    BigDecimal amount) {
  /**
   * Returns the name of the line in the price list: {@code
   * paper-2018/residentBytes/amount/shared/peak}. It ends with the persistence if that is not the
   * default.
   */
  public String sku() {
    String sku =
        String.join("/", card, measure.label(), basis.label(), sharing.label(), band.label());
    return persistence == Persistence.DEFAULT ? sku : sku + "/" + persistence.text();
  }

  /** The unit of the quantity, in the words of FOCUS 1.2. */
  public String unit() {
    return basis.unit(measure);
  }
}
