package io.keyvalueserve.maps;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.EntryEventType;
import com.hazelcast.internal.nio.Disposable;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.logging.ILogger;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapEntries;
import com.hazelcast.map.impl.MapKeyLoader;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.mapstore.MapDataStore;
import com.hazelcast.map.impl.record.Record;
import com.hazelcast.map.impl.recordstore.DefaultRecordStore;
import com.hazelcast.map.impl.recordstore.MapMergeResponse;
import com.hazelcast.map.impl.recordstore.MutationObserver;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.map.impl.recordstore.Storage;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryMetadata;
import com.hazelcast.map.impl.recordstore.expiry.ExpiryReason;
import com.hazelcast.map.impl.recordstore.expiry.ExpirySystem;
import com.hazelcast.query.impl.InternalIndex;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.merge.SplitBrainMergePolicy;
import com.hazelcast.spi.merge.SplitBrainMergeTypes.MapMergeTypes;
import com.hazelcast.wan.impl.CallerProvenance;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Attributes;
import io.keyvalueserve.store.Records;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A partition of a map off the heap: Hazelcast's record store over {@link NativeEntries}. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public final class NativeRecordStore extends DefaultRecordStore {
  private static final Logger LOG = LoggerFactory.getLogger(NativeRecordStore.class);

  /** No snapshot takes longer to be put back. */
  private static final long RESTORE_MILLIS = TimeUnit.HOURS.toMillis(12);

  /** The stand-in for a value that is not looked at. */
  public static final Data UNREAD = NativeEntries.UNREAD;

  /** The distance of the stamps of two versions of a partition's owners: odd, and all bits vary. */
  static final long STAMP_OF_VERSION = 0x9E37_79B9_7F4A_7C15L;

  private final NativeMaps maps;
  private final NativeEntries entries;
  private final Charging charging;
  private final Relief relief;
  private final String behind;
  private final Stamp stamp = new Stamp();
  private volatile @Nullable StoreChanges leavingChanges;
  private volatile long restoredMillis;

  NativeRecordStore(
      NativeMaps maps,
      MapContainer container,
      int partitionId,
      @Nullable MapKeyLoader keyLoader,
      ILogger logger) {
    super(container, partitionId, keyLoader, logger);
    this.maps = maps;
    this.behind = HiddenMaps.pagesOf(container.getName());
    this.entries =
        maps.entries()
            .make(container, partitionId, maps.logs().of(container.getName(), partitionId));
    this.charging = maps.accounts().charging(container(), partitionId);
    if ((MapDataStore<?, ?>) mapDataStore instanceof ExternalDataStore external) {
      external.attach(this);
    }
    this.relief = new Relief(maps, this, charging, () -> maps.partitions().isPrimary(partitionId));
    nativeExpiry().over(entries, relief);
    entries.onDroppedHeads(
        (key, head) -> maps.droppedHeads().dropped(container.getName(), partitionId, key, head));
  }

  /** The store as what it is. */
  static NativeRecordStore of(RecordStore store) {
    return (NativeRecordStore) store;
  }

  /** Runs inside the constructor of a superclass: uses no field of this class. */
  @Override
  protected ExpirySystem createExpirySystem(MapContainer container) {
    return new NativeExpiry(this, container);
  }

  @Override
  public void init() {
    NativeRecord.Kind kind = kind();
    recordFactory =
        (key, value) -> new NativeRecord(kind, entries, key, serializationService.toData(value));
    storage =
        new NativeStorage(entries, kind, relief, charging, maps.bulkReads(), serializationService);
    addMutationObservers();
  }

  /** Returns the kind of record that Hazelcast's own factory of records would choose. */
  private NativeRecord.Kind kind() {
    MapConfig config = mapContainer.getMapConfig();
    if (config.isPerEntryStatsEnabled()) {
      return NativeRecord.Kind.STATISTICS;
    }
    if (!(mapContainer.getEvictor() instanceof NativeEvictor)) {
      return NativeRecord.Kind.SIMPLE;
    }
    EvictionPolicy policy = config.getEvictionConfig().getEvictionPolicy();
    return switch (policy) {
      case LRU -> NativeRecord.Kind.LAST_ACCESS;
      case LFU -> NativeRecord.Kind.USES;
      case RANDOM -> NativeRecord.Kind.SIMPLE;
      case NONE -> NativeRecord.Kind.STATISTICS; // a comparator of the user's may want any of it
    };
  }

  /**
   * Lists some keys, expired ones too.
   *
   * @param cursor 0 to begin with, or what another call returned, on this or any other member
   * @return where to go on, below 2^32; -1 at the end
   */
  public long scan(long cursor, Consumer<Data> keys) {
    int guard = entries.enter();
    try {
      return entries.scan(cursor, record -> keys.accept(DataForm.key(record)));
    } finally {
      entries.exit(guard);
    }
  }

  /**
   * An entry of this copy was written by a tenant. By the writer.
   *
   * @param number the tenant's; {@link Writers#OWNER} for the owner of the map
   */
  public void noteWriter(Data key, int number) {
    long record = entries.findLoaded(key);
    if (record == 0 || Records.tenant(record) == number) {
      return;
    }
    try {
      long _ = entries.setTenant(record, number);
    } catch (OutOfNativeMemoryException | LogRefusedException e) {
      LOG.debug("an entry counts for who wrote it before: map={}: {}", name, e.getMessage());
    }
  }

  /**
   * The number of the tenant that an entry counts for; {@link Writers#OWNER} if that is the owner
   * of the map, or if there is none. By the writer.
   */
  public int writerOf(Data key) {
    long record = entries.findLoaded(key);
    return record == 0 ? Writers.OWNER : Records.tenant(record);
  }

  /** Those of the entries that others wrote than the owner of the map. By any thread. */
  WriterNotes notes() {
    WriterNotes notes = new WriterNotes(name);
    if (entries.charges().hasNumbers()) {
      int guard = entries.enter();
      try {
        for (long cursor = 0; cursor >= 0; ) {
          cursor = entries.scanLoaded(cursor, record -> note(record, notes));
        }
      } finally {
        entries.exit(guard);
      }
    }
    return notes;
  }

  private static void note(long record, WriterNotes notes) {
    if (Records.tenant(record) != Writers.OWNER) {
      notes.add(DataForm.key(record), Records.tenant(record));
    }
  }

  /** Visits the numbers of others than the owner of the map who are charged. By any thread. */
  void forEachOther(IntConsumer visitor) {
    if (entries.charges().hasNumbers()) {
      maps.partitions().exclusively(partitionId, () -> entries.charges().forEachOther(visitor));
    }
  }

  /** Hands over what was held until now, to be charged. By any thread. */
  void handOverHeldTime() {
    maps.partitions().exclusively(partitionId, entries::handOverHeldTime);
  }

  /** Returns whether a record counts for a tenant. The caller holds a guard. */
  @SuppressWarnings("ReferenceEquality") // a tenant has one
  boolean countsFor(long record, TenantHoldings tenant) {
    NativeMapContainer container = container();
    return !container.chargesWriters() || container.usageOf(Records.tenant(record)) == tenant;
  }

  /** Returns about how many entries expire, or may. Any thread may call this. */
  public int expiring() {
    return entries.expiring();
  }

  /** Returns for which tenant a write here counts. */
  Charging charging() {
    return charging;
  }

  /** The map that it is a partition of. */
  NativeMapContainer container() {
    return (NativeMapContainer) mapContainer;
  }

  /**
   * Copies the entries of some keys to the heap.
   *
   * @throws com.hazelcast.map.QueryResultSizeExceededException if they are too long together
   */
  @Override
  public MapEntries getInMemoryEntries(Set<Data> keys, long now) {
    maps.bulkReads().check(keys, entries);
    return super.getInMemoryEntries(keys, now);
  }

  /** Returns whether a key's value would have to be read from the disk. Called by the writer. */
  public boolean isOnDisk(Data key) {
    return entries.coldRead(key) != null;
  }

  /**
   * Returns how many bytes a value has, in memory or on the disk; 0 if there is none. By the
   * writer.
   */
  public int valueBytes(Data key) {
    int guard = entries.enter();
    try {
      long record = entries.find(key);
      return record == 0 ? 0 : Records.valueLength(record);
    } finally {
      entries.exit(guard);
    }
  }

  /**
   * The length of a value that would have to be read from the disk. By the writer.
   *
   * @return of a string or a byte array; else, or if it need not be read, {@link LocalMap#NOT_NOW}
   */
  public int plainLengthOnDisk(Data key) {
    ColdRead read = entries.coldRead(key);
    return read != null && (read.form() == DataForm.STRING || read.form() == DataForm.BYTES)
        ? read.length()
        : LocalMap.NOT_NOW;
  }

  /**
   * Returns when an entry was last used or written, in milliseconds since 1970, to the second; 0 if
   * there is none.
   */
  public long lastUsedMillis(Data key) {
    return getRecord(key) instanceof NativeRecord record ? record.lastUsedMillis() : 0;
  }

  /**
   * Returns whether nobody is told of the value that a write replaces, because there are no
   * listeners, indexes, interceptors, journals or stores. A value on the disk is then replaced by
   * {@link #UNREAD}.
   */
  public boolean isUnobserved() {
    NativeMapContainer container = container();
    return container.isWrittenDirectly()
        && container.getInterceptorRegistry().getInterceptors().isEmpty()
        && !container.getGlobalIndexRegistry().haveAtLeastOneIndex()
        && !isHeard();
  }

  /** Begins something that does not look at values; returns what {@link #look} is to be given. */
  private boolean overlook() {
    SpilledEntries spilled = entries.spilled();
    boolean before = spilled.isOverlooked();
    if (!spilled.isEmpty() && entries.isWriter() && isUnobserved()) {
      spilled.overlook(true);
    }
    return before;
  }

  private void look(boolean before) {
    entries.spilled().overlook(before);
  }

  /** Counts a use of an entry whose value is not looked at. By the writer. */
  public void accessUnread(Data key, Record record, long now) {
    boolean before = overlook();
    try {
      accessRecord(key, record, now);
    } finally {
      look(before);
    }
  }

  @Override
  public boolean containsKey(Data key, Address callerAddress) {
    boolean before = overlook();
    try {
      return super.containsKey(key, callerAddress);
    } finally {
      look(before);
    }
  }

  @Override
  public Object set(Data key, Object value, long ttl, long maxIdle) {
    boolean before = overlook();
    try {
      return super.set(key, value, ttl, maxIdle);
    } finally {
      look(before);
    }
  }

  @Override
  public boolean setWithUncountedAccess(
      Data key, Object value, boolean changeExpiryOnUpdate, long ttl, long maxIdle) {
    boolean before = overlook();
    try {
      return super.setWithUncountedAccess(key, value, changeExpiryOnUpdate, ttl, maxIdle);
    } finally {
      look(before);
    }
  }

  @Override
  public boolean delete(Data key, CallerProvenance provenance) {
    boolean before = overlook();
    try {
      return super.delete(key, provenance);
    } finally {
      look(before);
    }
  }

  /** Hazelcast leaves what has expired to expiry: then it would count and take memory on. */
  @Override
  public int clear(boolean backup) {
    boolean before = entries.setQuiet(true);
    boolean keptBefore = entries.keepPages(true);
    int cleared;
    try {
      cleared = super.clear(backup);
      evictAllExpired(backup);
    } finally {
      boolean _ = entries.keepPages(keptBefore);
      boolean _ = entries.setQuiet(before);
    }
    entries.wereCleared();
    clearPages(backup);
    return cleared;
  }

  private void clearPages(boolean backup) {
    RecordStore<?> pages = mapServiceContext.getExistingRecordStore(partitionId, behind);
    if (pages == null) {
      return;
    }
    if (size() == 0) {
      int _ = pages.clear(backup);
    } else { // keys that are locked stay
      maps.droppedHeads().manyDropped();
    }
  }

  @Override
  public void doPostEvictionOperations(Data key, Object value, ExpiryReason reason) {
    super.doPostEvictionOperations(key, value, reason);
    maps.removals().removed(name, key, reason != ExpiryReason.NOT_EXPIRED);
  }

  /**
   * Evicts an entry without noting a removal for a merge: the other side of a split may keep it.
   */
  @Override
  public Object evict(Data key, boolean backup) {
    boolean before = entries.setQuiet(true);
    try {
      return super.evict(key, backup);
    } finally {
      boolean _ = entries.setQuiet(before);
    }
  }

  /**
   * Evicts all entries. As in {@link #clear}, entries that have expired are reported as expired,
   * and not as evicted.
   */
  @Override
  public int evictAll(boolean backup) {
    boolean before = entries.setQuiet(true);
    try {
      evictAllExpired(backup);
      return super.evictAll(backup);
    } finally {
      boolean _ = entries.setQuiet(before);
    }
  }

  private void evictAllExpired(boolean backup) {
    boolean before = overlook();
    try {
      nativeExpiry().evictAllExpired(backup);
    } finally {
      look(before);
    }
  }

  @Override
  public Record putBackup(
      Data key,
      Record newRecord,
      ExpiryMetadata expiry,
      boolean putTransient,
      CallerProvenance provenance) {
    boolean before = overlook();
    try {
      return super.putBackup(key, newRecord, expiry, putTransient, provenance);
    } finally {
      look(before);
    }
  }

  @Override
  public Record putBackup(
      Data key,
      Record record,
      long ttl,
      long maxIdle,
      long nowOrExpiryTime,
      CallerProvenance provenance) {
    boolean before = overlook();
    try {
      return super.putBackup(key, record, ttl, maxIdle, nowOrExpiryTime, provenance);
    } finally {
      look(before);
    }
  }

  /**
   * Carries out a task that replaces or removes the head of a large collection and takes care of
   * its pages. By the writer.
   */
  public void movingHead(Runnable task) {
    boolean before = entries.keepPages(true);
    try {
      task.run();
    } finally {
      boolean _ = entries.keepPages(before);
    }
  }

  /**
   * Returns a copy of a value that is a byte array; null if there is none. Any thread may call
   * this. Waits for the disk if the value is there.
   */
  public byte @Nullable [] readBytes(Data key) {
    int guard = entries.enter();
    try {
      long record = entries.find(key);
      if (record == 0 || Records.valueForm(record) != DataForm.BYTES) {
        return null;
      }
      if (Records.isSpilled(record)) {
        return bytesOnDisk(record);
      }
      byte[] value = new byte[Records.valueLength(record)];
      Records.copyValue(record, value, 0);
      return value;
    } finally {
      entries.exit(guard);
    }
  }

  private byte @Nullable [] bytesOnDisk(long record) {
    boolean before = entries.spilled().isOverlooked();
    entries.spilled().overlook(false);
    try {
      Data value = entries.value(record);
      return value == null
          ? null
          : Arrays.copyOfRange(
              value.toByteArray(), DataForm.offset(DataForm.BYTES), value.totalSize());
    } finally {
      entries.spilled().overlook(before);
    }
  }

  /**
   * Writes a page of a large collection, in a map behind another. It is no change of somebody's
   * that a merge would look at. By the writer.
   */
  public void putPage(Data key, Data page) {
    boolean before = entries.setQuiet(true);
    try {
      storage.put(key, recordFactory.newRecord(key, page));
    } finally {
      boolean _ = entries.setQuiet(before);
    }
  }

  /** Notes that entries are being put back from a snapshot: heads may come long after pages. */
  void restoring() {
    restoredMillis = System.currentTimeMillis();
  }

  /**
   * Returns whether entries were put back from a snapshot not long ago, so that pages may be here
   * whose collections are still to come.
   */
  public boolean isBeingRestored() {
    return System.currentTimeMillis() - restoredMillis < RESTORE_MILLIS;
  }

  /** Removes a page, if it is there: see {@link #putPage}. By the writer. */
  public void removePage(Data key) {
    long record = entries.find(key);
    if (record != 0) {
      boolean before = entries.setQuiet(true);
      try {
        entries.remove(record);
      } finally {
        boolean _ = entries.setQuiet(before);
      }
    }
  }

  /**
   * Returns the store with the pages of large collections in this partition.
   *
   * @param make whether it is made if there is none. By an operation only
   */
  public @Nullable NativeRecordStore pages(boolean make) {
    return hidden(behind, make);
  }

  /**
   * Returns the store of a hidden map in this partition.
   *
   * @param make whether it is made if there is none. By an operation only
   */
  @Nullable NativeRecordStore hidden(String map, boolean make) {
    RecordStore<?> hidden =
        make
            ? mapServiceContext.getRecordStore(partitionId, map)
            : mapServiceContext.getExistingRecordStore(partitionId, map);
    return (NativeRecordStore) hidden;
  }

  /** Returns what is told of writes that an external store has to get. Not of a hidden map. */
  ExternalDataStore external() {
    return (ExternalDataStore) (MapDataStore<?, ?>) mapDataStore;
  }

  /** Returns the writes that wait for the map's external store. Not of a hidden map. */
  public WriteQueue writeQueue() {
    return external().queue();
  }

  /** Returns the lock of the partition. */
  PartitionLock lock() {
    return maps.partitions().lock(partitionId);
  }

  /** Returns a value as it is stored. */
  Data serialized(Object value) {
    return serializationService.toData(value);
  }

  /**
   * Returns whether an external store has to be asked for a key before a command looks at its
   * entry. By the writer.
   */
  public boolean isToBeLoaded(Data key) {
    return container().external() != null
        && external().isToBeLoaded(key, Clock.currentTimeMillis());
  }

  /** Returns whether there is an entry that has not expired. By the writer. */
  boolean isPresent(Data key, long nowMillis) {
    long record = entries.find(key);
    return record != 0 && (!Records.expires(record) || Records.expiresAt(record) > nowMillis);
  }

  /**
   * Puts an entry that was loaded from an external store. By the writer.
   *
   * @param keptMillis for how long it is kept; 0 for as long as others
   * @return the value that was there before; null if there was none, or it was not put
   */
  @Nullable Object putLoaded(Data key, Data value, long keptMillis) {
    long now = Clock.currentTimeMillis();
    return keptMillis == 0
        ? putFromLoad(key, value, null)
        : putFromLoad(key, value, now + keptMillis, null, now);
  }

  /** Tells the queue of a removal, whether there was an entry or not. */
  @Override
  public void removeBackup(Data key, CallerProvenance provenance) {
    noteRemoval(key, provenance);
    super.removeBackup(key, provenance);
  }

  /** Tells the queue of a removal, whether there was an entry or not. */
  @Override
  public void removeBackupTxn(Data key, CallerProvenance provenance, @Nullable UUID transaction) {
    noteRemoval(key, provenance);
    super.removeBackupTxn(key, provenance, transaction);
  }

  /** A loaded entry is on its owner only, so there may be none here. */
  private void noteRemoval(Data key, CallerProvenance provenance) {
    if (container().external() != null
        && persistenceEnabledFor(provenance)
        && getRecord(key) == null) {
      mapDataStore.removeBackup(key, 0, null);
    }
  }

  /** The entries, for who reads them without an operation. */
  NativeEntries entries() {
    return entries;
  }

  /**
   * Makes an index of what is being loaded, with each entry when it comes; one of what is loaded
   * already is for others to make. By who has the partition.
   *
   * @param config normalized
   */
  void indexAsLoaded(IndexConfig config) {
    if (!entries.isLoading()) {
      return;
    }
    InternalIndex index = mapContainer.getOrCreateIndexRegistry(partitionId).addOrGetIndex(config);
    if (!index.hasPartitionIndexed(partitionId)) {
      entries.indexAsLoaded(index, container(), partitionId);
    }
  }

  /**
   * Loads the rest of the entries at once, if the map has indexes: who is about to index all of the
   * partition does not wait for the loader. By who has the partition; waits for the disk.
   */
  void loadForIndexes() {
    if (entries.isLoading()
        && mapContainer.getOrCreateIndexRegistry(partitionId).haveAtLeastOneIndexOrDefinition()) {
      entries.restored().loadEach(e -> LOG.error("an entry is lost: {}", e.getMessage()));
    }
  }

  /** Moves on when a change of the partition is logged. By who has it. */
  public long logged() {
    return entries.logged();
  }

  /** A new entry is written with its expiry, not once without and once with it. */
  @Override
  public Record putMemory(
      Record record,
      Data key,
      @Nullable Object oldValue,
      long ttl,
      long maxIdle,
      long expiryTime,
      long now,
      EntryEventType entryEventType,
      boolean backup) {
    NativeRecord.Unstored fresh = ((NativeRecord) record).unstored();
    if (fresh != null) {
      Attributes _ = nativeExpiry().times(ttl, maxIdle, expiryTime, now, now, fresh.attributes);
    }
    try {
      Record put =
          super.putMemory(
              record, key, oldValue, ttl, maxIdle, expiryTime, now, entryEventType, backup);
      written();
      return put;
    } catch (RuntimeException e) {
      notWritten(key, entryEventType != EntryEventType.LOADED && !backup);
      throw e;
    }
  }

  /** The entry of a write that was told to the external store is written. */
  private void written() {
    if (container().external() != null) {
      external().written();
    }
  }

  /** The entry of a write that was told to the external store could not be written. */
  private void notWritten(Data key, boolean told) {
    if (told && container().external() != null) {
      external().undo(key);
    }
  }

  /** A new value and its expiry are one write: both are there, or, without memory, neither. */
  @Override
  @SuppressWarnings("ReferenceEquality") // Hazelcast sets a time to live by writing the same value
  public @Nullable Object updateMemory(
      Record record,
      Data key,
      @Nullable Object oldValue,
      @Nullable Object newValue,
      boolean changeExpiryOnUpdate,
      long ttl,
      long maxIdle,
      long expiryTime,
      long now,
      boolean backup) {
    try {
      Object before =
          update(
              (NativeRecord) record,
              key,
              oldValue,
              newValue,
              changeExpiryOnUpdate,
              ttl,
              maxIdle,
              expiryTime,
              now,
              backup);
      written();
      return before;
    } catch (RuntimeException e) {
      notWritten(key, !backup);
      throw e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // as above
  private @Nullable Object update(
      NativeRecord written,
      Data key,
      @Nullable Object oldValue,
      @Nullable Object newValue,
      boolean changeExpiryOnUpdate,
      long ttl,
      long maxIdle,
      long expiryTime,
      long now,
      boolean backup) {
    if (!changeExpiryOnUpdate || written.unstored() != null) {
      return super.updateMemory(
          written,
          key,
          oldValue,
          newValue,
          changeExpiryOnUpdate,
          ttl,
          maxIdle,
          expiryTime,
          now,
          backup);
    }
    if (newValue != null && newValue == oldValue) {
      getExpirySystem().add(key, ttl, maxIdle, expiryTime, now, now);
    } else {
      ((NativeStorage) (Storage) storage)
          .update(
              key,
              written,
              newValue,
              attributes -> nativeExpiry().times(ttl, maxIdle, expiryTime, now, now, attributes));
    }
    MutationObserver<Record> observer = mutationObserver;
    observer.onUpdateRecord(key, written, oldValue, newValue, backup);
    return oldValue;
  }

  /**
   * Removes nothing. When a member has died, Hazelcast tells backups how many entries their owners
   * have, and those that have more remove as many, whichever they are. But a backup has more by
   * what has just expired, which it lets go of later, and by what is written while the owner is
   * counted: entries that live would go in the place of those, and be lost with their owner.
   */
  @Override
  public void sampleAndForceRemoveEntries(int entryCountToRemove) {
    // nothing to do
  }

  /** Called for what is removed next, which takes its expiry with it. */
  @Override
  protected void removeKeyFromExpirySystem(Data key) {
    // nothing to do
  }

  /**
   * Puts a record of a replica. If there is no memory for it, or no room in the log, the replica is
   * marked as out of date. Hazelcast would otherwise take it for complete.
   */
  @Override
  public Record putOrUpdateReplicatedRecord(
      Data key,
      Record replicatedRecord,
      ExpiryMetadata expiry,
      boolean indexesMustBePopulated,
      long now) {
    boolean before = entries.setQuiet(true);
    try {
      return super.putOrUpdateReplicatedRecord(
          key, replicatedRecord, expiry, indexesMustBePopulated, now);
    } catch (NativeMemoryFullException | LogRefusedException e) {
      maps.copies().incomplete(mapContainer, partitionId, e);
      throw e;
    } finally {
      boolean _ = entries.setQuiet(before);
    }
  }

  /** Called when the map is destroyed, and its entries with it. */
  @Override
  public void destroy() {
    if (entries.isWriter()) {
      entries.wereDestroyed();
    }
    super.destroy();
  }

  /**
   * Called when the store is taken out of its partition, by the partition's thread or, when the
   * member leaves a cluster or goes down, by another; the memory is given back by the former only.
   */
  @Override
  public void clearPartition(
      boolean onShutdown, boolean onStorageDestroy, @Nullable Queue<Disposable> disposables) {
    if (!onShutdown && entries.isWriter()) {
      entries.disown();
    }
    try {
      super.clearPartition(onShutdown, onStorageDestroy, disposables);
    } finally {
      if (entries.isWriter()) {
        maps.entries().release(entries);
      } else {
        entries.abandon();
        if (!onShutdown) {
          maps.entries().releaseLater(partitionId, entries);
        }
      }
    }
  }

  /**
   * Destroys the storage. Also called, without {@link #clearPartition}, after a split has healed.
   */
  @Override
  public void destroyStorageImmediate(
      boolean isDuringShutdown, boolean internal, @Nullable Queue<Disposable> disposables) {
    super.destroyStorageImmediate(isDuringShutdown, internal, disposables);
    StoreChanges leaving = leavingChanges;
    if (leaving != null) {
      leavingChanges = null;
      maps.changes().give(leaving.forgetKeys());
    }
    if (entries.isWriter()) {
      maps.entries().release(entries);
    }
  }

  @Override
  public void afterOperation() {
    entries.forget();
  }

  @Override
  public void afterOperation(int threadIndex) {
    entries.forget();
  }

  /**
   * Carries out a transaction's write without checking quotas, because it was admitted when it was
   * prepared.
   */
  @Override
  public @Nullable Object setTxn(
      Data key, Object value, long ttl, long maxIdle, @Nullable UUID transactionId) {
    AtomicReference<@Nullable Object> before = new AtomicReference<>();
    relief.exempt(() -> before.set(super.setTxn(key, value, ttl, maxIdle, transactionId)));
    return before.get();
  }

  /** Runs a task that writes what a transaction has decided. Called by the writer. */
  public void writeDecided(Runnable task) {
    relief.decided(task);
  }

  /** Runs a task whose writes no quota refuses. By the writer. */
  void exempt(Runnable task) {
    relief.exempt(task);
  }

  /** Returns whether this member owns the partition. */
  boolean isPrimary() {
    return maps.partitions().isPrimary(partitionId);
  }

  /** Returns whether a task of {@link #writeDecided} is running. To the writer. */
  public boolean isWritingDecided() {
    return relief.isDeciding();
  }

  /** Returns whether nobody has locked a key. By who has the partition. */
  public boolean isFree(Data key) {
    return getLockedEntryCount() == 0 || !isLocked(key);
  }

  /**
   * Says that a transaction is about to change several keys, of which some are here. By the writer,
   * before the first change.
   */
  public void changesTogether() {
    stamp.moveOn();
    container().stamp().moveOn();
  }

  /**
   * Sets the time of the changes that follow, as taps are told: the parts of a transaction in other
   * partitions have the same. By the writer; it holds until the writer leaves the partition.
   *
   * @param millis since 1970
   */
  public void stampChanges(long millis) {
    lock().stampChanges(millis);
  }

  /**
   * Returns a number that moves on before a transaction changes several keys, of which some are
   * here. It also moves on when other members become owner or backup, because this copy may miss
   * changes while it is not the owner's. It never comes back to what it was before. Any thread may
   * call this: behind reads without a lock, as then whoever has seen a change sees the new number.
   */
  public long stamp() {
    return stamp.value() + stampOfTable(mapServiceContext.getNodeEngine(), partitionId);
  }

  /** Returns what the owner and backups of a partition add to its stamp. */
  static long stampOfTable(NodeEngine nodeEngine, int partition) {
    return (nodeEngine.getPartitionService().getPartition(partition, false).version() + 1L)
        * STAMP_OF_VERSION;
  }

  /** Returns whether there is memory for more entries than there are. Any thread may call this. */
  public boolean hasRoom() {
    return maps.reserve().isWhole();
  }

  /**
   * Merges an entry without checking quotas, so that entries of the smaller side of a split are not
   * lost because they exceed them.
   */
  @Override
  public MapMergeResponse merge(
      MapMergeTypes<Object, Object> mergingEntry,
      SplitBrainMergePolicy<Object, MapMergeTypes<Object, Object>, Object> mergePolicy,
      CallerProvenance provenance) {
    AtomicReference<@Nullable MapMergeResponse> response = new AtomicReference<>();
    relief.exempt(() -> response.set(super.merge(mergingEntry, mergePolicy, provenance)));
    return Objects.requireNonNull(response.get());
  }

  /**
   * Returns whether a change is known that was made while this side was on its own. Called by the
   * writer.
   */
  public boolean hasChangesOfSplit() {
    StoreChanges changes = entries.changesOfSplit();
    return changes != null && !changes.isNothing();
  }

  /**
   * The store was taken out of its partition, as this member gives way to another side: keeps what
   * is to be merged, and leaves the log to the store that comes in its place. By the writer.
   */
  public void leaveForMerge() {
    try {
      loadAll();
      leavingChanges = entries.takeChangesOfSplit();
      entries.leaveLog();
    } catch (LogRefusedException e) {
      LOG.error("the log keeps what is given up: map={}: {}", name, e.getMessage());
    }
  }

  /**
   * Returns the changes that were known when {@link #leaveForMerge} was called; null if they were
   * not kept.
   */
  @Nullable StoreChanges leavingChanges() {
    return leavingChanges;
  }

  /** Gives the memory back of a store whose entries are merged. Does not block. */
  void giveBackAfterMerge() {
    maps.partitions().execute(partitionId, () -> destroyStorageAfterClear(false, true, null));
  }

  /** Loads what is still on the disk. By the writer; waits for the disk. */
  void loadAll() {
    if (entries.isLoading()) {
      entries.restored().loadEach(e -> LOG.error("an entry is lost: {}", e.getMessage()));
    }
  }

  /** The maps of the member. */
  NativeMaps maps() {
    return maps;
  }

  /** Returns whether there is a listener for events of the entries. Any thread may call this. */
  boolean isHeard() {
    return mapServiceContext
        .getNodeEngine()
        .getEventService()
        .hasEventRegistration(MapService.SERVICE_NAME, name);
  }

  /** See {@link NativeExpiry#evictExpired}. */
  boolean evictExpired(long now, boolean backup) {
    return nativeExpiry().evictExpired(now, backup);
  }

  /** See {@link NativeExpiry#evictExpiredFor}. */
  boolean evictExpiredFor(Data written) {
    return nativeExpiry().evictExpiredFor(written);
  }

  private NativeExpiry nativeExpiry() {
    return (NativeExpiry) getExpirySystem();
  }
}
