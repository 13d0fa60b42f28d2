package io.keyvalueserve.maps;

import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.PartitionContainer;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The maps that tenants have on this member, and when they were used. Thread-safe. */
public final class TenantMaps {
  private static final char SEPARATOR = '/';

  private final MemberPartitions partitions;
  private final MapAccounts accounts;
  private final ThreadLocal<Boolean> dropping = ThreadLocal.withInitial(() -> false);

  TenantMaps(MemberPartitions partitions, MapAccounts accounts) {
    this.partitions = partitions;
    this.accounts = accounts;
  }

  /**
   * Drops the maps of a tenant from the memory and the log of this member, and what Hazelcast keeps
   * for them; not their settings, indexes or listeners. Nobody may use them meanwhile. Blocks.
   *
   * @param names of maps that may be known here without entries
   */
  public void drop(String tenant, Collection<String> names) {
    Set<String> all = new HashSet<>(names);
    for (Map.Entry<String, MapContainer> map : Map.copyOf(all()).entrySet()) {
      if (tenant.equals(tenantOf(map.getKey()))) {
        drop(map.getValue());
        boolean _ = all.add(map.getKey());
      }
    }
    InternalProxyService proxies = (InternalProxyService) partitions.nodeEngine().getProxyService();
    dropping.set(true);
    try {
      for (String name : all) {
        proxies.destroyLocalDistributedObject(
            MapService.SERVICE_NAME,
            name,
            partitions.nodeEngine().getLocalMember().getUuid(),
            false);
      }
    } finally {
      dropping.remove();
    }
  }

  /**
   * Hazelcast's way of destroying a map waits for partitions that move, and may go on later. This
   * one has each partition for itself for a moment.
   */
  private void drop(MapContainer container) {
    container.onBeforeDestroy();
    for (PartitionContainer partition : partitions.context().getPartitionContainers()) {
      partitions.exclusively(partition.getPartitionId(), () -> partition.destroyMap(container));
    }
    container.onDestroy();
    accounts.destroyed(container.getName());
  }

  /** Returns whether the calling thread drops maps. */
  public boolean isDropping() {
    return dropping.get();
  }

  /** Returns the names in the grid of a tenant's maps on this member, but for hidden ones. */
  public List<String> names(String tenant) {
    List<String> names = new ArrayList<>();
    for (String name : all().keySet()) {
      if (tenant.equals(tenantOf(name)) && !HiddenMaps.isHidden(name)) {
        names.add(name);
      }
    }
    return names;
  }

  /**
   * Returns when maps were last used on this member, in milliseconds since 1970, of each tenant for
   * which a condition holds and that has some here.
   */
  public Map<String, Long> lastUses(Predicate<String> wanted) {
    Map<String, Long> uses = new HashMap<>();
    all()
        .forEach(
            (name, container) -> {
              String tenant = tenantOf(name);
              if (tenant != null && container instanceof NativeMapContainer own) {
                if (uses.containsKey(tenant) || wanted.test(tenant)) {
                  Long _ = uses.merge(tenant, own.lastUseMillis(), Math::max);
                }
              }
            });
    return uses;
  }

  /**
   * Returns when maps of a tenant were last used on this member, in milliseconds since 1970; 0 if
   * it has none here.
   */
  public long lastUseMillis(String tenant) {
    return lastUses(tenant::equals).getOrDefault(tenant, 0L);
  }

  /**
   * Returns why the maps of a tenant cannot leave the memory of this member now, in words for an
   * operator; null if they can.
   */
  public @Nullable String obstacle(String tenant) {
    NodeEngine nodeEngine = partitions.nodeEngine();
    for (Map.Entry<String, MapContainer> map : all().entrySet()) {
      String name = map.getKey();
      if (tenant.equals(tenantOf(name)) && map.getValue() instanceof NativeMapContainer container) {
        String shown = HiddenMaps.inFrontOf(name).substring(tenant.length() + 1);
        String obstacle = obstacle(nodeEngine, name, container);
        if (obstacle != null) {
          return "map " + shown + ": " + obstacle;
        }
      }
    }
    return null;
  }

  private @Nullable String obstacle(
      NodeEngine nodeEngine, String name, NativeMapContainer container) {
    if (container.external() != null) {
      return "a table is behind it";
    }
    if (container.chargesWriters()) {
      return "its entries are charged to their writers";
    }
    if (nodeEngine.getEventService().hasEventRegistration(MapService.SERVICE_NAME, name)) {
      return "a client listens to it";
    }
    if (!container.getInterceptorRegistry().getInterceptors().isEmpty()) {
      return "it has an interceptor";
    }
    for (int partition = 0; partition < partitions.count(); partition++) {
      NativeRecordStore store = partitions.store(name, partition);
      if (store != null && store.getLockedEntryCount() > 0) {
        return "a client has locked one of its keys";
      }
    }
    return null;
  }

  private Map<String, MapContainer> all() {
    return partitions.context().getMapContainers();
  }

  private static @Nullable String tenantOf(String map) {
    int end = map.indexOf(SEPARATOR);
    return end <= 0 ? null : map.substring(0, end);
  }
}
