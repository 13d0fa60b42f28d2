package io.keyvalueserve.maps;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.spi.impl.merge.MapMergingEntryImpl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries an entry to the owner of its partition: from one side of a split to the other, or from a
 * copy that was kept elsewhere.
 *
 * @param time when it was last changed, in milliseconds since 1970; 0 if that was before the split,
 *     or is not known
 * @param timeToLive in milliseconds, as Hazelcast has it
 * @param maxIdle in milliseconds, as Hazelcast has it
 * @param expiresAt in milliseconds since 1970; {@link Long#MAX_VALUE} for never
 */
record MergedEntry(Data key, Data value, long time, long timeToLive, long maxIdle, long expiresAt) {
  void write(ObjectDataOutput out) throws IOException {
    IOUtil.writeData(out, key);
    IOUtil.writeData(out, value);
    out.writeLong(time);
    out.writeLong(timeToLive);
    out.writeLong(maxIdle);
    out.writeLong(expiresAt);
  }

  static MergedEntry read(ObjectDataInput in) throws IOException {
    return new MergedEntry(
        IOUtil.readData(in),
        IOUtil.readData(in),
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }

  /** About how many bytes it takes. */
  int bytes() {
    return key.totalSize() + value.totalSize() + 4 * Long.BYTES;
  }

  /**
   * Returns the entry as a record store takes it.
   *
   * @param changedAt when it was last changed, in milliseconds since 1970
   */
  MapMergingEntryImpl<Object, Object> merging(long changedAt, SerializationService serialization) {
    return new MapMergingEntryImpl<Object, Object>(serialization)
        .setKey(key)
        .setValue(value)
        .setCreationTime(changedAt)
        .setLastAccessTime(changedAt)
        .setLastUpdateTime(changedAt)
        .setTtl(timeToLive)
        .setMaxIdle(maxIdle)
        .setExpirationTime(expiresAt);
  }

  /**
   * Begins to index entries as they come, as Hazelcast's own merge does, and returns the indexes
   * that did not have the partition before.
   */
  static List<InternalIndex> beginIndexing(MapContainer map, int partition) {
    List<InternalIndex> unmarked = new ArrayList<>();
    for (InternalIndex index : map.getOrCreateIndexRegistry(partition).getIndexes()) {
      if (!index.hasPartitionIndexed(partition)) {
        index.beginPartitionUpdate();
        unmarked.add(index);
      }
    }
    return unmarked;
  }
}
