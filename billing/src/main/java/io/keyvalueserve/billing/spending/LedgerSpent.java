package io.keyvalueserve.billing.spending;

import java.time.YearMonth;
import java.util.Map;
import java.util.UUID;

/**
 * The amount that a tenant has spent by its ledger.
 *
 * @param month in which month
 * @param nanos how much, in nano units: 0 or more
 * @param posted the last interval that is in it, of each member by its id in the ledgers
 */
public record LedgerSpent(YearMonth month, long nanos, Map<UUID, Long> posted) {
  public LedgerSpent {
    posted = Map.copyOf(posted);
  }
}
