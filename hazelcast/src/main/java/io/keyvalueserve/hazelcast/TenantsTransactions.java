package io.keyvalueserve.hazelcast;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the transactions that the Hazelcast clients of each tenant have open at this member. A
 * counter is shared only by the sessions of one tenant. Thread-safe.
 */
final class TenantsTransactions {
  private final int most;
  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  /**
   * @param most how many a tenant may have open, 1 or more
   */
  TenantsTransactions(int most) {
    this.most = most;
  }

  /** Those of one tenant: the sum over its sessions. */
  final class OfTenant {
    private final int tenant;
    private final AtomicInteger open = new AtomicInteger();

    /** Changed within the map's own lock of the entry. */
    private int sessions;

    private OfTenant(int tenant) {
      this.tenant = tenant;
    }

    /** Counts a transaction, unless there are too many then. */
    boolean take() {
      if (open.incrementAndGet() <= most) {
        return true;
      }
      give();
      return false;
    }

    void give() {
      int _ = open.decrementAndGet();
    }

    /** The session has ended, and has given back all that it took. */
    void leave() {
      OfTenant _ =
          tenants.computeIfPresent(tenant, (any, known) -> --known.sessions == 0 ? null : known);
    }

    /** Returns why one more is refused, in words for the tenant. */
    String refusal() {
      return "the Hazelcast clients of a tenant may have "
          + most
          + " transactions open at a member, and have: commit some or roll them back";
    }
  }

  /** Returns the tenant's counter for a session that begins. */
  OfTenant enter(int tenant) {
    return tenants.compute(
        tenant,
        (number, known) -> {
          OfTenant entered = known == null ? new OfTenant(number) : known;
          entered.sessions++;
          return entered;
        });
  }

  /** Returns how many a tenant has open. */
  int of(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.open.get();
  }
}
