package io.keyvalueserve.maps.index;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.TypeConverter;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.monitor.impl.PerIndexStats;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.CompositeConverter;
import com.hazelcast.query.impl.Index.OperationSource;
import com.hazelcast.query.impl.IndexCopyBehavior;
import com.hazelcast.query.impl.IndexImpl;
import com.hazelcast.query.impl.IndexStore;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.query.impl.TypeConverters;
import com.hazelcast.query.impl.getters.Extractors;
import io.keyvalueserve.memory.NativeHeap;
import org.jspecify.annotations.Nullable;

/** Hazelcast's own hash or sorted index, which keeps what it has off the heap. */
@SuppressWarnings({"rawtypes", "ReferenceEquality"}) // as Hazelcast's own
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
      put(newEntry, oldEntry, entryToStore, operationSource);
    } finally {
      lenient.end(before);
    }
  }

  /** An entry whose attributes do not compare is in the map and not in the index. */
  private void put(
      CachedQueryEntry newEntry,
      @Nullable CachedQueryEntry oldEntry,
      QueryableEntry entryToStore,
      OperationSource source) {
    // The first attribute says to which type the index converts what it is asked for.
    if (isUntyped(getConverter()) && !hasPlaceFor(newEntry)) {
      leaveOut(oldEntry, source);
      return;
    }
    try {
      super.putEntry(newEntry, oldEntry, entryToStore, source);
    } catch (IllegalStateException e) { // an index of several attributes, before it has changed
      if (getComponents().length == 1) {
        throw e;
      }
      if (!hasPlaceFor(newEntry)) {
        leaveOut(oldEntry, source);
      } else if (oldEntry != null && !hasPlaceFor(oldEntry)) {
        super.putEntry(newEntry, null, entryToStore, source);
      } else {
        throw e;
      }
    }
  }

  private void leaveOut(@Nullable CachedQueryEntry oldEntry, OperationSource source) {
    ComparableValues.passOver(getComponents());
    if (oldEntry != null && hasPlaceFor(oldEntry)) {
      super.removeEntry(oldEntry, source);
    }
  }

  private boolean hasPlaceFor(CachedQueryEntry entry) {
    return ComparableValues.hasPlaceFor(entry, getComponents());
  }

  private static boolean isUntyped(@Nullable TypeConverter converter) {
    return converter == null
        || converter == TypeConverters.NULL_CONVERTER
        || (converter instanceof CompositeConverter several && several.isTransient());
  }

  @Override
  public void removeEntry(CachedQueryEntry entry, OperationSource operationSource) {
    LenientReading lenient = MemberSerialization.lenient(ss);
    boolean before = lenient.begin();
    try {
      super.removeEntry(entry, operationSource);
    } catch (IllegalStateException e) {
      if (getComponents().length == 1 || hasPlaceFor(entry)) {
        throw e;
      }
    } finally {
      lenient.end(before);
    }
  }

  @Override
  public void destroy() {
    super.destroy();
    store().destroy();
  }

  /** Returns the contents, for who reads them off the heap; null if they are on it. */
  @Nullable IndexContents offHeap() {
    return store().offHeap();
  }

  private NativeIndexStore store() {
    return (NativeIndexStore) indexStore;
  }
}
