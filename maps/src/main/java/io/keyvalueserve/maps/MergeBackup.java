package io.keyvalueserve.maps;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.PutAllBackupOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.wan.impl.CallerProvenance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tells a backup what {@link MergeChanges} did at the owner, and when the changes were made. */
final class MergeBackup extends PutAllBackupOperation {
  private List<Data> removed = List.of();
  private long[] hashes = {};
  private long[] times = {};
  private long clearedAt;

  /** The changes that are gathered at the owner. */
  static final class Contents {
    /** Key, value, record and expiry of each entry, one after the other. */
    final List<Object> written = new ArrayList<>();

    final List<Data> removed = new ArrayList<>();
    final List<Long> hashes = new ArrayList<>();
    final List<Long> times = new ArrayList<>();
    long clearedAt;

    boolean isNothing() {
      return written.isEmpty() && removed.isEmpty() && hashes.isEmpty() && clearedAt == 0;
    }
  }

  /** Creates an empty operation for deserialization. */
  MergeBackup() {}

  MergeBackup(String map, Contents contents) {
    super(map, contents.written, true);
    this.removed = contents.removed;
    this.hashes = contents.hashes.stream().mapToLong(Long::longValue).toArray();
    this.times = contents.times.stream().mapToLong(Long::longValue).toArray();
    this.clearedAt = contents.clearedAt;
  }

  @Override
  protected void runInternal() {
    NativeEntries entries = NativeRecordStore.of(recordStore).entries();
    boolean before = entries.setQuiet(true);
    try {
      for (Data key : removed) {
        recordStore.removeBackup(key, CallerProvenance.NOT_WAN);
      }
      super.runInternal();
    } finally {
      boolean _ = entries.setQuiet(before);
    }
    StoreChanges changes = entries.changesOfSplit();
    if (changes != null) {
      changes.cleared(clearedAt);
      for (int i = 0; i < hashes.length; i++) {
        changes.note(hashes[i], times[i]);
      }
    }
  }

  @Override
  public int getFactoryId() {
    return MergeChanges.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return MergeChanges.BACKUP;
  }

  static long[] numbers(ObjectDataInput in) throws IOException {
    long[] read = in.readLongArray();
    return read == null ? new long[0] : read;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(removed.size());
    for (Data key : removed) {
      IOUtil.writeData(out, key);
    }
    out.writeLongArray(hashes);
    out.writeLongArray(times);
    out.writeLong(clearedAt);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    int count = in.readInt();
    removed = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      removed.add(IOUtil.readData(in));
    }
    hashes = numbers(in);
    times = numbers(in);
    clearedAt = in.readLong();
  }
}
