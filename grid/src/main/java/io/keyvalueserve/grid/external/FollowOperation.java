package io.keyvalueserve.grid.external;

import com.hazelcast.core.EntryEventType;
import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.PartitionAwareOperation;
import io.keyvalueserve.maps.FollowedEntries;
import io.keyvalueserve.maps.KeyedCommands;
import io.keyvalueserve.maps.external.ExternalMap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * Has entries of one partition follow their rows, on the owner and its backups. Waits behind loads
 * and writes of the same keys that are under way, so what was read before the change does not come
 * after it. May be sent again. Answers with the number of entries that are others now.
 *
 * <pre>
 *   a write of the key waits ------------> nothing: it is newer, and will replace the row
 *   not in memory -----------------------> its absence is forgotten; put, if all rows are to be there
 *   in memory, the same -----------------> nothing: it is what this map has written
 *   in memory, the map is only read -----> replaced
 *   in memory, the map writes to the table, or the row is gone or not known -----> evicted
 * </pre>
 *
 * <p>A map that writes does not replace: the change may be an echo of a write of its own that a
 * later write has replaced since, in memory and in the table. What is evicted is read from the
 * table, which has the last of both sides. A backup evicts in any case, as loaded entries are on
 * their owner only.
 */
final class FollowOperation extends MapOperation
    implements PartitionAwareOperation, BackupAwareOperation, KeyedCommands {
  private List<FollowedChange> changes = List.of();
  private boolean whole;
  private final List<Data> overtaken = new ArrayList<>();
  private final List<Data> others = new ArrayList<>();
  private final List<Data> toBeRead = new ArrayList<>();

  /** Creates an empty operation for deserialization. */
  FollowOperation() {}

  /**
   * @param whole whether the map has all rows of the table in memory
   */
  FollowOperation(String map, List<FollowedChange> changes, boolean whole) {
    super(map);
    this.changes = changes;
    this.whole = whole;
  }

  @Override
  public Collection<Data> keys() {
    return changes.stream().map(FollowedChange::key).toList();
  }

  @Override
  public Collection<Data> keysOfValues(boolean unobserved) {
    return List.of();
  }

  @Override
  public Collection<Data> keysOfEntries() {
    return List.of();
  }

  @Override
  public boolean endEarly() {
    return false;
  }

  @Override
  protected void runInternal() {
    overtaken.clear();
    others.clear();
    toBeRead.clear();
    FollowedEntries entries = FollowedEntries.of(recordStore);
    if (entries.external() instanceof StoreLink link) {
      for (FollowedChange each : changes) {
        if (!entries.isWaiting(each.key())) {
          follow(entries, link, each);
        }
      }
    }
  }

  private void follow(FollowedEntries entries, StoreLink link, FollowedChange change) {
    Data key = change.key();
    if (whole || link.refreshMillis() > 0) {
      entries.overtake(key); // rows are on their way that nobody waits for
    } else {
      entries.await(key);
    }
    if (!entries.has(key)) {
      overtaken.add(key);
      add(entries, link, change);
      return;
    }
    Data before = entries.value(key);
    Data value = change.value();
    if (value != null && before != null && link.isSame(key, before, value)) {
      return;
    }
    overtaken.add(key);
    others.add(key);
    if (value == null || link.isWritten()) {
      evict(entries, change);
    } else {
      boolean _ = entries.put(key, value, link.keptMillis());
    }
  }

  private void add(FollowedEntries entries, ExternalMap external, FollowedChange change) {
    Data value = change.value();
    if (!whole || !change.wanted() || change.isGone()) {
      return;
    }
    if (value == null) {
      read(entries, change.key());
    } else if (entries.put(change.key(), value, external.keptMillis())) {
      others.add(change.key());
    }
  }

  private void evict(FollowedEntries entries, FollowedChange change) {
    Object before = entries.evict(change.key(), false);
    if (mapEventPublisher.hasEventListener(name)) {
      EntryEventType type = change.isGone() ? EntryEventType.REMOVED : EntryEventType.EVICTED;
      mapEventPublisher.publishEvent(getCallerAddress(), name, type, change.key(), before, null);
    }
    if (whole && !change.isGone()) {
      read(entries, change.key());
    }
  }

  private void read(FollowedEntries entries, Data key) {
    entries.await(key);
    toBeRead.add(key);
  }

  @Override
  public void afterRunInternal() {
    invalidateNearCache(others);
    if (!toBeRead.isEmpty()
        && FollowedEntries.of(recordStore).external() instanceof StoreLink link) {
      link.read(getPartitionId(), toBeRead);
    }
  }

  @Override
  public Object getResponse() {
    return others.size();
  }

  @Override
  public boolean shouldBackup() {
    return !overtaken.isEmpty() && mapContainer.getTotalBackupCount() > 0;
  }

  /** All of them: the database forgets the change when this is answered. */
  @Override
  public int getSyncBackupCount() {
    return mapContainer.getTotalBackupCount();
  }

  @Override
  public int getAsyncBackupCount() {
    return 0;
  }

  @Override
  public Operation getBackupOperation() {
    return new OnBackup(name, List.copyOf(overtaken));
  }

  @Override
  public int getFactoryId() {
    return ExternalSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return ExternalSerialization.FOLLOW;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeBoolean(whole);
    out.writeInt(changes.size());
    for (FollowedChange each : changes) {
      each.write(out);
    }
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    whole = in.readBoolean();
    int count = in.readInt();
    List<FollowedChange> read = new ArrayList<>(Math.clamp(count, 0, 10_000));
    for (int i = 0; i < count; i++) {
      read.add(FollowedChange.read(in));
    }
    changes = read;
  }

  /** Evicts the entries on a backup. */
  static final class OnBackup extends ExternalBackup {
    private List<Data> keys = List.of();

    /** Creates an empty operation for deserialization. */
    OnBackup() {}

    OnBackup(String map, List<Data> keys) {
      super(map);
      this.keys = keys;
    }

    @Override
    protected void runInternal() {
      if (recordStore != null) {
        FollowedEntries entries = FollowedEntries.of(recordStore);
        for (Data key : keys) {
          boolean _ = entries.evictUnwritten(key, true);
        }
      }
    }

    @Override
    public int getClassId() {
      return ExternalSerialization.FOLLOW_BACKUP;
    }

    @Override
    protected void writeInternal(ObjectDataOutput out) throws IOException {
      super.writeInternal(out);
      out.writeInt(keys.size());
      for (Data each : keys) {
        IOUtil.writeData(out, each);
      }
    }

    @Override
    protected void readInternal(ObjectDataInput in) throws IOException {
      super.readInternal(in);
      int count = in.readInt();
      List<Data> read = new ArrayList<>(Math.clamp(count, 0, 10_000));
      for (int i = 0; i < count; i++) {
        read.add(Objects.requireNonNull(IOUtil.readData(in)));
      }
      keys = read;
    }
  }
}
