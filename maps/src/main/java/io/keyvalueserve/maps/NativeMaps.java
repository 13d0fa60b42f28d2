package io.keyvalueserve.maps;

import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.ConcurrencyUtil;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapKeyLoader;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.PartitionContainer;
import com.hazelcast.map.impl.recordstore.DefaultRecordStore;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.query.impl.IndexProvider;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import com.hazelcast.spi.impl.operationservice.impl.InlineInvocations;
import com.hazelcast.spi.impl.operationservice.impl.UnconfirmedBackups;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.maps.external.ExternalMap;
import io.keyvalueserve.maps.index.IndexedMap;
import io.keyvalueserve.maps.index.NativeIndexes;
import io.keyvalueserve.maps.query.QueryTurns;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.store.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All maps of one member that lie off the heap: their memory, and what has to do with all of them.
 * Each of the parts does one thing for them: {@link MemberPartitions} finds them, {@link
 * OpenEntries} makes their entries, {@link MapAccounts} knows for whom they count, {@link Shortage}
 * and {@link Spilling} what becomes of them when memory is short, {@link PendingEntries} what is
 * still on the disk.
 *
 * <p>Made before the member starts, attached to its map service as that is made, and closed after
 * the member is down. Thread-safe.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public final class NativeMaps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NativeMaps.class);
  private static final int STRIPES = 16;

  private final NativeHeap heap;
  private final long hashSeed;
  private final MemberPartitions partitions = new MemberPartitions();
  private final MapAccounts accounts = new MapAccounts(partitions);
  private final HeldTimes heldTimes = new HeldTimes(partitions);
  private final PartitionCopies copies = new PartitionCopies(partitions);
  private final LogPositions logPositions = new LogPositions(partitions);
  private final Spilling spilling = new Spilling();
  private final MemoryPressure pressure = new MemoryPressure();
  private final Tenure tenure = new Tenure();
  private volatile Lease lease = Lease.forever();
  private final BulkReads bulkReads = new BulkReads();
  private final LocalMaps local = new LocalMaps(this);
  private final PendingEntries pending =
      new PendingEntries(partitions, new RoomForLoading(new SpillingMaker(this)));
  private final CopiedEntries copied = new CopiedEntries(this);
  private final ChangeJournal changes = new ChangeJournal();
  private final ExternalMaps external = new ExternalMaps();
  private final HeldTenants heldTenants = new HeldTenants(partitions);
  private final TenantMaps tenantMaps = new TenantMaps(partitions, accounts);
  private final ChangeTaps taps = new ChangeTaps(partitions);
  private final StoredEntries stored = new StoredEntries(partitions);
  private volatile QueryTurns queries =
      (tenant, slice) -> ConcurrencyUtil.getDefaultAsyncExecutor().execute(slice);
  private volatile DroppedHeads droppedHeads = DroppedHeads.UNHEARD;
  private volatile Removals removals = Removals.UNHEARD;
  private volatile BiConsumer<String, List<Data>> leavingValues = (map, values) -> {};
  private final Object compacting = new Object();
  private final Shortage shortage;
  private final OpenEntries entries;
  private @Nullable LostPartitions lost;
  private volatile @Nullable ExpiryRounds expiry;
  private EntryLog.Source logs = EntryLog.Source.NONE;
  private volatile IndexDefinitions indexDefinitions = IndexDefinitions.UNHEARD;
  private boolean closed;

  private NativeMaps(NativeHeap heap, long hashSeed) {
    this.heap = heap;
    this.hashSeed = hashSeed;
    this.shortage = new Shortage(heap, partitions);
    this.entries = new OpenEntries(heap, hashSeed, partitions, shortage, spilling, taps);
  }

  /**
   * Takes memory for the maps of a member that is to be started.
   *
   * @param hashSeed orders the keys of a partition; the same on all members of a cluster, so that
   *     scans go on when a partition moves, and unknown to clients, so that they cannot make keys
   *     collide
   * @throws io.keyvalueserve.memory.MemorySourceException if the memory cannot be had
   */
  public static NativeMaps open(HeapConfig config, long hashSeed) {
    return new NativeMaps(NativeHeap.open(config, STRIPES), hashSeed);
  }

  // ---- the member starts

  /** Has maps that are made from now on logged. To be called before the member starts. */
  public void logTo(EntryLog.Source source) {
    logs = source;
  }

  /**
   * Lets values leave memory for an area on the disk, which is closed with the maps. To be called
   * before the member starts.
   */
  public void spillTo(SpillArea area) {
    spilling.to(area);
  }

  /** Has indexes that come into being, and those that go, told of. Before the member starts. */
  public void onIndexes(IndexDefinitions listener) {
    indexDefinitions = listener;
  }

  /** Called once, by the member's map service, before it makes record stores. */
  public void attach(MapServiceContext context) {
    partitions.attach(
        context,
        changes,
        partition ->
            new PartitionLock(
                pressure,
                tenure,
                lease,
                accounts.writers(),
                notes -> copies.tell(partition, notes),
                new DeferredOperations(this, partition)));
    NodeEngine nodeEngine = context.getNodeEngine();
    lost = new LostPartitions(nodeEngine, partitions::lock);
    GuardedPartitions.install(nodeEngine, partitions::lock, logs);
    Runnable unconfirmed =
        UnconfirmedBackups.of(nodeEngine, this::mustBeConfirmed, () -> lease.isConfirmed());
    partitions.ownedTime().repeat(unconfirmed, UnconfirmedBackups.LOOK_MILLIS);
    local.attach(context);
    expiry = ExpiryRounds.start(partitions);
    changes.attach(nodeEngine, this::dropChanges);
    partitions.ownedTime().repeat(changes::lookAgain, ChangeJournal.LOOK_MILLIS);
  }

  private void dropChanges() {
    for (int partition = 0; partition < partitions.count() && !changes.isOpen(); partition++) {
      partitions.exclusively(partition, partitions.changes(partition)::drop);
    }
  }

  /**
   * Returns the position of a plain key in a listing of its partition, which is the same on every
   * member: 0 to 2^32 - 1.
   *
   * @param isString whether it is a string in UTF-8, else it is a byte array
   */
  public long position(byte[] key, boolean isString) {
    return Table.position(
        hashSeed, key, 0, key.length, isString ? DataForm.STRING : DataForm.BYTES);
  }

  /**
   * Returns the hash of a serialized key, whose bytes are the first of an array, in the tables of
   * all members.
   */
  long hashOf(byte[] payload, int length) {
    int form = length == 0 ? DataForm.NULL : DataForm.of(payload, 0, length);
    int offset = DataForm.offset(form);
    return Table.hash(hashSeed, payload, offset, length - offset, form);
  }

  /**
   * Returns whether a write must not be answered as done before its backups have it. Where a
   * majority decides, its owner may be cut off from the backups and be replaced by one of them.
   */
  private boolean mustBeConfirmed(Operation operation) {
    if (!(operation instanceof BackupAwareOperation)) {
      return false;
    }
    if (!lease.isForever() && GuardedPartitions.isOnData(operation)) {
      return true;
    }
    return operation instanceof NamedOperation named
        && MapService.SERVICE_NAME.equals(operation.getServiceName())
        && logs.holdsAnswers(named.getName());
  }

  /** Has operations run on the thread that invokes them, where that can be: see there. */
  public void runInline(Predicate<Operation> mayRun) {
    InlineInvocations.install(partitions.nodeEngine(), partitions::lock, mayRun);
  }

  // ---- the parts

  /** Returns which tenants the entries of maps count for. */
  public MapAccounts accounts() {
    return accounts;
  }

  /**
   * Takes what tenants held in maps for how long, and was not taken before. Blocks while somebody
   * changes a partition.
   */
  public List<HeldTime> takeHeldTimes() {
    return heldTimes.take();
  }

  HeldTimes heldTimes() {
    return heldTimes;
  }

  /** Returns the writers, and which maps charge them. */
  public Writers writers() {
    return accounts.writers();
  }

  /** Returns the entries of which only the keys have been put back. */
  public PendingEntries pending() {
    return pending;
  }

  /** The idle times of entries whose owner is gone. */
  public IdleTimes idleTimes() {
    return new IdleTimes(partitions);
  }

  /** Returns the positions of maps' records in the log. */
  public LogPositions logPositions() {
    return logPositions;
  }

  /**
   * Returns a task that writes records to the log again, from memory.
   *
   * @param lost tells the positions in the log that are lost
   */
  public RenewedRecords renewed(LongPredicate lost) {
    return new RenewedRecords(this, lost);
  }

  /** Returns the journal of changes since members of the cluster were lost. */
  public ChangeJournal changes() {
    return changes;
  }

  /**
   * Makes what merges the changes of partitions that were taken out of this member, once it has
   * joined the other side.
   *
   * @param stores whose {@link NativeRecordStore#leaveForMerge} was called
   */
  public SplitMerge merge(List<NativeRecordStore> stores) {
    return new SplitMerge(this, stores);
  }

  /**
   * Makes what hands over the values of maps with {@link HandedOverMergePolicy}, once this member
   * has joined the other side.
   *
   * @param stores whose {@link NativeRecordStore#leaveForMerge} was called
   */
  public LeavingValues handOver(List<NativeRecordStore> stores) {
    return new LeavingValues(stores, leavingValues);
  }

  /** Sets who hears of entries that expire or are evicted. */
  public void onRemoval(Removals heard) {
    removals = heard;
  }

  Removals removals() {
    return removals;
  }

  /**
   * Sets who is given the name of a map and the values that this member's side of a split has
   * changed in it, of maps with {@link HandedOverMergePolicy}. All values of the map can be among
   * them. Must not block.
   */
  public void onLeavingValues(BiConsumer<String, List<Data>> taker) {
    leavingValues = taker;
  }

  /** Sets who is told of heads of large collections that go. */
  public void onDroppedHeads(DroppedHeads listener) {
    droppedHeads = listener;
  }

  /** Sets which threads queries run on, and when. */
  public void queryOn(QueryTurns turns) {
    queries = turns;
  }

  /** Returns the threads that queries run on. */
  public QueryTurns queries() {
    return queries;
  }

  DroppedHeads droppedHeads() {
    return droppedHeads;
  }

  /** Returns what tells of changes of maps as they are made. */
  public ChangeTaps taps() {
    return taps;
  }

  /** Returns what reads the entries of maps, to be kept elsewhere. */
  public StoredEntries stored() {
    return stored;
  }

  /** Returns the tenants whose maps are not all in memory. */
  public HeldTenants heldTenants() {
    return heldTenants;
  }

  /** Returns what this member has of tenants' maps. */
  public TenantMaps tenantMaps() {
    return tenantMaps;
  }

  /** Returns which maps have an external store. */
  public ExternalMaps external() {
    return external;
  }

  /**
   * Returns the writes of a partition that wait for a map's external store; null if none ever did.
   */
  public @Nullable WriteQueue writeQueue(String map, int partition) {
    NativeRecordStore store = partitions.store(map, partition);
    return store == null || store.entries().isClosed() ? null : store.external().queue();
  }

  /**
   * Returns for how long this member has owned a partition without a pause, in milliseconds; -1 if
   * it does not own it, or may not serve it at present.
   */
  public long ownedMillis(int partition) {
    boolean served =
        partitions.isPrimary(partition) && lease.holds() && !partitions.lock(partition).isFenced();
    return served ? partitions.ownedTime().unbroken(partition) : -1;
  }

  /**
   * Puts entries into a partition that its external store has, unless newer ones are there. Runs
   * later, on the partition's thread.
   *
   * @param whenDone called once
   */
  public void offerLoaded(String map, int partition, Map<Data, Data> loaded, Runnable whenDone) {
    partitions.execute(
        partition,
        () -> {
          try {
            ExternalMap store = external.of(map);
            if (store != null && partitions.isPrimary(partition)) {
              NativeRecordStore entries =
                  NativeRecordStore.of(partitions.context().getRecordStore(partition, map));
              entries.external().offer(loaded, store);
            }
          } finally {
            whenDone.run();
          }
        });
  }

  /**
   * Puts an entry into a partition that was loaded again, in the place of one that was loaded. Runs
   * later, on the partition's thread.
   *
   * @param value null if the external store has it no more
   */
  public void offerRefreshed(String map, int partition, Data key, @Nullable Data value) {
    partitions.execute(
        partition,
        () -> {
          ExternalMap store = external.of(map);
          NativeRecordStore entries = partitions.store(map, partition);
          if (store != null && entries != null && partitions.isPrimary(partition)) {
            entries.external().takeRefreshed(key, value, store);
          }
        });
  }

  /** Returns since when this member is in the cluster. */
  public Tenure tenure() {
    return tenure;
  }

  /** Has the member serve only while it has a lease. Before the member starts. */
  public void serveWith(Lease next) {
    lease = next;
  }

  /** Returns the lease without which the member serves nothing. */
  public Lease lease() {
    return lease;
  }

  /** Returns the object that decides whether writes wait until memory has been reclaimed. */
  public MemoryPressure pressure() {
    return pressure;
  }

  /** The partitions whose data this member should have and has not. Once attached. */
  public LostPartitions lost() {
    return Objects.requireNonNull(lost);
  }

  /** The maps for who wants to reach them without an operation, once a member has been started. */
  public LocalMaps local() {
    return local;
  }

  /** Returns the listeners that are told of indexes. */
  public IndexDefinitions indexDefinitions() {
    return indexDefinitions;
  }

  /** The memory: for indexes, and for reports. */
  public NativeHeap heap() {
    return heap;
  }

  MemberPartitions partitions() {
    return partitions;
  }

  OpenEntries entries() {
    return entries;
  }

  PartitionCopies copies() {
    return copies;
  }

  Spilling spilling() {
    return spilling;
  }

  Shortage shortage() {
    return shortage;
  }

  Reserve reserve() {
    return shortage.reserve();
  }

  EntryLog.Source logs() {
    return logs;
  }

  // ---- what is made for Hazelcast, and what it tells

  /** Makes the record store of a partition. */
  public NativeRecordStore createRecordStore(
      MapContainer container, int partitionId, @Nullable MapKeyLoader keyLoader) {
    return new NativeRecordStore(
        this,
        container,
        partitionId,
        keyLoader,
        partitions.nodeEngine().getLogger(DefaultRecordStore.class));
  }

  /** Makes the indexes of maps. */
  public IndexProvider indexes() {
    return new NativeIndexes(heap, partitions::threads, this::newMapOfIndex);
  }

  private IndexedMap newMapOfIndex(String map) {
    int threads = partitions.threads();
    return new MapOfIndex(
        map,
        name -> (NativeMapContainer) partitions.container(name),
        key -> partitions.of(key) % threads);
  }

  /**
   * Returns the operations that copies of a partition of some maps need besides what Hazelcast
   * sends them.
   */
  public List<Operation> notes(int partitionId, Collection<String> names) {
    List<Operation> all = new ArrayList<>(copies.notes(partitionId, names));
    if (changes.isOpen()) {
      all.addAll(ChangeNotes.of(this, partitionId, names));
    }
    return all;
  }

  /** See {@link EntryLog.Source#beforeGivingUp}. */
  public boolean beforeGivingUp(int partition) {
    return logs.beforeGivingUp(partition);
  }

  // ---- partitions

  /** Returns the number of partitions. */
  public int partitionCount() {
    return partitions.count();
  }

  /** Runs something while nobody else changes the partition. */
  public void exclusively(int partition, Runnable task) {
    partitions.exclusively(partition, task);
  }

  // ---- memory

  /** All memory there is for entries, in bytes. */
  public long capacityBytes() {
    return heap.capacityBytes();
  }

  /** Returns the bytes in use: for maps, for their indexes, and kept back for copies. */
  public long usedBytes() {
    return heap.usedBytes();
  }

  /**
   * Returns the bytes that are not in use. A write may find fewer, because memory is cut into
   * blocks.
   */
  public long freeBytes() {
    return Math.max(0, capacityBytes() - usedBytes());
  }

  /** Returns the usage of each map on this member, sorted by name. */
  public List<NativeMapUsage> usage() {
    Map<String, long[]> counts = new TreeMap<>();
    for (PartitionContainer container : partitions.context().getPartitionContainers()) {
      int primary = partitions.isPrimary(container.getPartitionId()) ? 0 : 1;
      for (RecordStore<?> store : container.getAllRecordStores()) {
        if (!HiddenMaps.isHidden(store.getName())) {
          counts.computeIfAbsent(store.getName(), name -> new long[2])[primary] += store.size();
        }
      }
    }
    List<NativeMapUsage> usage = new ArrayList<>(counts.size());
    counts.forEach(
        (map, sizes) -> usage.add(new NativeMapUsage(map, sizes[0], sizes[1], bytesOf(map))));
    return usage;
  }

  /**
   * Returns the usage of some maps on this member. Costs what these maps have, however many others
   * there are.
   *
   * @param maps their names in the grid
   * @return in the same order; nothing of a map that is not here counts
   */
  public List<NativeMapUsage> usageOf(List<String> maps) {
    List<NativeMapUsage> usage = new ArrayList<>(maps.size());
    for (String map : maps) {
      long[] sizes = new long[2];
      for (PartitionContainer container : partitions.context().getPartitionContainers()) {
        RecordStore<?> store = container.getExistingRecordStore(map);
        if (store != null) {
          sizes[partitions.isPrimary(container.getPartitionId()) ? 0 : 1] += store.size();
        }
      }
      usage.add(new NativeMapUsage(map, sizes[0], sizes[1], bytesOf(map)));
    }
    return usage;
  }

  private long bytesOf(String map) {
    long bytes = ownBytesOf(map);
    for (String behind : HiddenMaps.of(map)) {
      bytes += ownBytesOf(behind);
    }
    return bytes;
  }

  private long ownBytesOf(String map) {
    return partitions.container(map) instanceof NativeMapContainer container
        ? container.bytes().sum()
        : 0;
  }

  /** Returns the area where values go that leave memory; null if they stay. */
  public @Nullable SpillArea spillArea() {
    return spilling.area();
  }

  /** Bounds what one read of several entries of a partition copies to the Java heap. */
  public void boundBulkReads(long bytes) {
    bulkReads.setMostBytes(bytes);
  }

  BulkReads bulkReads() {
    return bulkReads;
  }

  /**
   * Sets what becomes of a map's entries when memory is short.
   *
   * @param map its name; {@code acme/} for all maps of a tenant for which nothing is set
   * @param next null for what is usual
   */
  public void setOverMemory(String map, @Nullable OverMemory next) {
    spilling.set(map, next);
  }

  /** Forgets what {@link #setOverMemory} has set. */
  public void unsetOverMemory(String map) {
    spilling.unset(map);
  }

  /** Returns how a map gives up memory on this member when it is short. */
  public OverMemory overMemoryOf(String map) {
    return partitions.container(map) instanceof NativeMapContainer container
        ? container.overMemory()
        : spilling.overMemory(map, OverMemory.SPILL);
  }

  /**
   * Returns a taker of memory for the reclaimer. To be called once the member has been started.
   *
   * @param meanwhile is run again and again by the thread that takes memory, while it does so
   */
  public MemoryTaker taker(Runnable meanwhile) {
    return new MemoryTaker(this, partitions.operations(), meanwhile);
  }

  /** Returns the monitor that is held while memory is compacted, see {@link Compaction}. */
  Object compacting() {
    return compacting;
  }

  // ---- what outlives the member

  /** Returns whether a map outlives the member. */
  public boolean isLogged(String map) {
    return logs.of(map, 0).keepsRecords();
  }

  /**
   * Waits until all that was logged before is certain. Blocks; any thread may call this.
   *
   * @throws com.hazelcast.core.IndeterminateOperationStateException if that will never be
   */
  public void awaitCertain() throws InterruptedException {
    logs.awaitCertain();
  }

  /**
   * Has a map logged from now on with all that it has, or no longer. What the log had of it before
   * never comes back. Blocks until the log has it for certain. By one thread at a time, which may
   * be interrupted.
   *
   * @param announcing has the {@link EntryLog.Source} say so; called once
   * @throws com.hazelcast.core.HazelcastException if the log takes nothing, there is no memory, or
   *     the thread was interrupted: then only part of it is logged
   */
  public void setLogged(String map, boolean keep, Runnable announcing) {
    LoggingChange pages = new LoggingChange(this, logs, HiddenMaps.pagesOf(map), keep);
    LoggingChange queue = new LoggingChange(this, logs, HiddenMaps.queueOf(map), keep);
    LoggingChange entries = new LoggingChange(this, logs, map, keep);
    pages.carryOut(() -> queue.carryOut(() -> entries.carryOut(announcing)));
  }

  /** Entries that copies of a partition give to each other. */
  public CopiedEntries copied() {
    return copied;
  }

  /** A partition to put entries back into. */
  public RestoredPartition restore(int partitionId) {
    return new RestoredPartition(this, partitionId);
  }

  /** Returns a lookahead for one thread that puts entries back. */
  public RestoredLookahead restoredLookahead() {
    return new RestoredLookahead(heap.epochs());
  }

  /** Everything that a log had has been put back. */
  public void restored() {
    MapServiceContext context = partitions.context();
    for (PartitionContainer container : context.getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        if (((NativeRecordStore) store).entries().expiring() > 0) {
          context.getExpirationManager().scheduleExpirationTask();
          return;
        }
      }
    }
  }

  /** Removes what a log had of partitions that are no longer this member's. Blocks. */
  public void disown(BitSet gone) {
    gone.stream()
        .forEach(
            id ->
                partitions.exclusively(
                    id,
                    () ->
                        partitions
                            .context()
                            .removeRecordStoresFromPartitionMatchingWith(
                                store -> true, id, false, true)));
  }

  // ---- the member goes down

  /** The member goes down: operations that wait for the disk are ended. By any thread. */
  public void endReading() {
    heldTenants.end(new HazelcastInstanceNotActiveException("the member is shutting down"));
    spilling.endReading();
  }

  /**
   * Drops all entries: from now on no thread finds or changes one. Waits until the member's threads
   * have left.
   *
   * @return whether they have
   */
  public boolean abandon() {
    ExpiryRounds rounds = expiry;
    if (rounds != null) {
      rounds.close();
    }
    partitions.close();
    entries.abandon();
    return partitions.awaitEndOfWriters();
  }

  /**
   * Gives all memory back. To be called after the member is down: waits until its threads have left
   * the maps, and keeps the memory mapped if one does not, as it would end the process. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (!abandon()) {
      LOG.error("a thread still writes after the member went down; the memory stays mapped");
      return;
    }
    reserve().close();
    spilling.close();
    try {
      heap.close();
    } catch (IllegalStateException e) {
      LOG.error("a thread still reads after the member went down; the memory stays mapped", e);
    }
  }
}
