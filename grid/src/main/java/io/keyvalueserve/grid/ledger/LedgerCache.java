package io.keyvalueserve.grid.ledger;

import io.keyvalueserve.billing.ledger.TenantLedger;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers that were read and checked, for who reads them again. Whoever takes one has it alone, and
 * brings it back; another who wants it meanwhile reads it anew. Thread-safe; never waits long.
 */
final class LedgerCache {
  private final long mostEntries;

  /** The ledgers by the tenant's number. The one that was used least recently comes first. */
  private final Map<Integer, TenantLedger> ledgers = new LinkedHashMap<>();

  private long entries;
  private long generation;

  /**
   * @param mostEntries of all ledgers together; each is some 700 bytes of the Java heap
   */
  LedgerCache(long mostEntries) {
    this.mostEntries = mostEntries;
  }

  /** Takes a ledger out; null if it is not there. */
  synchronized @Nullable TenantLedger take(int tenantNumber) {
    TenantLedger ledger = ledgers.remove(tenantNumber);
    entries -= ledger == null ? 0 : ledger.entries().size();
    return ledger;
  }

  /** Returns a number that grows with each {@link #clear}. */
  synchronized long generation() {
    return generation;
  }

  /** Forgets all ledgers, also those that were taken out. */
  synchronized void clear() {
    generation++;
    ledgers.clear();
    entries = 0;
  }

  /**
   * Brings a ledger, unless it is larger than all may be; others go as far as they have to.
   *
   * @param taken the generation before the ledger was taken or read
   */
  synchronized void put(TenantLedger ledger, long taken) {
    if (taken != generation) {
      return;
    }
    var _ = take(ledger.tenantNumber());
    if (ledger.entries().size() > mostEntries) {
      return;
    }
    ledgers.put(ledger.tenantNumber(), ledger);
    entries += ledger.entries().size();
    Iterator<TenantLedger> oldest = ledgers.values().iterator();
    while (entries > mostEntries) {
      entries -= oldest.next().entries().size();
      oldest.remove();
    }
  }

  /** Entries of all that it has. */
  synchronized long entries() {
    return entries;
  }
}
