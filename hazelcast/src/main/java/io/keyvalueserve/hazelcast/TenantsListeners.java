package io.keyvalueserve.hazelcast;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the listeners that the Hazelcast clients of each tenant have at this member. A counter is
 * shared only by the sessions of one tenant. Thread-safe.
 */
final class TenantsListeners {
  /** The number of listeners that a tenant may have at a member on its own objects. */
  static final int MOST_OWN = 10_000;

  /**
   * The number of listeners that a tenant may have at a member on others' maps. Each makes their
   * owners' writes dearer.
   */
  static final int MOST_ON_OTHERS = 1_000;

  private final ConcurrentHashMap<Integer, OfTenant> tenants = new ConcurrentHashMap<>();

  /** Those of one tenant: the sum over its sessions. */
  final class OfTenant {
    private final int tenant;
    private final AtomicInteger own = new AtomicInteger();
    private final AtomicInteger onOthers = new AtomicInteger();

    /** Changed within the map's own lock of the entry. */
    private int sessions;

    private OfTenant(int tenant) {
      this.tenant = tenant;
    }

    /**
     * Counts a listener, unless there are too many then.
     *
     * @param foreign whether it is on another's map
     */
    boolean take(boolean foreign) {
      if (count(foreign).incrementAndGet() <= most(foreign)) {
        return true;
      }
      give(foreign);
      return false;
    }

    void give(boolean foreign) {
      int _ = count(foreign).decrementAndGet();
    }

    int count() {
      return own.get() + onOthers.get();
    }

    private AtomicInteger count(boolean foreign) {
      return foreign ? onOthers : own;
    }

    /** The session has ended, and has given back all that it took. */
    void leave() {
      OfTenant _ =
          tenants.computeIfPresent(tenant, (any, known) -> --known.sessions == 0 ? null : known);
    }
  }

  private static int most(boolean foreign) {
    return foreign ? MOST_ON_OTHERS : MOST_OWN;
  }

  /** Returns why one more listener is refused, in words for the tenant. */
  static String refusal(boolean foreign) {
    return "the Hazelcast clients of a tenant may have "
        + most(foreign)
        + (foreign ? " listeners on others' maps" : " listeners on what is their own")
        + " at a member, and have: remove some";
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

  /** Returns the number of listeners of a tenant. */
  int of(int tenant) {
    OfTenant known = tenants.get(tenant);
    return known == null ? 0 : known.count();
  }
}
