/**
 * The ledger: what each tenant used, in entries that are only ever appended, each with the hash of
 * the one before, and the invoices that are computed from them.
 *
 * <p>The chapter reads in this order: {@link io.keyvalueserve.billing.ledger.Posting} and {@link
 * io.keyvalueserve.billing.ledger.LedgerEntry} (what is kept), {@link
 * io.keyvalueserve.billing.ledger.TenantLedger} (how it comes in, once), {@link
 * io.keyvalueserve.billing.ledger.Invoices} (usage and a rate card make an {@link
 * io.keyvalueserve.billing.ledger.Invoice}), {@link io.keyvalueserve.billing.ledger.BillVerifier}
 * (anybody who has the entries can do that again, and is told the first {@link
 * io.keyvalueserve.billing.ledger.Difference}; {@link io.keyvalueserve.billing.ledger.KeptBill} is
 * what it takes to ask), {@link io.keyvalueserve.billing.ledger.Forecast}, {@link
 * io.keyvalueserve.billing.ledger.UsageSums}, and the exports. Why so: {@code
 * docs/adr/0027-pricing-and-ledger.md}.
 *
 * <p>Pure logic: entries are handed in and out as bytes, and whoever wires it keeps them.
 */
@NullMarked
package io.keyvalueserve.billing.ledger;

import org.jspecify.annotations.NullMarked;
