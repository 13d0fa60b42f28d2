package io.keyvalueserve.billing.ledger;

import io.keyvalueserve.tenancy.TenantName;

/**
 * The head of a ledger: where it ends. A reader that keeps a head elsewhere, on an invoice for
 * instance, can tell later that no entry before it was changed or taken away.
 *
 * @param entries how many entries there are: 0 or more
 * @param hash of the last one; of the tenant alone if there is none
 */
public record LedgerHead(long entries, EntryHash hash) {
  /**
   * @throws IllegalArgumentException if the number is negative
   */
  public LedgerHead {
    if (entries < 0) {
      throw new IllegalArgumentException("entries is 0 or more: " + entries);
    }
  }

  /** Returns the head of a ledger that has no entries. */
  public static LedgerHead beginning(TenantName tenant, int tenantNumber) {
    return new LedgerHead(0, LedgerCodec.seed(tenant, tenantNumber));
  }
}
