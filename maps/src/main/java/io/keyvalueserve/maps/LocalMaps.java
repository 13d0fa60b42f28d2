package io.keyvalueserve.maps;

import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.map.impl.eviction.EvictorImpl;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.gates.admission.TenantHoldings;
import org.jspecify.annotations.Nullable;

/** The maps of this member for who wants to reach them without an operation. Thread-safe. */
public final class LocalMaps {
  /** The system map with the decisions on transactions, of which none may be lost or refused. */
  public static final String TRANSACTION_DECISIONS = "__kvs.transactions";

  /**
   * The system map with the changes of transactions in maps that are in memory alone. No log has
   * it.
   */
  public static final String TRANSACTION_CHANGES_IN_MEMORY = "__kvs.transaction-changes";

  private final NativeMaps maps;
  private volatile @Nullable MapServiceContext context;
  private volatile @Nullable Ownership ownership;
  private volatile @Nullable CoarseClock clock;

  LocalMaps(NativeMaps maps) {
    this.maps = maps;
  }

  /** Returns whether a map is one of transactions, of which nothing may be lost or refused. */
  static boolean isOfTransactions(String map) {
    return map.equals(TRANSACTION_DECISIONS) || map.equals(TRANSACTION_CHANGES_IN_MEMORY);
  }

  /** Called once, before anybody can ask for anything. */
  void attach(MapServiceContext context) {
    this.ownership = new Ownership(context, maps.partitions()::lock, maps.lease());
    this.clock = new CoarseClock(maps.partitions().ownedTime());
    this.context = context;
  }

  /**
   * Returns whether operations on a map need only this member's memory: no external store is asked,
   * nothing is evicted, and the log has room for what they write.
   *
   * @param bytes about how much they write
   */
  public static boolean isHere(NodeEngine nodeEngine, String name, int partition, int bytes) {
    MapService service = nodeEngine.getService(MapService.SERVICE_NAME);
    MapServiceContext context = service.getMapServiceContext();
    return context.getExistingMapContainer(name) instanceof NativeMapContainer container
        && container.isReadDirectly()
        && container.external() == null
        && !(container.getEvictor() instanceof EvictorImpl)
        && hasRoom(context, container, partition, bytes);
  }

  /** Returns whether a map is kept in this member's log, whether it is known here or not. */
  public static boolean isLogged(NodeEngine nodeEngine, String name) {
    return KvsMapService.mapsOf(nodeEngine).isLogged(name);
  }

  /**
   * Returns why a tenant may not write a number of bytes to a map, as far as is known here; null if
   * it may.
   *
   * @param tenant the number of the tenant that writes
   */
  public static @Nullable String refusal(
      NodeEngine nodeEngine, String name, int tenant, long bytes) {
    NativeMapContainer container = existing(nodeEngine, name);
    TenantHoldings usage = holdings(container, tenant);
    if (container == null) {
      return null;
    }
    int most = (int) Math.min(bytes, Integer.MAX_VALUE);
    return usage == null || usage.mayWrite(most)
        ? null
        : usage.refusal(most, container.isReclaimed());
  }

  /**
   * Returns the holdings that the entries of a map count to which a tenant writes, as far as it is
   * known here; null if they count to none, or the map gives up memory when there is too much.
   *
   * @param tenant the number of the tenant that writes
   */
  public static @Nullable TenantHoldings holdings(NodeEngine nodeEngine, String name, int tenant) {
    NativeMapContainer container = existing(nodeEngine, name);
    return container == null || container.isReclaimed() ? null : holdings(container, tenant);
  }

  private static @Nullable TenantHoldings holdings(
      @Nullable NativeMapContainer container, int tenant) {
    if (container == null) {
      return null;
    }
    return container.chargesWriters() ? container.usageOf(tenant) : container.usage();
  }

  private static @Nullable NativeMapContainer existing(NodeEngine nodeEngine, String name) {
    MapService service = nodeEngine.getService(MapService.SERVICE_NAME);
    MapContainer container = service.getMapServiceContext().getExistingMapContainer(name);
    return container instanceof NativeMapContainer natively ? natively : null;
  }

  private static boolean hasRoom(
      MapServiceContext context, NativeMapContainer container, int partition, int bytes) {
    RecordStore<?> store = context.getExistingRecordStore(partition, container.getName());
    return store == null
        ? !container.isLogged()
        : ((NativeRecordStore) store).entries().hasRoom(bytes);
  }

  /**
   * A map by its name in the grid, whether it exists yet or not. Cheap.
   *
   * @param tenant the number of who writes to it
   */
  public LocalMap of(String name, int tenant) {
    return new LocalMap(this, name, null, tenant);
  }

  /**
   * The same for one thread, which waits for what its writes add to this before it answers for
   * them.
   *
   * @param uncertain from {@link #uncertain}
   */
  public LocalMap of(String name, int tenant, UncertainRecords uncertain) {
    return new LocalMap(this, name, uncertain, tenant);
  }

  /** Returns a new tracker for one thread that waits for records which are not certain yet. */
  public UncertainRecords uncertain() {
    return maps.logs().uncertain();
  }

  NativeMaps maps() {
    return maps;
  }

  MapServiceContext context() {
    MapServiceContext attached = context;
    if (attached == null) {
      throw new IllegalStateException("no member has been started with these maps");
    }
    return attached;
  }

  CoarseClock clock() {
    CoarseClock attached = clock;
    if (attached == null) {
      throw new IllegalStateException("no member has been started with these maps");
    }
    return attached;
  }

  Ownership ownership() {
    Ownership attached = ownership;
    if (attached == null) {
      throw new IllegalStateException("no member has been started with these maps");
    }
    return attached;
  }

  @Nullable NativeMapContainer container(String name) {
    MapContainer container = context().getExistingMapContainer(name);
    return (NativeMapContainer) container;
  }

  @Nullable NativeRecordStore store(int partition, String name) {
    RecordStore<?> store = context().getExistingRecordStore(partition, name);
    return (NativeRecordStore) store;
  }
}
