package io.keyvalueserve.billing.spending;

import io.keyvalueserve.billing.pricing.BillingPeriod;

/**
 * The amount that one member has spent for a tenant.
 *
 * @param period in which billing period
 * @param spentNanos how much, in nano units: 0 or more
 */
public record SpendReport(BillingPeriod period, long spentNanos) {}
