package io.keyvalueserve.grid.hd.index;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.Index.OperationSource;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexImpl;
import com.hazelcast.query.impl.IndexStore;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.getters.Extractors;
import io.keyvalueserve.memory.NativeHeap;

/** Hazelcast's own hash or sorted index, which keeps what it has off the heap. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
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

  /** A value that is not readable has no attributes for an index either. */
  @Override
  public void putEntry(
      CachedQueryEntry newEntry,
      CachedQueryEntry oldEntry,
      QueryableEntry entryToStore,
      OperationSource operationSource) {
    LenientReading lenient = MemberSerialization.lenient(ss);
    boolean before = lenient.begin();
    try {
      super.putEntry(newEntry, oldEntry, entryToStore, operationSource);
    } finally {
      lenient.end(before);
    }
  }

  @Override
  public void removeEntry(CachedQueryEntry entry, OperationSource operationSource) {
    LenientReading lenient = MemberSerialization.lenient(ss);
    boolean before = lenient.begin();
    try {
      super.removeEntry(entry, operationSource);
    } finally {
      lenient.end(before);
    }
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
