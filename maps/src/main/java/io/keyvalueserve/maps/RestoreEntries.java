package io.keyvalueserve.maps;

import com.hazelcast.config.Config;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.PutAllBackupOperation;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.MutatingOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import com.hazelcast.spi.merge.PassThroughMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergeTypes.MapMergeTypes;
import com.hazelcast.wan.impl.CallerProvenance;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts entries back into a partition of a map, whatever is there under their keys. No quota refuses
 * them. Entries that have expired are left out. Answers with the number of entries that were put;
 * doing it again changes nothing.
 */
public final class RestoreEntries extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation, MutatingOperation {
  /** The factory's number in a member's configuration: "kvy" in ASCII. */
  private static final int FACTORY_ID = 0x6b7679;

  private static final int CLASS_ID = 1;

  private static final SplitBrainMergePolicy<Object, MapMergeTypes<Object, Object>, Object> TAKE =
      new PassThroughMergePolicy<>();

  private List<MergedEntry> entries = List.of();
  private transient long put;
  private final transient List<Object> written = new ArrayList<>();
  private final transient List<Data> invalid = new ArrayList<>();

  /** Creates an empty operation for deserialization. */
  RestoreEntries() {}

  RestoreEntries(String map, List<MergedEntry> entries) {
    super(map);
    this.entries = entries;
  }

  /** Makes a member understand this; before it starts. */
  public static void register(Config config) {
    config
        .getSerializationConfig()
        .addDataSerializableFactory(
            FACTORY_ID,
            typeId -> {
              if (typeId != CLASS_ID) {
                throw new IllegalArgumentException("no such class: typeId=" + typeId);
              }
              return new RestoreEntries();
            });
  }

  @Override
  protected void runInternal() {
    NativeRecordStore store = NativeRecordStore.of(recordStore);
    long now = System.currentTimeMillis();
    store.restoring();
    List<InternalIndex> unmarked = MergedEntry.beginIndexing(mapContainer, getPartitionId());
    try {
      for (MergedEntry entry : entries) {
        if (entry.expiresAt() > now) {
          restore(store, entry, now);
        }
      }
    } finally {
      unmarked.forEach(index -> index.markPartitionAsIndexed(getPartitionId()));
    }
  }

  private void restore(NativeRecordStore store, MergedEntry entry, long now) {
    Data key = entry.key();
    if (HiddenMaps.isPages(name)) {
      store.exempt(() -> store.putPage(key, entry.value()));
    } else if (!store
        .merge(
            entry.merging(now, getNodeEngine().getSerializationService()),
            TAKE,
            CallerProvenance.NOT_WAN)
        .isMergeApplied()) {
      return;
    }
    Record<?> record = recordStore.getRecord(key);
    if (record == null) {
      return;
    }
    put++;
    invalid.add(key);
    written.add(key);
    written.add(entry.value());
    written.add(record);
    written.add(recordStore.getExpirySystem().getExpiryMetadata(key));
  }

  @Override
  public void afterRunInternal() {
    invalidateNearCache(invalid);
    super.afterRunInternal();
  }

  @Override
  public Object getResponse() {
    return put;
  }

  @Override
  public boolean shouldBackup() {
    return mapContainer.getTotalBackupCount() > 0 && !written.isEmpty();
  }

  @Override
  public int getSyncBackupCount() {
    return mapContainer.getBackupCount();
  }

  @Override
  public int getAsyncBackupCount() {
    return mapContainer.getAsyncBackupCount();
  }

  @Override
  public Operation getBackupOperation() {
    return new PutAllBackupOperation(name, written, true);
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return CLASS_ID;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(entries.size());
    for (MergedEntry entry : entries) {
      entry.write(out);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    int count = in.readInt();
    entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(MergedEntry.read(in));
    }
  }
}
