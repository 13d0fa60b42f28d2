package io.keyvalueserve.maps;

import com.hazelcast.config.CacheDeserializedValues;
import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.config.MetadataPolicy;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/**
 * A map's configuration as the member serves it: off the heap, whatever in-memory format it names.
 * For a client there is no difference in what a map does, only in where it lies; so the formats
 * that lie on the heap (BINARY, OBJECT) are taken as NATIVE, and limits of heap memory as limits of
 * native memory. Deserialized values are not cached, and where the parts of a JSON value are is not
 * kept, as both would lie on the heap.
 */
public final class NativeMapConfig {
  private static final Set<MaxSizePolicy> NATIVE_LIMITS =
      EnumSet.of(
          MaxSizePolicy.USED_NATIVE_MEMORY_SIZE,
          MaxSizePolicy.USED_NATIVE_MEMORY_PERCENTAGE,
          MaxSizePolicy.FREE_NATIVE_MEMORY_SIZE,
          MaxSizePolicy.FREE_NATIVE_MEMORY_PERCENTAGE);

  private NativeMapConfig() {}

  /**
   * The configuration with which a map is served.
   *
   * @param configured finds the configuration of a map
   */
  public static MapConfig of(String map, Function<String, MapConfig> configured) {
    return HiddenMaps.isHidden(map)
        ? HiddenMaps.configured(map, of(configured.apply(HiddenMaps.inFrontOf(map))))
        : of(configured.apply(map));
  }

  /** The configuration to serve; the given one is left as it is. */
  public static MapConfig of(MapConfig config) {
    MapConfig served = new MapConfig(config);
    served.setInMemoryFormat(InMemoryFormat.NATIVE);
    served.setCacheDeserializedValues(CacheDeserializedValues.NEVER);
    served.setMetadataPolicy(MetadataPolicy.OFF);
    MapStoreConfig external = config.getMapStoreConfig();
    if (external != null
        && !external
            .isEnabled()) { // an operation never runs in steps: it is deferred before it begins
      served.setMapStoreConfig(new MapStoreConfig(external).setOffload(false));
    }
    EvictionConfig eviction = new EvictionConfig(config.getEvictionConfig());
    eviction.setMaxSizePolicy(of(eviction.getMaxSizePolicy()));
    served.setEvictionConfig(eviction);
    return served;
  }

  /**
   * A configuration that Hazelcast Community accepts if, but for the native format, it would accept
   * the given one.
   */
  public static MapConfig toCheck(MapConfig served) {
    MapConfig checked = new MapConfig(served);
    checked.setInMemoryFormat(InMemoryFormat.BINARY);
    EvictionConfig eviction = new EvictionConfig(served.getEvictionConfig());
    if (NATIVE_LIMITS.contains(eviction.getMaxSizePolicy())) {
      eviction.setMaxSizePolicy(MaxSizePolicy.PER_NODE);
    }
    checked.setEvictionConfig(eviction);
    return checked;
  }

  private static MaxSizePolicy of(MaxSizePolicy policy) {
    return switch (policy) {
      case USED_HEAP_SIZE -> MaxSizePolicy.USED_NATIVE_MEMORY_SIZE;
      case USED_HEAP_PERCENTAGE -> MaxSizePolicy.USED_NATIVE_MEMORY_PERCENTAGE;
      case FREE_HEAP_SIZE -> MaxSizePolicy.FREE_NATIVE_MEMORY_SIZE;
      case FREE_HEAP_PERCENTAGE -> MaxSizePolicy.FREE_NATIVE_MEMORY_PERCENTAGE;
      default -> policy;
    };
  }
}
