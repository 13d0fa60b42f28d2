/**
 * Spending: a cap on what a tenant spends in a billing period, on all members together.
 *
 * <p>{@link io.keyvalueserve.billing.spending.SpendLimit} says how much and what then, {@link
 * io.keyvalueserve.billing.spending.RequestPrices} what a request costs, {@link
 * io.keyvalueserve.billing.spending.SpendCap} whether it may still be spent. Money on the path of a
 * request is a long in nano units, 10^-9 of the currency's unit ({@link
 * io.keyvalueserve.billing.spending.NanoMoney}).
 *
 * <p>Pure logic: time is handed in, and members' reports are handed in and out.
 */
@NullMarked
package io.keyvalueserve.billing.spending;

import org.jspecify.annotations.NullMarked;
