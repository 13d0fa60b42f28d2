package io.keyvalueserve.grid.lock;

import com.hazelcast.internal.locksupport.LockResource;
import com.hazelcast.internal.locksupport.LockStoreImpl;
import com.hazelcast.internal.locksupport.LockSupportService;
import com.hazelcast.internal.locksupport.LockSupportServiceImpl;
import com.hazelcast.internal.partition.IPartition;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.maps.ClientIds;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Counts the locks on keys of the partitions that this member owns. Thread-safe. */
public final class LockCensus {
  private final NodeEngine nodeEngine;

  /** Creates the census of this member's locks. */
  public LockCensus(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
  }

  /**
   * Returns the number of locks that tenants' clients hold, by the tenants' numbers; those of
   * transactions too.
   */
  public Map<Integer, Integer> byTenant() {
    LockSupportServiceImpl locks = nodeEngine.getService(LockSupportService.SERVICE_NAME);
    Map<Integer, Integer> held = new HashMap<>();
    for (IPartition partition : nodeEngine.getPartitionService().getPartitions()) {
      if (partition.isLocal()) {
        for (LockStoreImpl store :
            locks.getLockContainer(partition.getPartitionId()).getLockStores()) {
          for (LockResource resource : store.getLocks()) {
            UUID owner = resource.getOwner();
            int tenant = owner == null ? ClientIds.NOBODY : ClientIds.tenantOf(owner);
            if (resource.isLocked() && tenant != ClientIds.NOBODY) {
              held.merge(tenant, 1, Integer::sum);
            }
          }
        }
      }
    }
    return held;
  }
}
