package io.keyvalueserve.grid.lock;

import com.hazelcast.internal.locksupport.LockResource;
import io.keyvalueserve.maps.ClientIds;
import io.keyvalueserve.maps.LockedStores;
import io.keyvalueserve.maps.LockedStores.Locked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Counts the locks on keys of the partitions that this member owns. Thread-safe. */
public final class LockCensus {
  private final LockedStores locks;

  /** Creates the census of this member's locks. */
  public LockCensus(LockedStores locks) {
    this.locks = locks;
  }

  /**
   * Returns the number of locks that tenants' clients hold, by the tenants' numbers; those of
   * transactions too.
   */
  public Map<Integer, Integer> byTenant() {
    return byTenant(locks.find());
  }

  /** Returns the same; of the first locks that there are, it may tell a little later. */
  public Map<Integer, Integer> lately() {
    return byTenant(locks.findLately());
  }

  private Map<Integer, Integer> byTenant(List<Locked> stores) {
    Map<Integer, Integer> held = new HashMap<>();
    for (Locked each : stores) {
      if (locks.isOwned(each.partition())) {
        for (LockResource resource : each.store().getLocks()) {
          UUID owner = resource.getOwner();
          int tenant = owner == null ? ClientIds.NOBODY : ClientIds.tenantOf(owner);
          if (resource.isLocked() && tenant != ClientIds.NOBODY) {
            held.merge(tenant, 1, Integer::sum);
          }
        }
      }
    }
    return held;
  }
}
