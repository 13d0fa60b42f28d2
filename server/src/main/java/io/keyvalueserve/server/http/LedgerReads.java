package io.keyvalueserve.server.http;

import io.helidon.http.Status;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The reads of ledgers that tenants have under way on this member: one of each tenant at a time. A
 * read of a month can take seconds of processor time, so a tenant must not have many at once.
 * Thread-safe.
 */
final class LedgerReads {
  private static final long RETRY_SECONDS = 1;

  private final Set<TenantName> underWay = ConcurrentHashMap.newKeySet();

  /**
   * Returns what a read answers.
   *
   * @throws HttpErrors.Refused if another read of the tenant is under way
   */
  <T> T one(TenantName tenant, Supplier<T> read) {
    if (!underWay.add(tenant)) {
      throw new HttpErrors.Refused(
          Status.SERVICE_UNAVAILABLE_503,
          "busy",
          "another request of this tenant reads its ledger now; try again",
          RETRY_SECONDS);
    }
    try {
      return read.get();
    } finally {
      boolean _ = underWay.remove(tenant);
    }
  }
}
