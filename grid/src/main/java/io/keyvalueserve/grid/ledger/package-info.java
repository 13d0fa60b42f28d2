/**
 * The ledgers of all tenants, in a system map of the grid.
 *
 * <p>{@link io.keyvalueserve.grid.ledger.GridLedger} is the way in. A ledger is stored in segments
 * ({@code LedgerSegment}), each of which says all that is needed to append to it: where the ledger
 * ended before it, and what every member had told by then ({@code PostedMarks}). So one write
 * appends, and it is a compare-and-set. Why so: {@code docs/adr/0029-ledger-in-the-grid.md}. Prices
 * are in {@link io.keyvalueserve.grid.ledger.GridRates}.
 */
@NullMarked
package io.keyvalueserve.grid.ledger;

import org.jspecify.annotations.NullMarked;
