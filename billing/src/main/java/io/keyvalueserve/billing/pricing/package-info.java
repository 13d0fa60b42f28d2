/**
 * Pricing: what usage costs. The model is the one of KeyValueServe (seed 004, section 2.3): at peak
 * hours both the amount that is used and the time for which it is used are charged, at other hours
 * the time only; resources have weights; what is reserved costs more than what is shared, and a
 * member more than a map.
 *
 * <p>The chapter reads in this order: {@link io.keyvalueserve.billing.pricing.Basis} and {@link
 * io.keyvalueserve.billing.pricing.Rate} (one price), {@link
 * io.keyvalueserve.billing.pricing.PeakCalendar} (when it is peak), {@link
 * io.keyvalueserve.billing.pricing.RateCard} and {@link io.keyvalueserve.billing.pricing.RateCards}
 * (all prices, and from when on), {@link io.keyvalueserve.billing.pricing.Quote} (what one request
 * would be charged). Why so: {@code docs/adr/0027-pricing-and-ledger.md}.
 *
 * <p>Money is {@link java.math.BigDecimal} and exact; it is rounded once, in a line of an invoice.
 */
@NullMarked
package io.keyvalueserve.billing.pricing;

import org.jspecify.annotations.NullMarked;
