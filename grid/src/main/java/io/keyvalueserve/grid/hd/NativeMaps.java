package io.keyvalueserve.grid.hd;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapKeyLoader;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.PartitionContainer;
import com.hazelcast.map.impl.recordstore.DefaultRecordStore;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.query.impl.IndexProvider;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.PartitionSpecificRunnable;
import com.hazelcast.spi.impl.operationexecutor.impl.OperationExecutorImpl;
import com.hazelcast.spi.impl.operationservice.BackupAwareOperation;
import com.hazelcast.spi.impl.operationservice.NamedOperation;
import com.hazelcast.spi.impl.operationservice.Operation;
import com.hazelcast.spi.impl.operationservice.impl.GuardedPartitions;
import com.hazelcast.spi.impl.operationservice.impl.InlineInvocations;
import com.hazelcast.spi.impl.operationservice.impl.OperationServiceImpl;
import com.hazelcast.spi.impl.operationservice.impl.UnconfirmedBackups;
import io.keyvalueserve.grid.hd.index.IndexedMap;
import io.keyvalueserve.grid.hd.index.NativeIndexes;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.store.Departures;
import io.keyvalueserve.store.Lookahead;
import io.keyvalueserve.store.Table;
import io.keyvalueserve.tenancy.admission.Usage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All maps of one member that lie off the heap: their memory, their partitions' entries, and how
 * much each of them uses.
 *
 * <p>Made before the member starts, attached to its map service as that is made, and closed after
 * the member is down. Thread-safe.
 */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public final class NativeMaps implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NativeMaps.class);
  private static final int STRIPES = 16;
  private static final long MOST_CLOSING_MILLIS = 10_000;
  private static final long CLOSING_STEP_MILLIS = 5;
  private static final long LOADING_STEP_MILLIS = 20;
  private static final int EVICTED_FOR_A_TABLE = 64;
  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final NativeHeap heap;
  private final long hashSeed;
  private final Reserve reserve;
  private final Set<NativeEntries> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong lastWarned = new AtomicLong(System.nanoTime() - 2 * WARNING_PAUSE_NANOS);
  private volatile @Nullable MapServiceContext context;
  private final LocalMaps local = new LocalMaps(this);
  private PartitionLock[] locks = {};
  private @Nullable LostPartitions lost;
  private EntryLog.Source logs = EntryLog.Source.NONE;
  private @Nullable SpillArea spillArea;
  private @Nullable ValueReaders valueReaders;
  private final MemoryPressure pressure = new MemoryPressure();
  private final Tenure tenure = new Tenure();
  private final Writers writers = new Writers();
  private final AtomicBoolean recounting = new AtomicBoolean();
  private final RoomForLoading roomForLoading = new RoomForLoading(this);
  private final Map<String, OverMemory> overMemory = new ConcurrentHashMap<>();
  private Function<String, @Nullable Usage> usages = map -> null;
  private volatile IndexDefinitions indexDefinitions = IndexDefinitions.UNHEARD;
  private boolean closed;

  private NativeMaps(NativeHeap heap, long hashSeed) {
    this.heap = heap;
    this.hashSeed = hashSeed;
    this.reserve = new Reserve(heap);
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

  /** Called once, by the member's map service, before it makes record stores. */
  public void attach(MapServiceContext context) {
    this.context = context;
    NodeEngine nodeEngine = context.getNodeEngine();
    locks =
        IntStream.range(0, nodeEngine.getPartitionService().getPartitionCount())
            .mapToObj(
                partition ->
                    new PartitionLock(
                        pressure,
                        tenure,
                        writers,
                        notes -> tellCopies(partition, notes),
                        new DeferredOperations(this, partition)))
            .toArray(PartitionLock[]::new);
    lost = new LostPartitions(nodeEngine, this::lock);
    GuardedPartitions.install(nodeEngine, this::lock, logs);
    UnconfirmedBackups.watch(nodeEngine, this::mustBeConfirmed);
    local.attach(context);
  }

  private boolean mustBeConfirmed(Operation operation) {
    return operation instanceof BackupAwareOperation
        && operation instanceof NamedOperation named
        && MapService.SERVICE_NAME.equals(operation.getServiceName())
        && logs.holdsAnswers(named.getName());
  }

  /** Has maps that are made from now on logged. To be called before the member starts. */
  public void logTo(EntryLog.Source source) {
    logs = source;
  }

  /**
   * Lets values leave memory for an area on the disk, which is closed with the maps. To be called
   * before the member starts.
   */
  public void spillTo(SpillArea area) {
    spillArea = area;
    valueReaders = new ValueReaders(area);
  }

  /** Sets what becomes of a map's entries when memory is short; null for what is usual. */
  public void setOverMemory(String map, @Nullable OverMemory next) {
    if (next == null) {
      overMemory.remove(map);
    } else {
      overMemory.put(map, next);
    }
  }

  /** What is set for a map; null for what is usual. */
  @Nullable OverMemory overMemory(String map) {
    return overMemory.get(map);
  }

  /** What becomes of a map's entries on this member when memory is short. */
  public OverMemory overMemoryOf(String map) {
    if (context().getExistingMapContainer(map) instanceof NativeMapContainer container) {
      return container.overMemory();
    }
    OverMemory set = overMemory.getOrDefault(map, OverMemory.SPILL);
    return set == OverMemory.SPILL && spillArea == null ? OverMemory.REFUSE : set;
  }

  /** Since when this member is in the cluster. */
  public Tenure tenure() {
    return tenure;
  }

  /** Whether writes have to wait until memory has been reclaimed. */
  public MemoryPressure pressure() {
    return pressure;
  }

  /**
   * How often entries were used, those of each for whom they count: where they count for several,
   * those of the partition for each of them.
   */
  public Map<Usage, EntryUses> uses() {
    Map<Usage, EntryUses> uses = new HashMap<>();
    forEachStore(
        store -> {
          Usage usage = store.container().usage();
          if (usage != null) {
            NativeEntries entries = store.entries();
            long count = store.getLocalRecordStoreStats().getHits() + entries.written();
            EntryUses here = new EntryUses(count, entries.reused());
            add(uses, usage, here);
            store.forEachOther((number, bytes, spilled) -> add(uses, writers.usage(number), here));
          }
        });
    return uses;
  }

  private static void add(Map<Usage, EntryUses> uses, @Nullable Usage usage, EntryUses more) {
    if (usage != null) {
      EntryUses _ = uses.merge(usage, more, EntryUses::plus);
    }
  }

  /**
   * For who reclaims memory, once a member has been started.
   *
   * @param meanwhile is run again and again while memory is taken, by who takes it
   */
  public MemoryTaker taker(Runnable meanwhile) {
    return new MemoryTaker(this, operations(), meanwhile);
  }

  void forEachStore(Consumer<NativeRecordStore> visitor) {
    for (PartitionContainer container : context().getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        visitor.accept((NativeRecordStore) store);
      }
    }
  }

  /** Where values go that leave memory; null if they stay. */
  public @Nullable SpillArea spillArea() {
    return spillArea;
  }

  /**
   * Has what maps use counted for whom they belong to, and limited. To be called before the member
   * starts.
   *
   * @param tenants finds by a map's name what counts for it; null if it is nobody's
   */
  public void countFor(Function<String, @Nullable Usage> tenants) {
    usages = tenants;
  }

  /**
   * Has what tenants have written to maps that charge writers counted for them. To be called before
   * the member starts.
   *
   * @param tenants finds by a tenant's number what counts for it; null if there is none
   */
  public void countWritersFor(IntFunction<@Nullable Usage> tenants) {
    writers.countFor(tenants);
  }

  /** Who writes, and which maps charge that. */
  public Writers writers() {
    return writers;
  }

  /** Sends notes to the copies of a partition, after the backups that they are about. */
  private void tellCopies(int partitionId, WriterNotes notes) {
    try {
      sendToCopies(partitionId, notes);
    } catch (RuntimeException e) { // who has the partition is to leave it
      LOG.warn(
          "copies were not told who wrote entries: map={} partition={}: {}",
          notes.map(),
          partitionId,
          e.getMessage());
    }
  }

  private void sendToCopies(int partitionId, WriterNotes notes) {
    InternalPartition partition = partitions().getPartition(partitionId, false);
    MapContainer container = context().getExistingMapContainer(notes.map());
    if (container == null || !partition.isLocal()) {
      return;
    }
    for (int replica = 1; replica <= container.getTotalBackupCount(); replica++) {
      PartitionReplica copy = partition.getReplica(replica);
      if (copy != null) {
        Operation operation = notes.copy().setPartitionId(partitionId).setReplicaIndex(replica);
        boolean _ = operations().send(operation, copy.address());
      }
    }
  }

  /** What copies of a partition of some maps have to be told beside what Hazelcast sends them. */
  public List<Operation> notes(int partitionId, Collection<String> names) {
    List<Operation> all = new ArrayList<>();
    for (String name : names) {
      NativeRecordStore store = existingStore(name, partitionId);
      WriterNotes notes = store == null ? null : store.notes();
      if (notes != null && !notes.isEmpty()) {
        all.add(notes);
      }
    }
    return all;
  }

  /** For whom what is written to a partition of a map counts. */
  Charging charging(NativeMapContainer container, int partitionId) {
    return new Charging(writers, container, lock(partitionId));
  }

  /**
   * Says for whom the entries of a map count. When this returns they do on this member.
   *
   * @param next null for what is usual: its owner
   */
  public void setChargedTo(String map, @Nullable ChargedTo next) {
    writers.charge(map, next == ChargedTo.WRITER);
    recount();
  }

  /**
   * Tenants have come or gone: has what they have written counted for them, or for owners, soon.
   */
  public void tenantsChanged() {
    writers.tenantsChange();
    if (recounting.compareAndSet(false, true)) {
      Thread _ =
          Thread.ofVirtual()
              .name("kvs-recount")
              .start(
                  () -> {
                    recounting.set(false);
                    recount();
                  });
    }
  }

  private void recount() {
    if (context == null) {
      return;
    }
    forEachStore(
        store -> {
          if (store.entries().charges().hasNumbers()) {
            exclusively(store.getPartitionId(), store.entries()::recount);
          }
        });
  }

  /** What a map counts for; null if it is nobody's. */
  public @Nullable Usage usageOf(String map) {
    return usages.apply(map);
  }

  /** A map is here no longer. */
  public void destroyed(String map) {
    Usage usage = usageOf(map);
    if (usage != null) {
      usage.mapGone(map);
    }
  }

  EntryLog.Source logs() {
    return logs;
  }

  /** The partitions whose data this member should have and has not. Once attached. */
  public LostPartitions lost() {
    return Objects.requireNonNull(lost);
  }

  /** See {@link EntryLog.Source#beforeGivingUp}. */
  public void beforeGivingUp(int partition) {
    logs.beforeGivingUp(partition);
  }

  /** The maps for who wants to reach them without an operation, once a member has been started. */
  public LocalMaps local() {
    return local;
  }

  /** Makes the record store of a partition. */
  public NativeRecordStore createRecordStore(
      MapContainer container, int partitionId, @Nullable MapKeyLoader keyLoader) {
    return new NativeRecordStore(
        this, container, partitionId, keyLoader, nodeEngine().getLogger(DefaultRecordStore.class));
  }

  /** Makes the indexes of maps. */
  public IndexProvider indexes() {
    return new NativeIndexes(
        heap, () -> operations().getPartitionThreadCount(), this::newMapOfIndex);
  }

  private IndexedMap newMapOfIndex(String map) {
    int threads = operations().getPartitionThreadCount();
    return new MapOfIndex(
        map,
        name -> (NativeMapContainer) context().getExistingMapContainer(name),
        key -> partitions().getPartitionId(key) % threads);
  }

  /** The memory: for indexes, and for reports. */
  public NativeHeap heap() {
    return heap;
  }

  /** All memory there is for entries, in bytes. */
  public long capacityBytes() {
    return heap.capacityBytes();
  }

  /** What is in use, in bytes: for maps, their indexes, and kept back for copies. */
  public long usedBytes() {
    return heap.usedBytes();
  }

  /** What is not in use, in bytes: a write may find less, as memory is cut into blocks. */
  public long freeBytes() {
    return Math.max(0, capacityBytes() - usedBytes());
  }

  /** What each map keeps on this member, by name. */
  public List<NativeMapUsage> usage() {
    Map<String, long[]> counts = new TreeMap<>();
    for (PartitionContainer container : context().getPartitionContainers()) {
      int primary = isPrimary(container.getPartitionId()) ? 0 : 1;
      for (RecordStore<?> store : container.getAllRecordStores()) {
        counts.computeIfAbsent(store.getName(), name -> new long[2])[primary] += store.size();
      }
    }
    List<NativeMapUsage> usage = new ArrayList<>(counts.size());
    counts.forEach(
        (map, entries) -> usage.add(new NativeMapUsage(map, entries[0], entries[1], bytesOf(map))));
    return usage;
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
    reserve.close();
    closeSpillArea();
    try {
      heap.close();
    } catch (IllegalStateException e) {
      LOG.error("a thread still reads after the member went down; the memory stays mapped", e);
    }
  }

  private void closeSpillArea() {
    if (valueReaders != null && !valueReaders.awaitEnd()) {
      LOG.error("a value is still being read after the member went down; the spill area stays");
      return;
    }
    try (SpillArea closing = spillArea) {
      LOG.debug("closing the spill area {}", closing);
    } catch (IOException e) {
      LOG.warn("the spill area's files could not be removed: {}", e.getMessage());
    }
  }

  /**
   * From now on nobody finds or changes an entry. Waits until the member's threads have left.
   *
   * @return whether they have
   */
  public boolean abandon() {
    open.forEach(NativeEntries::abandon);
    return awaitWriters();
  }

  /** A partition to put entries back into. */
  public RestoredPartition restore(int partitionId) {
    return new RestoredPartition(this, partitionId);
  }

  /** For one thread that puts entries back. */
  public RestoredLookahead restoredLookahead() {
    return new RestoredLookahead(heap.epochs());
  }

  /**
   * Loads something, as often as it takes until there is room for it.
   *
   * @param loading holds no partition's lock when it fails, and has changed nothing then
   * @throws OutOfNativeMemoryException if no room can be made
   */
  public void load(Runnable loading) {
    while (true) {
      roomForLoading.keep();
      try {
        loading.run();
        return;
      } catch (OutOfNativeMemoryException e) {
        roomForLoading.make(e);
      }
    }
  }

  /**
   * Makes room for keys of which only a part has been put back.
   *
   * @param times how many times as many there will be
   */
  public void expectPending(double times) {
    visitLoading(map -> true, restored -> restored.expect(times));
  }

  /** Makes room for all that is not loaded yet. */
  public void reservePending() {
    visitLoading(map -> true, RestoredEntries::reserve);
  }

  /**
   * Reads all that is not loaded yet of some maps from the log, record by record.
   *
   * @param unreadable told what cannot be read; it is given up
   */
  public void loadEach(Predicate<String> which, Consumer<LogUnreadableException> unreadable) {
    visitLoading(which, restored -> restored.loadEach(unreadable));
  }

  /** Visits what is not loaded yet of some maps: where the log has it, and how many bytes it is. */
  public void visitPending(Predicate<String> which, EntryLog.Place visitor) {
    visitLoading(which, restored -> restored.visit(visitor));
  }

  /**
   * How much is not loaded yet.
   *
   * @param bytes of the records
   */
  public record Pending(long records, long bytes) {}

  /** How much is not loaded yet of all maps, while it may become less. Takes no locks. */
  public Pending pending() {
    long records = 0;
    long bytes = 0;
    for (PartitionContainer container : context().getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        RestoredEntries restored = ((NativeRecordStore) store).entries().restored();
        records += restored.size();
        bytes += restored.recordBytes();
      }
    }
    return new Pending(records, bytes);
  }

  /**
   * Waits until all of some maps is loaded.
   *
   * @throws HazelcastException if the thread is interrupted
   */
  public void awaitLoaded(Predicate<String> which) {
    while (true) {
      boolean[] loading = new boolean[1];
      visitLoading(which, restored -> loading[0] |= restored.isLoading());
      if (!loading[0]) {
        return;
      }
      try {
        Thread.sleep(LOADING_STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new HazelcastException("interrupted while entries were loaded", e);
      }
    }
  }

  /** Whether not all of a map is loaded. By any thread. */
  public boolean isLoading(String map) {
    boolean[] loading = new boolean[1];
    visitLoading(map::equals, restored -> loading[0] |= restored.isLoading());
    return loading[0];
  }

  /**
   * Makes an index of the entries of a map that are not loaded yet, with each when it comes.
   *
   * @param index normalized
   * @param partitions that the member owns
   */
  public void indexAsLoaded(String map, IndexConfig index, List<Integer> partitions) {
    for (int partition : partitions) {
      NativeRecordStore store =
          (NativeRecordStore) context().getExistingRecordStore(partition, map);
      if (store != null) {
        exclusively(partition, () -> store.indexAsLoaded(index));
      }
    }
  }

  /** The partition becomes the member's own, by its thread: its indexes are made of all of it. */
  public void loadForIndexes(int partition) {
    for (RecordStore<?> store : context().getPartitionContainer(partition).getAllRecordStores()) {
      exclusively(partition, ((NativeRecordStore) store)::loadForIndexes);
    }
  }

  private void visitLoading(Predicate<String> which, Consumer<RestoredEntries> visitor) {
    for (PartitionContainer container : context().getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        RestoredEntries restored = ((NativeRecordStore) store).entries().restored();
        if (restored.isLoading() && which.test(store.getName())) {
          exclusively(container.getPartitionId(), () -> visitor.accept(restored));
        }
      }
    }
  }

  /** Runs something while nobody else changes the partition. */
  public void exclusively(int partition, Runnable task) {
    PartitionLock lock = lock(partition);
    lock.enter();
    try {
      task.run();
    } finally {
      lock.exit();
    }
  }

  /** Everything that a log had has been put back. */
  public void restored() {
    for (PartitionContainer container : context().getPartitionContainers()) {
      for (RecordStore<?> store : container.getAllRecordStores()) {
        if (((NativeRecordStore) store).entries().expiring() > 0) {
          context().getExpirationManager().scheduleExpirationTask();
          return;
        }
      }
    }
  }

  /** Removes what a log had of partitions that are no longer this member's. Blocks. */
  public void disown(BitSet partitions) {
    partitions.stream()
        .forEach(
            id ->
                exclusively(
                    id,
                    () ->
                        context()
                            .removeRecordStoresFromPartitionMatchingWith(
                                store -> true, id, false, true)));
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
    new LoggingChange(this, logs, map, keep).carryOut(announcing);
  }

  /** Has indexes that come into being, and those that go, told of. Before the member starts. */
  public void onIndexes(IndexDefinitions listener) {
    indexDefinitions = listener;
  }

  /** Who is told of indexes. */
  public IndexDefinitions indexDefinitions() {
    return indexDefinitions;
  }

  /** Where the log has a key's record, 0 if it has none. With the partition's lock. */
  public long logPosition(int partition, String map, long key, int length, int form) {
    NativeRecordStore store = existingStore(map, partition);
    return store == null ? 0 : store.entries().logPosition(key, length, form);
  }

  /**
   * Adds a key of which {@link #logPosition} will be asked next to those that are looked at
   * together. With the partition's lock, and so that they are fetched with it.
   */
  public void anticipate(
      Lookahead lookahead, int partition, String map, long key, int length, int form) {
    NativeRecordStore store = existingStore(map, partition);
    if (store != null) {
      store.entries().anticipate(lookahead, key, length, form);
    }
  }

  /** The log has a key's record elsewhere now. With the partition's lock. */
  public void setLogPosition(
      int partition, String map, long key, int length, int form, long position) {
    NativeRecordStore store = existingStore(map, partition);
    if (store != null) {
      store.entries().setLogPosition(key, length, form, position);
    }
  }

  // ---- for this package

  /** Whether a map outlives the member. */
  boolean isLogged(String map) {
    return logs.of(map, 0).keepsRecords();
  }

  /** Makes the store if there is none, without asking an external store for entries. */
  NativeRecordStore storeForRestart(String map, int partitionId) {
    return (NativeRecordStore)
        context().getPartitionContainer(partitionId).getRecordStoreForHotRestart(map);
  }

  @Nullable NativeRecordStore existingStore(String map, int partitionId) {
    return (NativeRecordStore) context().getExistingRecordStore(partitionId, map);
  }

  List<NativeRecordStore> existingStores(int partitionId) {
    List<NativeRecordStore> stores = new ArrayList<>();
    for (RecordStore<?> store : context().getPartitionContainer(partitionId).getAllRecordStores()) {
      stores.add((NativeRecordStore) store);
    }
    return stores;
  }

  Reserve reserve() {
    return reserve;
  }

  NativeEntries newEntries(MapContainer container, int partitionId) {
    PartitionLock lock = lock(partitionId);
    EntryLog log = logs.of(container.getName(), partitionId);
    NativeEntries entries =
        new NativeEntries(
            departures -> newTable(partitionId, lock.isHeld(), log.keepsRecords(), departures),
            () -> newTable(partitionId, lock.isHeld(), true, (position, bytes) -> {}),
            heap.epochs(),
            lock,
            ((NativeMapContainer) container).bytes(),
            ((NativeMapContainer) container).charges(),
            log,
            valueReaders);
    open.add(entries);
    return entries;
  }

  /** The stripe of the heap that a partition's records are in. */
  int stripeOf(int partitionId) {
    return partitionId % operations().getPartitionThreadCount();
  }

  /** Even an empty table needs a little memory; if need be, from evicted entries or the reserve. */
  private Table newTable(int partitionId, boolean mayEvict, boolean logged, Departures departures) {
    int stripe = stripeOf(partitionId);
    while (true) {
      try {
        return new Table(heap, stripe, hashSeed, logged, departures);
      } catch (OutOfNativeMemoryException e) {
        boolean evicted =
            mayEvict && evictLargest(partitionId, null, null, EVICTED_FOR_A_TABLE) > 0;
        if (!evicted && !reserve.release()) {
          throw full("no run of " + e.askedBytes() + " bytes is free for a new map");
        }
      }
    }
  }

  /** Gives the memory of entries back. By their writer. */
  void release(NativeEntries entries) {
    entries.close();
    open.remove(entries);
  }

  /** Has the memory of abandoned entries given back by their writer, and their log told. */
  void releaseLater(int partitionId, NativeEntries entries) {
    execute(
        partitionId,
        () -> {
          entries.disown();
          release(entries);
        });
  }

  boolean isPrimary(int partitionId) {
    return partitions().getPartition(partitionId, false).isLocal();
  }

  /**
   * Evicts from the map that uses most of what the current thread writes.
   *
   * @param partitionId one that the current thread writes
   * @param except is not looked at
   * @param keep a key that stays, wherever
   * @return how many entries were evicted
   */
  int evictLargest(
      int partitionId, @Nullable NativeRecordStore except, @Nullable Data keep, int count) {
    int threads = operations().getPartitionThreadCount();
    List<NativeRecordStore> candidates = new ArrayList<>();
    PartitionContainer[] partitions = context().getPartitionContainers();
    for (int id = partitionId % threads; id < partitions.length; id += threads) {
      for (RecordStore<?> store : partitions[id].getAllRecordStores()) {
        if (store != except
            && store.size() > 0
            && store.getMapContainer().getEvictor() instanceof NativeEvictor) {
          candidates.add((NativeRecordStore) store);
        }
      }
    }
    candidates.sort(Comparator.comparingLong(store -> -store.entries().bytes()));
    for (NativeRecordStore candidate : candidates) {
      int evicted = evict(candidate, keep, count);
      if (evicted > 0) {
        return evicted;
      }
    }
    return 0;
  }

  private int evict(NativeRecordStore candidate, @Nullable Data keep, int count) {
    PartitionLock lock = lock(candidate.getPartitionId());
    if (!lock.tryEnter()) { // somebody writes there at this moment
      return 0;
    }
    try {
      return NativeEvictor.force(candidate, keep, count);
    } finally {
      lock.exit();
    }
  }

  /** Has operations run on the thread that invokes them, where that can be: see there. */
  public void runInline(Predicate<Operation> mayRun) {
    InlineInvocations.install(nodeEngine(), this::lock, mayRun);
  }

  PartitionLock lock(int partitionId) {
    return locks[partitionId];
  }

  /** How many partitions there are. */
  public int partitionCount() {
    return locks.length;
  }

  /** The error of a write that finds no memory; now and then the log says how things stand. */
  NativeMemoryFullException full(String why) {
    long now = System.nanoTime();
    long last = lastWarned.get();
    if (now - last > WARNING_PAUSE_NANOS && lastWarned.compareAndSet(last, now)) {
      LOG.warn(
          "the memory for maps is full, writes fail: {}, used={} capacity={}; give maps an eviction"
              + " policy, or add memory or members",
          why,
          usedBytes(),
          capacityBytes());
    }
    return new NativeMemoryFullException(
        "out of memory: the write was not carried out and nothing was changed;"
            + " remove entries or give the map an eviction policy");
  }

  /** A replica could not be completed: has Hazelcast send it again, later. */
  void replicaIncomplete(MapContainer container, int partitionId, RefusedException why) {
    LOG.error(
        "no room for a replica, it will be sent again: map={} partition={}: {}",
        container.getName(),
        partitionId,
        why.getMessage());
    execute(
        partitionId,
        () -> {
          int replica =
              partitions()
                  .getPartition(partitionId, false)
                  .getReplicaIndex(PartitionReplica.from(nodeEngine().getLocalMember()));
          if (replica > 0) {
            partitions()
                .getPartitionReplicaVersionManager()
                .markPartitionReplicaAsSyncRequired(
                    partitionId, container.getObjectNamespace(), replica);
          }
        });
  }

  private long bytesOf(String map) {
    return context().getExistingMapContainer(map) instanceof NativeMapContainer container
        ? container.bytes().sum()
        : 0;
  }

  private boolean awaitWriters() {
    for (long waited = 0; waited < MOST_CLOSING_MILLIS; waited += CLOSING_STEP_MILLIS) {
      if (!isAnyWriterAlive()) {
        return true;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(CLOSING_STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return false;
  }

  private boolean isAnyWriterAlive() {
    if (context == null) {
      return false;
    }
    OperationExecutorImpl executor = (OperationExecutorImpl) operations().getOperationExecutor();
    return Arrays.stream(executor.getPartitionThreads()).anyMatch(Thread::isAlive);
  }

  private InternalPartitionService partitions() {
    return (InternalPartitionService) nodeEngine().getPartitionService();
  }

  private OperationServiceImpl operations() {
    return (OperationServiceImpl) nodeEngine().getOperationService();
  }

  private NodeEngine nodeEngine() {
    return context().getNodeEngine();
  }

  private MapServiceContext context() {
    if (context == null) {
      throw new IllegalStateException("no member has been started with these maps");
    }
    return context;
  }

  /** Who reads values from the disk; null if none goes there. */
  @Nullable ValueReaders valueReaders() {
    return valueReaders;
  }

  /** The member goes down: operations that wait for the disk are ended. By any thread. */
  public void endReading() {
    if (valueReaders != null) {
      valueReaders.end();
    }
  }

  int partitionOf(Data key) {
    return partitions().getPartitionId(key);
  }

  /** Has operations run that were deferred. By any thread. */
  void resume(GuardedPartitions.Resumption resumption) {
    operations().execute(resumption);
  }

  private void execute(int partitionId, Runnable task) {
    operations()
        .execute(
            new PartitionSpecificRunnable() {
              @Override
              public int getPartitionId() {
                return partitionId;
              }

              @Override
              public void run() {
                task.run();
              }
            });
  }
}
