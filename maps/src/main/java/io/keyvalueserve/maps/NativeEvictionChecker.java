package io.keyvalueserve.maps;

import static com.hazelcast.memory.MemoryUnit.MEGABYTES;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.internal.util.MemoryInfoAccessor;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.eviction.EvictionChecker;
import com.hazelcast.map.impl.recordstore.RecordStore;

/**
 * Decides whether a map has passed the limit in its configuration. The limit is a number of
 * entries, as Hazelcast counts them, or an amount of memory off the heap: used by the map, or free
 * on the member.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
final class NativeEvictionChecker extends EvictionChecker {
  private static final long PERCENT = 100;

  private final NativeMaps maps;

  NativeEvictionChecker(NativeMaps maps, MemoryInfoAccessor heap, MapServiceContext context) {
    super(heap, context);
    this.maps = maps;
  }

  @Override
  public boolean checkEvictable(RecordStore store) {
    if (store.size() == 0) {
      return false;
    }
    EvictionConfig config = store.getMapContainer().getMapConfig().getEvictionConfig();
    long limit = config.getSize();
    long capacity = maps.capacityBytes();
    return switch (config.getMaxSizePolicy()) {
      case USED_NATIVE_MEMORY_SIZE -> bytesOf(store) > MEGABYTES.toBytes(limit);
      case USED_NATIVE_MEMORY_PERCENTAGE -> bytesOf(store) > capacity / PERCENT * limit;
      case FREE_NATIVE_MEMORY_SIZE -> maps.freeBytes() < MEGABYTES.toBytes(limit);
      case FREE_NATIVE_MEMORY_PERCENTAGE -> maps.freeBytes() < capacity / PERCENT * limit;
      default -> super.checkEvictable(store);
    };
  }

  private static long bytesOf(RecordStore store) {
    return ((NativeMapContainer) store.getMapContainer()).bytes().sum();
  }
}
