/**
 * Metering: what a tenant used of one map in one minute, as an event that can be told twice and
 * counts once.
 *
 * <p>The chapter reads in this order: {@link io.keyvalueserve.billing.metering.Measure} (what is
 * measured), {@link io.keyvalueserve.billing.metering.UsageEvent} and {@link
 * io.keyvalueserve.billing.metering.UsageIdentity} (what is told), {@link
 * io.keyvalueserve.billing.metering.UsageEventCodec} (its binary form), {@link
 * io.keyvalueserve.billing.metering.UsageBook} (counting on the path of a request), {@link
 * io.keyvalueserve.billing.metering.LevelIntegrator} (byte-seconds and the like).
 *
 * <p>Pure logic: time is handed in, and whoever wires it keeps the events until a ledger has them.
 */
@NullMarked
package io.keyvalueserve.billing.metering;

import org.jspecify.annotations.NullMarked;
