package io.keyvalueserve.grid.door;

import io.keyvalueserve.grid.WaitingLimit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the Hazelcast clients of each tenant have waiting at this member. Thread-safe; what counts a
 * request is shared by the sessions of its tenant and by nobody else.
 */
final class TenantsWaiting {
  private final WaitingLimit limit;
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  TenantsWaiting(WaitingLimit limit) {
    this.limit = limit;
  }

  /** What one tenant has waiting: the sum over its sessions. */
  final class OfTenant {
    private final int tenant;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Changed within the map's own lock of the entry. */
    private int sessions;

    private OfTenant(int tenant) {
      this.tenant = tenant;
    }

    /** Counts a request, unless there are too many then; a long one may wait alone. */
    boolean take(int length) {
      int requestsNow = requests.incrementAndGet();
      long bytesNow = bytes.addAndGet(length);
      if (requestsNow <= limit.requests() && (bytesNow <= limit.bytes() || bytesNow == length)) {
        return true;
      }
      give(1, length);
      return false;
    }

    void give(int count, long length) {
      int _ = requests.addAndGet(-count);
      long _ = bytes.addAndGet(-length);
    }

    int requests() {
      return requests.get();
    }

    String refusal() {
      return "the tenant's Hazelcast clients have too much waiting at this member: requests="
          + requests
          + " bytes="
          + bytes
          + " limits="
          + limit.requests()
          + ", "
          + limit.bytes()
          + "; send again when some are answered";
    }

    /** The session has ended, and has given back all that it took. */
    void leave() {
      OfTenant _ =
          tenants.computeIfPresent(tenant, (any, known) -> --known.sessions == 0 ? null : known);
    }
  }

  /** For a session that begins. */
  OfTenant enter(int tenant) {
    return tenants.compute(
        tenant,
        (number, known) -> {
          OfTenant entered = known == null ? new OfTenant(number) : known;
          entered.sessions++;
          return entered;
        });
  }

  /** How many requests of a tenant wait. */
  int requests(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.requests();
  }

  /** How many bytes they have. */
  long bytes(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.bytes.get();
  }
}
