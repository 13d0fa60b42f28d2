package io.keyvalueserve.grid.space;

import com.hazelcast.core.DistributedObject;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Everything in the grid that belongs to a tenant, of whatever kind: maps, queues, topics and the
 * rest. Blocks: for virtual threads only.
 */
public final class TenantObjects {
  /** A tenant that goes on creating objects while it is deleted is not waited for any longer. */
  private static final int MOST_PASSES = 100;

  private static final int EMPTY_PASSES = 2;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final NodeEngine nodeEngine;

  /** The objects that this member knows of: all that exist, but for those of the last moment. */
  public TenantObjects(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
  }

  /**
   * An object of the grid.
   *
   * @param service the Hazelcast service that keeps it
   * @param name its name in the grid
   */
  public record GridObject(String service, String name) {}

  /** Returns the objects that belong to the tenant now. */
  public List<GridObject> list(TenantName tenant) {
    Set<GridObject> found = new LinkedHashSet<>();
    for (DistributedObject object : proxies().getAllDistributedObjects()) {
      if (QualifiedName.belongsTo(tenant, object.getName())) {
        found.add(new GridObject(object.getServiceName(), object.getName()));
      }
    }
    MapService maps = nodeEngine.getService(MapService.SERVICE_NAME);
    for (String map : maps.getMapServiceContext().getMapContainers().keySet()) {
      if (QualifiedName.belongsTo(tenant, map)) {
        found.add(new GridObject(MapService.SERVICE_NAME, map));
      }
    }
    return List.copyOf(found);
  }

  /** Shows the name of each map, of whatever tenant; a name may come twice. */
  public void forEachMap(Consumer<String> visitor) {
    proxies().getDistributedObjectNames(MapService.SERVICE_NAME).forEach(visitor);
    MapService maps = nodeEngine.getService(MapService.SERVICE_NAME);
    maps.getMapServiceContext().getMapContainers().keySet().forEach(visitor);
  }

  /**
   * Destroys all of it, everywhere, again and again until two looks in a row find nothing.
   *
   * @return how many objects were destroyed
   * @throws IllegalStateException if there is no end to them: the tenant must be suspended first
   */
  public int destroyAll(TenantName tenant) {
    return destroy(tenant, object -> true);
  }

  /**
   * Destroys maps of a tenant, as {@link #destroyAll} does with all objects.
   *
   * @param which are destroyed, by their names in the grid
   * @return how many maps were destroyed
   */
  public int destroyMaps(TenantName tenant, Predicate<String> which) {
    return destroy(
        tenant,
        object -> object.service().equals(MapService.SERVICE_NAME) && which.test(object.name()));
  }

  private int destroy(TenantName tenant, Predicate<GridObject> which) {
    int destroyed = 0;
    int empty = 0;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
      List<GridObject> found = list(tenant).stream().filter(which).toList();
      empty = found.isEmpty() ? empty + 1 : 0;
      if (empty == EMPTY_PASSES) {
        return destroyed;
      }
      for (GridObject object : found) {
        destroyed += destroy(object) ? 1 : 0;
      }
    }
    throw new IllegalStateException(
        "a tenant's objects keep coming back: passes="
            + MOST_PASSES
            + " destroyed="
            + destroyed
            + "; suspend the tenant before deleting it");
  }

  /** Returns false if that has to be tried again: its tenant is being loaded, or held a moment. */
  private boolean destroy(GridObject object) {
    try {
      proxies()
          .destroyDistributedObject(
              object.service(), object.name(), nodeEngine.getLocalMember().getUuid());
      return true;
    } catch (RetryableHazelcastException e) {
      LockSupport.parkNanos(RETRY_NANOS);
      return false;
    }
  }

  private InternalProxyService proxies() {
    return (InternalProxyService) nodeEngine.getProxyService();
  }
}
