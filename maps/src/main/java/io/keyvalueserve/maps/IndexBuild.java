package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.CachedQueryEntry;
import com.hazelcast.query.impl.Index;
import com.hazelcast.query.impl.InternalIndex;
import io.keyvalueserve.store.Records;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes that get the entries of a partition as these are loaded. Queries use an index when all
 * partitions of the member are in it, so none sees a part of one. Writes go to the indexes as ever:
 * what they replace was loaded before. By the writer of the entries.
 */
final class IndexBuild {
  private static final Logger LOG = LoggerFactory.getLogger(IndexBuild.class);

  private final NativeMapContainer map;
  private final int partition;
  private final List<InternalIndex> indexes = new ArrayList<>();

  IndexBuild(NativeMapContainer map, int partition) {
    this.map = map;
    this.partition = partition;
  }

  /** An index that is to have the partition's entries from now on; those that are here at once. */
  void add(InternalIndex index, NativeEntries entries) {
    if (indexes.contains(index)) {
      return;
    }
    indexes.add(index);
    long cursor = 0;
    while (cursor >= 0 && indexes.contains(index)) {
      cursor = entries.scanLoaded(cursor, record -> put(index, record, entries));
    }
  }

  /** An entry was loaded. */
  void loaded(long record, NativeEntries entries) {
    for (int i = indexes.size() - 1; i >= 0; i--) { // one that does not take it leaves
      put(indexes.get(i), record, entries);
    }
  }

  private void put(InternalIndex index, long record, NativeEntries entries) {
    Data key = DataForm.key(record);
    Data value = entries.value(record);
    if (value == null && Records.valueForm(record) != DataForm.NULL) {
      return;
    }
    try {
      CachedQueryEntry<?, ?> entry = entry(key, value);
      index.putEntry(entry, null, entry, Index.OperationSource.SYSTEM);
    } catch (RuntimeException e) { // of the tenant's data: loading goes on, queries look at entries
      boolean _ = indexes.remove(index);
      LOG.warn(
          "an index cannot be made while entries are loaded: map={} index={} partition={}",
          map.getName(),
          index.getName(),
          partition,
          e);
    }
  }

  private CachedQueryEntry<?, ?> entry(Data key, @Nullable Data value) {
    return (CachedQueryEntry<?, ?>) map.entry(key, value);
  }

  /** All entries are loaded: the indexes have the partition. */
  void complete() {
    for (InternalIndex index : indexes) {
      index.beginPartitionUpdate();
      index.markPartitionAsIndexed(partition);
    }
    indexes.clear();
  }
}
