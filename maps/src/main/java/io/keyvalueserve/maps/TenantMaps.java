package io.keyvalueserve.maps;

import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What this member has of tenants' maps, and when they were used. Thread-safe. */
public final class TenantMaps {
  private static final char SEPARATOR = '/';

  private final MemberPartitions partitions;

  TenantMaps(MemberPartitions partitions) {
    this.partitions = partitions;
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
