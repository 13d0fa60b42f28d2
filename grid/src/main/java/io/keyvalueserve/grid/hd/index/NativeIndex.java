package io.keyvalueserve.grid.hd.index;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexImpl;
import com.hazelcast.query.impl.IndexStore;
import com.hazelcast.query.impl.getters.Extractors;
import io.keyvalueserve.memory.NativeHeap;

/** Hazelcast's own hash or sorted index, which keeps what it has off the heap. */
final class NativeIndex extends IndexImpl {
  NativeIndex(
      Node node,
      IndexConfig config,
      InternalSerializationService serialization,
      Extractors extractors,
      IndexCopyBehavior copyBehavior,
      PerIndexStats stats,
      int partitionCount,
      NativeHeap heap,
      int stripes,
      IndexedMap map) {
    super(node, config, serialization, extractors, copyBehavior, stats, partitionCount, map.name());
    store().attach(heap, stripes, map, this::getConverter);
  }

  /** Runs inside the constructor of a superclass: uses no field of this class. */
  @Override
  protected IndexStore createIndexStore(
      Node node, IndexConfig config, PerIndexStats stats, String mapName, int partitionId) {
    return new NativeIndexStore(
        getName(), getComponents(), config.getType() == IndexType.SORTED, copyBehavior, stats);
  }

  @Override
  public void destroy() {
    super.destroy();
    store().destroy();
  }

  private NativeIndexStore store() {
    return (NativeIndexStore) indexStore;
  }
}
