package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.pricing.BillingPeriod;
import java.math.BigDecimal;

/**
 * A warning that a tenant has spent a part of its cap.
 *
 * @param period in which billing period
 * @param percent how much of the cap, as the limit's {@code warnPercents} has it
 * @param spent what is known to be spent, that percent or more
 * @param cap the cap
 */
public record SpendWarning(BillingPeriod period, int percent, BigDecimal spent, BigDecimal cap) {}
