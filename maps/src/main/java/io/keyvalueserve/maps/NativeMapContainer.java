package io.keyvalueserve.maps;

import com.hazelcast.config.Config;
import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.internal.monitor.impl.LocalRecordStoreStatsImpl;
import com.hazelcast.internal.partition.IPartitionService;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.util.Clock;
import com.hazelcast.map.impl.MapContainerImpl;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.eviction.Evictor;
import com.hazelcast.map.impl.mapstore.MapStoreContext;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.spi.eviction.EvictionPolicyComparator;
import io.keyvalueserve.gates.admission.TenantHoldings;
import io.keyvalueserve.maps.external.ExternalMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A map of this member, off the heap: its configuration, its evictor, and what it uses. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public final class NativeMapContainer extends MapContainerImpl {
  private final AtomicInteger changing = new AtomicInteger();
  private final Stamp stamp = new Stamp();
  private static final int UNKNOWN = -1;
  private static final int CHARGED = 1;
  private static final int NOTED = 2;
  private static final int CHARGING_BITS = 2;

  private final @Nullable TenantHoldings usage;
  private final NativeMaps maps;
  private final LongAdder bytes = new LongAdder();
  private final boolean readDirectly;
  private final boolean writtenDirectly;
  private final int backups;

  /**
   * The two flags for charging and noting writers, with the number of the change of {@link Writers}
   * at which they were read.
   */
  private volatile int charging = UNKNOWN;

  private volatile External external = new External(UNKNOWN, null);

  /** The hold on the tenant, as of a change of {@link HeldTenants}. */
  private volatile Held held = new Held(UNKNOWN, null);

  private record Held(int change, HeldTenants.@Nullable Hold hold) {}

  /** When the entries were last read together, or the container was made. */
  private volatile long lastUseMillis = Clock.currentTimeMillis();

  private final @Nullable ExternalStoreContext externalContext;

  /** The external store, as of a change of {@link ExternalMaps}. */
  private record External(int change, @Nullable ExternalMap map) {}

  /** The last partitions that were reached directly; races do no harm. */
  private final @Nullable NativeRecordStore[] local;

  /**
   * Creates a map's container with the same parameters as Hazelcast's.
   *
   * @param config where the map's configuration is found: as it is served, see {@link
   *     NativeMapConfig}
   */
  public NativeMapContainer(
      NativeMaps maps, String name, Config config, MapServiceContext context) {
    super(name, config, context);
    this.maps = maps;
    MapStoreConfig stock = mapConfig.getMapStoreConfig(); // null if one was set to null
    boolean ours = !HiddenMaps.isHidden(name) && (stock == null || !stock.isEnabled());
    this.externalContext = ours ? new ExternalStoreContext(this) : null;
    this.local =
        new NativeRecordStore[context.getNodeEngine().getPartitionService().getPartitionCount()];
    this.backups = getTotalBackupCount();
    this.usage = maps.accounts().usageOf(name);
    if (usage != null && !HiddenMaps.isHidden(name)) {
      usage.mapMade(name);
    }
    this.readDirectly =
        (stock == null || !stock.isEnabled())
            && !mapConfig.isPerEntryStatsEnabled()
            && mapConfig.getSplitBrainProtectionName() == null;
    this.writtenDirectly =
        readDirectly
            && mapConfig.getTimeToLiveSeconds() == 0
            && mapConfig.getMaxIdleSeconds() == 0
            && mapConfig.getWanReplicationRef() == null
            && !mapConfig.getEventJournalConfig().isEnabled()
            && !Boolean.TRUE.equals(mapConfig.getMerkleTreeConfig().getEnabled());
  }

  /** Returns whether a transaction is changing entries of several partitions. Any thread. */
  boolean isChanging() {
    return changing.get() != 0;
  }

  /**
   * Says that a transaction begins to change entries, or has ended. The mark is visible before any
   * change, and until all changes are.
   */
  void setChanging(boolean begins) {
    int _ = begins ? changing.incrementAndGet() : changing.decrementAndGet();
  }

  /**
   * Returns what moves on before several keys are changed together in partitions of this member.
   */
  Stamp stamp() {
    return stamp;
  }

  /** Returns the external store behind the map; null if there is none. Any thread. */
  public @Nullable ExternalMap external() {
    if (externalContext == null) {
      return null;
    }
    ExternalMaps all = maps.external();
    External known = external;
    int change = all.changes();
    if (known.change() != change) {
      known = new External(change, all.of(name));
      external = known;
    }
    return known.map();
  }

  /** Returns the hold on the map's tenant; null if it is not held. Any thread. */
  HeldTenants.@Nullable Hold hold() {
    HeldTenants all = maps.heldTenants();
    if (all.isEmpty()) {
      return null;
    }
    Held known = held;
    int change = all.changes();
    if (known.change() != change) {
      known = new Held(change, all.of(name));
      held = known;
    }
    return known.hold();
  }

  /** Notes that many entries are read at once, which no entry notes. Any thread. */
  void noteUse() {
    lastUseMillis = Clock.currentTimeMillis();
  }

  /**
   * Returns when the map was last used on this member, in milliseconds since 1970. What moves with
   * its partition counts as used then.
   */
  long lastUseMillis() {
    long last = lastUseMillis;
    for (int partition = 0; partition < local.length; partition++) {
      RecordStore<?> store = mapServiceContext.getExistingRecordStore(partition, name);
      if (store instanceof NativeRecordStore known) {
        LocalRecordStoreStatsImpl statistics = known.getLocalRecordStoreStats();
        last =
            Math.max(
                last, Math.max(statistics.getLastAccessTime(), statistics.getLastUpdateTime()));
      }
    }
    return last;
  }

  @Override
  public MapStoreContext getMapStoreContext() {
    return externalContext == null ? super.getMapStoreContext() : externalContext;
  }

  /**
   * Returns whether the configuration lets a read be answered from the entries alone, without side
   * effects.
   */
  boolean isPlain() {
    return readDirectly;
  }

  /** Returns whether the map {@link #isPlain()}, and its tenant is not held. */
  boolean isReadDirectly() {
    return readDirectly && hold() == null;
  }

  /**
   * Returns whether the configuration lets a write be carried out by changing the entries alone,
   * and the tenant is not held.
   */
  boolean isWrittenDirectly() {
    return writtenDirectly && hold() == null;
  }

  /** Returns whether the map outlives the member. */
  boolean isLogged() {
    return maps.isLogged(name);
  }

  /** Returns the number of backups that each entry is to have. */
  int backups() {
    return backups;
  }

  /** Returns the record store that was remembered for a partition; it may be void. */
  @Nullable NativeRecordStore local(int partition) {
    return local[partition];
  }

  void local(int partition, @Nullable NativeRecordStore store) {
    local[partition] = store;
  }

  /** Returns the usage that the map counts for; null if the map belongs to no tenant. */
  @Nullable TenantHoldings usage() {
    return usage;
  }

  /** Returns whether a record counts for the tenant that wrote it. Any thread may call this. */
  boolean chargesWriters() {
    return (charging() & CHARGED) != 0;
  }

  /** Returns whether a record says which tenant wrote it. Any thread may call this. */
  boolean notesWriters() {
    return (charging() & NOTED) != 0;
  }

  private int charging() {
    Writers writers = maps.writers();
    int known = charging;
    int now = writers.changes() << CHARGING_BITS;
    if ((known >> CHARGING_BITS << CHARGING_BITS) != now) {
      String map = HiddenMaps.inFrontOf(name);
      known = now | (writers.areCharged(map) ? CHARGED : 0) | (writers.areNoted(map) ? NOTED : 0);
      charging = known;
    }
    return known;
  }

  /**
   * Returns the usage that a writer's entries count for in a map that charges writers. An unknown
   * writer's entries count for the map's owner.
   */
  @Nullable TenantHoldings usageOf(int writer) {
    TenantHoldings known = writer <= Writers.OWNER ? null : maps.writers().usage(writer);
    return known == null ? usage : known;
  }

  /** Makes what knows for whom the entries of a partition count. */
  Charges charges(int partition) {
    Charges charges = chargesOfEntries(partition);
    return HiddenMaps.isHidden(name) ? charges.ofBytes() : charges;
  }

  private Charges chargesOfEntries(int partition) {
    return new Charges(
        usage,
        new Charges.Tenants() {
          @Override
          public boolean areCharged() {
            return chargesWriters();
          }

          @Override
          public int changes() {
            return maps.writers().changes();
          }

          @Override
          public @Nullable TenantHoldings usage(int number) {
            return maps.writers().usage(number);
          }
        },
        maps.partitions().ownedTime().of(partition),
        maps.heldTimes().heirOf(HiddenMaps.inFrontOf(name)));
  }

  /** Returns whether an external store has, or will have, what is evicted. */
  private boolean isWrittenElsewhere() {
    ExternalMap store = external();
    return store != null && store.isWritten();
  }

  /** Returns how the map gives up memory when it is short. */
  OverMemory overMemory() {
    if (HiddenMaps.isHidden(name)) {
      return OverMemory.REFUSE; // pages go with the head of their collection
    }
    return maps.spilling()
        .overMemory(
            name,
            getEvictor() instanceof NativeEvictor || isWrittenElsewhere()
                ? OverMemory.EVICT
                : OverMemory.SPILL);
  }

  /** Returns whether memory is taken from the map when there is too little. */
  boolean isReclaimed() {
    if (HiddenMaps.isHidden(name)) {
      return ((NativeMapContainer)
              getMapServiceContext().getMapContainer(HiddenMaps.inFrontOf(name)))
          .isReclaimed();
    }
    return maps.pressure().isReclaiming() && overMemory() != OverMemory.REFUSE;
  }

  /** Counts what the map uses off the heap on this member, indexes included. */
  LongAdder bytes() {
    return bytes;
  }

  @Override
  protected Evictor newEvictor(
      EvictionPolicyComparator policy, int batchSize, IPartitionService partitions) {
    return new NativeEvictor(
        policy,
        new NativeEvictionChecker(maps, getMemoryInfoAccessor(), mapServiceContext),
        batchSize,
        partitions);
  }

  /** An entry on its way to the indexes, which take its value apart and keep only its key. */
  @Override
  public QueryableEntry newQueryEntry(Data key, Object value) {
    return entry(key, value);
  }

  /** An entry with the value that it has now; null if there is none. By any thread. */
  @Nullable QueryableEntry readEntry(Data key) {
    NativeRecordStore store = storeOf(key);
    Data value = store == null ? null : store.entries().valueOf(key);
    return value == null ? null : entry(key, value);
  }

  /** An entry for an index on the heap to keep: its value stays off the heap. */
  QueryableEntry referTo(Data key) {
    NativeRecordStore store = storeOf(key);
    return store == null
        ? entry(key, null)
        : new NativeQueryEntry(key, store.entries(), serializationService, extractors);
  }

  /** Returns an entry as predicates see it. */
  public QueryableEntry entry(Data key, @Nullable Object value) {
    return new NativeQueryEntry(serializationService, extractors).init(key, value);
  }

  private @Nullable NativeRecordStore storeOf(Data key) {
    int partition = mapServiceContext.getNodeEngine().getPartitionService().getPartitionId(key);
    RecordStore store = mapServiceContext.getExistingRecordStore(partition, name);
    return (NativeRecordStore) store;
  }
}
