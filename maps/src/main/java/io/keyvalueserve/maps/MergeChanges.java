package io.keyvalueserve.maps;

import com.hazelcast.config.Config;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.MapMergeResponse;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.DataSerializableFactory;
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
import org.jspecify.annotations.Nullable;

/**
 * Merges changes that another side of a split made to a map in a partition. Sent to the partition's
 * owner on the side that goes on. A change takes effect if it is later than the last change here of
 * the same key; of two at the same millisecond the one that is here stays.
 *
 * <p>Where not all changes are known, on either side, what is not known of a key counts as no
 * change: a value is then taken only if the key is not here, and a removal not at all.
 */
public final class MergeChanges extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation, MutatingOperation {
  /** The factory's number in a member's configuration: "kvj" in ASCII. */
  static final int FACTORY_ID = 0x6b766a;

  static final int CHANGES = 1;
  static final int BACKUP = 2;

  /**
   * The index for the number of entries taken, in the array that {@link #getResponse} returns. The
   * other indexes follow.
   */
  static final int TAKEN = 0;

  static final int DISCARDED = 1;
  static final int REMOVED = 2;

  /** 1 if the owner wants the entries, too, that have not changed since the split. */
  static final int WANTS_ALL = 3;

  private static final SplitBrainMergePolicy<Object, MapMergeTypes<Object, Object>, Object> TAKE =
      new PassThroughMergePolicy<>();

  private List<MergedEntry> entries = List.of();
  private long[] removedKeys = {};
  private long[] removedAt = {};
  private long clearedAt;

  private transient long[] outcome = new long[WANTS_ALL + 1];
  private transient boolean isHeard;
  private transient MergeBackup.Contents backup = new MergeBackup.Contents();
  private transient List<Data> invalid = new ArrayList<>();

  /** Creates an empty operation for deserialization. */
  MergeChanges() {}

  /**
   * @param entries those that were changed, or that the owner may not have
   * @param removedKeys the hashes of keys that were removed
   * @param removedAt when each of these was
   * @param clearedAt when all entries were removed, 0 if they were not
   */
  MergeChanges(
      String map, List<MergedEntry> entries, long[] removedKeys, long[] removedAt, long clearedAt) {
    super(map);
    this.entries = entries;
    this.removedKeys = removedKeys;
    this.removedAt = removedAt;
    this.clearedAt = clearedAt;
  }

  /** Makes a member understand this; before it starts. */
  public static void register(Config config) {
    DataSerializableFactory factory =
        typeId ->
            switch (typeId) {
              case CHANGES -> new MergeChanges();
              case BACKUP -> new MergeBackup();
              default -> throw new IllegalArgumentException("no such class: typeId=" + typeId);
            };
    config.getSerializationConfig().addDataSerializableFactory(FACTORY_ID, factory);
  }

  private NativeRecordStore store() {
    return NativeRecordStore.of(recordStore);
  }

  @Override
  protected void runInternal() {
    NativeRecordStore store = store();
    store.loadAll();
    ChangeJournal journal = store.maps().changes();
    journal.merging();
    StoreChanges here = store.entries().changesOfSplit();
    boolean isComplete = here != null && !here.isIncomplete();
    isHeard = mapEventPublisher.hasEventListener(name);
    outcome[WANTS_ALL] = here == null || here.hasBegunEmpty() ? 1 : 0;
    List<InternalIndex> unmarked = MergedEntry.beginIndexing(mapContainer, getPartitionId());
    boolean before = store.entries().setQuiet(true);
    try {
      if (clearedAt > 0) {
        clear(store, here, isComplete);
      }
      for (int i = 0; i < removedKeys.length; i++) {
        remove(store, here, isComplete, removedKeys[i], removedAt[i]);
      }
      for (MergedEntry entry : entries) {
        merge(store, here, isComplete, entry);
      }
    } finally {
      boolean _ = store.entries().setQuiet(before);
      unmarked.forEach(index -> index.markPartitionAsIndexed(getPartitionId()));
      journal.merged(outcome[TAKEN], outcome[DISCARDED], outcome[REMOVED]);
    }
  }

  private static long timeOf(@Nullable StoreChanges here, long hash) {
    return here == null ? 0 : here.of(hash);
  }

  /** All entries go that were not changed here since. */
  private void clear(NativeRecordStore store, @Nullable StoreChanges here, boolean isComplete) {
    if (here == null || !isComplete) {
      outcome[DISCARDED]++;
      return;
    }
    NativeEntries all = store.entries();
    List<Data> older = new ArrayList<>();
    for (long cursor = 0; cursor >= 0; ) {
      cursor =
          all.scanLoaded(
              cursor,
              record -> {
                if (here.of(all.hash(record)) < clearedAt) {
                  older.add(DataForm.key(record));
                }
              });
    }
    older.forEach(key -> delete(store, key));
    here.cleared(clearedAt);
    backup.clearedAt = clearedAt;
  }

  private void remove(
      NativeRecordStore store,
      @Nullable StoreChanges here,
      boolean isComplete,
      long hash,
      long time) {
    long mine = timeOf(here, hash);
    if (here == null || mine >= time || (mine == 0 && !isComplete)) {
      outcome[DISCARDED]++;
      return;
    }
    long record = store.entries().findHashed(hash);
    if (record != 0) {
      delete(store, DataForm.key(record));
    }
    note(here, hash, time);
  }

  private void delete(NativeRecordStore store, Data key) {
    Data old = isHeard ? store.entries().valueOf(key) : null;
    boolean _ = store.delete(key, CallerProvenance.NOT_WAN);
    outcome[REMOVED]++;
    backup.removed.add(key);
    invalid.add(key);
    if (isHeard) {
      mapEventPublisher.publishEvent(
          getCallerAddress(), name, EntryEventType.REMOVED, key, old, null);
    }
  }

  private void merge(
      NativeRecordStore store, @Nullable StoreChanges here, boolean isComplete, MergedEntry entry) {
    long hash = store.entries().hash(entry.key());
    long mine = timeOf(here, hash);
    boolean isKnown = mine != 0 || (isComplete && entry.time() != 0);
    if (isKnown ? entry.time() <= mine : store.entries().contains(entry.key())) {
      outcome[DISCARDED] += entry.time() == 0 ? 0 : 1;
      return;
    }
    Data old = isHeard ? store.entries().valueOf(entry.key()) : null;
    MapMergeResponse response =
        store.merge(
            entry.merging(
                entry.time() == 0 ? System.currentTimeMillis() : entry.time(),
                getNodeEngine().getSerializationService()),
            TAKE,
            CallerProvenance.NOT_WAN);
    if (!response.isMergeApplied()) {
      return;
    }
    outcome[TAKEN]++;
    if (here != null && entry.time() != 0) {
      note(here, hash, entry.time());
    }
    invalid.add(entry.key());
    Record<?> record = recordStore.getRecord(entry.key());
    if (record != null) {
      backup.written.add(entry.key());
      backup.written.add(entry.value());
      backup.written.add(record);
      backup.written.add(recordStore.getExpirySystem().getExpiryMetadata(entry.key()));
    }
    if (isHeard) {
      mapEventPublisher.publishEvent(
          getCallerAddress(), name, EntryEventType.MERGED, entry.key(), old, entry.value());
    }
    recordStore.evictEntries(entry.key());
  }

  private void note(StoreChanges here, long hash, long time) {
    here.note(hash, time);
    backup.hashes.add(hash);
    backup.times.add(time);
  }

  @Override
  public void afterRunInternal() {
    invalidateNearCache(invalid);
    super.afterRunInternal();
  }

  @Override
  public Object getResponse() {
    return outcome;
  }

  @Override
  public boolean shouldBackup() {
    return mapContainer.getTotalBackupCount() > 0 && !backup.isNothing();
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
    return new MergeBackup(name, backup);
  }

  @Override
  public int getFactoryId() {
    return FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return CHANGES;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeInt(entries.size());
    for (MergedEntry entry : entries) {
      entry.write(out);
    }
    out.writeLongArray(removedKeys);
    out.writeLongArray(removedAt);
    out.writeLong(clearedAt);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    int count = in.readInt();
    entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(MergedEntry.read(in));
    }
    removedKeys = MergeBackup.numbers(in);
    removedAt = MergeBackup.numbers(in);
    clearedAt = in.readLong();
  }
}
