package io.keyvalueserve.maps.index;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.query.impl.DefaultIndexProvider;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexProvider;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.query.impl.getters.Extractors;
import io.keyvalueserve.memory.NativeHeap;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** Makes the indexes of a member's maps; bitmap indexes are Hazelcast's own. */
public final class NativeIndexes implements IndexProvider {
  private static final int MOST_STRIPES = 16;

  private final NativeHeap heap;
  private final IntSupplier writers;
  private final Function<String, IndexedMap> maps;
  private final IndexProvider onHeap = new DefaultIndexProvider();

  /**
   * Creates the maker of indexes for one member.
   *
   * @param writers how many threads write maps
   * @param maps a map by its name, which need not exist yet
   */
  public NativeIndexes(NativeHeap heap, IntSupplier writers, Function<String, IndexedMap> maps) {
    this.heap = heap;
    this.writers = writers;
    this.maps = maps;
  }

  @Override
  public InternalIndex createIndex(
      Node node,
      IndexConfig config,
      Extractors extractors,
      InternalSerializationService serialization,
      IndexCopyBehavior copyBehavior,
      PerIndexStats stats,
      int partitionCount,
      int partitionId,
      String mapName) {
    if (config.getType() == IndexType.BITMAP) {
      return onHeap.createIndex(
          node,
          config,
          extractors,
          serialization,
          copyBehavior,
          stats,
          partitionCount,
          partitionId,
          mapName);
    }
    return new NativeIndex(
        node,
        config,
        serialization,
        extractors,
        copyBehavior,
        stats,
        partitionCount,
        heap,
        Math.min(MOST_STRIPES, writers.getAsInt()),
        maps.apply(mapName));
  }
}
