package com.hazelcast.map.impl;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.DistributedObject;
import com.hazelcast.internal.config.ConfigValidator;
import com.hazelcast.internal.iteration.IterationPointer;
import com.hazelcast.internal.nio.Disposable;
import com.hazelcast.internal.partition.ChunkSupplier;
import com.hazelcast.internal.partition.ChunkSuppliers;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.internal.serialization.impl.LenientReading;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.internal.services.ObjectNamespace;
import com.hazelcast.internal.services.RemoteService;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.internal.services.SplitBrainHandlerService;
import com.hazelcast.internal.util.comparators.ValueComparator;
import com.hazelcast.map.impl.operation.MapOperationProviders;
import com.hazelcast.map.impl.proxy.MapProxyImpl;
import com.hazelcast.map.impl.proxy.NearCachedMapProxyImpl;
import com.hazelcast.map.impl.query.CountedOperations;
import com.hazelcast.map.impl.query.CountedProcessors;
import com.hazelcast.map.impl.query.PartitionScanRunner;
import com.hazelcast.map.impl.query.QueryRunner;
import com.hazelcast.map.impl.query.Result;
import com.hazelcast.map.impl.query.ResultProcessorRegistry;
import com.hazelcast.map.impl.recordstore.RecordStore;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.impl.IndexProvider;
import com.hazelcast.query.impl.QueryableEntriesSegment;
import com.hazelcast.query.impl.predicates.QueryOptimizer;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.CountingMigrationAwareService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.maps.HandedOverMergePolicy;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.LastWriteMergePolicy;
import io.keyvalueserve.maps.LeavingValues;
import io.keyvalueserve.maps.NativeMapConfig;
import io.keyvalueserve.maps.NativeMapContainer;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.NativeRecordStore;
import io.keyvalueserve.maps.SplitMerge;
import io.keyvalueserve.maps.gather.TenantHeap;
import io.keyvalueserve.maps.predicate.UnionOptimizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast's map service with maps of ours, off the heap. Lives in Hazelcast's package because the
 * constructors and methods that have to be overridden are package-private.
 */
public final class KvsMapService {
  private KvsMapService() {}

  /**
   * Creates the map service that a node extension returns for {@code
   * createService(MapService.class)}.
   *
   * @param heaps the heap that results may take, by the numbers of tenants
   */
  public static MapService create(
      NodeEngine nodeEngine, NativeMaps maps, IntFunction<TenantHeap> heaps) {
    Context context = new Context(nodeEngine, maps, heaps);
    maps.attach(context);
    return new Factory(nodeEngine, context).createMapService();
  }

  /** The maps that a member's map service was created with. */
  public static NativeMaps mapsOf(NodeEngine nodeEngine) {
    MapService service = nodeEngine.getService(MapService.SERVICE_NAME);
    return ((Context) service.getMapServiceContext()).maps;
  }

  /** Returns the heap that results for a tenant may take. */
  public static TenantHeap heapOf(NodeEngine nodeEngine, int tenant) {
    MapService service = nodeEngine.getService(MapService.SERVICE_NAME);
    return ((Context) service.getMapServiceContext()).heaps.apply(tenant);
  }

  private static final class Context extends MapServiceContextImpl {
    private final NativeMaps maps;
    private final IntFunction<TenantHeap> heaps;

    Context(NodeEngine nodeEngine, NativeMaps maps, IntFunction<TenantHeap> heaps) {
      super(nodeEngine);
      this.maps = maps;
      this.heaps = heaps;
    }

    /** Called while this is constructed. */
    @Override
    MapOperationProviders createOperationProviders() {
      return new CountedOperations();
    }

    @Override
    MapContainer createMapContainer(String mapName) {
      return new NativeMapContainer(
          maps,
          mapName,
          new ServedConfig(getNodeEngine().getConfig()),
          getService().getMapServiceContext());
    }

    @Override
    public NativeRecordStore createRecordStore(
        MapContainer mapContainer, int partitionId, @Nullable MapKeyLoader keyLoader) {
      return maps.createRecordStore(mapContainer, partitionId, keyLoader);
    }

    @Override
    public IndexProvider getIndexProvider(MapConfig mapConfig) {
      return maps.indexes();
    }

    @Override
    public void shutdown() {
      maps.endReading();
      super.shutdown();
    }

    @Override
    public void destroyMap(String mapName) {
      HiddenMaps.of(mapName).forEach(super::destroyMap);
      super.destroyMap(mapName);
      maps.accounts().destroyed(mapName);
    }

    /** Called for each partition that has indexed its entries, before that is answered. */
    @Override
    public void registerIndex(String mapName, IndexConfig config) {
      maps.indexDefinitions().added(mapName, config);
    }

    /** A map of a tenant that is held leaves memory for a while, and keeps its indexes. */
    @Override
    protected void removeMapIndexConfigs(String mapName) {
      if (!maps.heldTenants().isHeld(mapName)) {
        maps.indexDefinitions().destroyed(mapName);
      }
    }

    /** Called while this is constructed. */
    @Override
    protected QueryRunner createMapQueryRunner(
        NodeEngine nodeEngine,
        QueryOptimizer queryOptimizer,
        ResultProcessorRegistry resultProcessorRegistry,
        PartitionScanRunner partitionScanRunner) {
      CountedProcessors.register(resultProcessorRegistry, nodeEngine.getSerializationService());
      return super.createMapQueryRunner(
          nodeEngine,
          new UnionOptimizer(queryOptimizer),
          resultProcessorRegistry,
          new LenientScan(this));
    }

    /** Returns the optimizer for the predicates of entry processors. */
    @Override
    public QueryOptimizer getQueryOptimizer() {
      return new UnionOptimizer(super.getQueryOptimizer());
    }

    /** Values off the heap are compared as serialized values on it are. */
    @Override
    public ValueComparator getValueComparatorOf(InMemoryFormat inMemoryFormat) {
      return super.getValueComparatorOf(
          inMemoryFormat == InMemoryFormat.NATIVE ? InMemoryFormat.BINARY : inMemoryFormat);
    }
  }

  /** Looks through all entries, and sees no attributes in those that are not readable. */
  @SuppressWarnings("rawtypes") // as Hazelcast's own
  private static final class LenientScan extends PartitionScanRunner {
    LenientScan(MapServiceContext context) {
      super(context);
    }

    @Override
    public void run(String mapName, Predicate predicate, int partitionId, Result result) {
      LenientReading lenient = MemberSerialization.lenient(ss);
      boolean before = lenient.begin();
      try {
        super.run(mapName, predicate, partitionId, result);
      } finally {
        lenient.end(before);
      }
    }

    @Override
    public QueryableEntriesSegment run(
        String mapName,
        Predicate predicate,
        int partitionId,
        IterationPointer[] pointers,
        int fetchSize) {
      LenientReading lenient = MemberSerialization.lenient(ss);
      boolean before = lenient.begin();
      try {
        return super.run(mapName, predicate, partitionId, pointers, fetchSize);
      } finally {
        lenient.end(before);
      }
    }
  }

  private static final class Factory extends DefaultMapServiceFactory {
    Factory(NodeEngine nodeEngine, MapServiceContext context) {
      super(nodeEngine, context);
    }

    @Override
    RemoteService createRemoteService() {
      return new Remote(getMapServiceContext());
    }

    @Override
    SplitBrainHandlerService createSplitBrainHandlerService() {
      return new Splits((Context) getMapServiceContext());
    }

    @Override
    CountingMigrationAwareService createMigrationAwareService() {
      return new CountingMigrationAwareService(new Migrations((Context) getMapServiceContext()));
    }
  }

  /** Merges maps by the times of their changes, unless another policy is configured for them. */
  @SuppressWarnings("rawtypes") // as Hazelcast's own
  private static final class Splits extends MapSplitBrainHandlerService {
    private final Context context;

    Splits(Context context) {
      super(context);
      this.context = context;
    }

    private static boolean isByLastWrite(RecordStore store) {
      return policyOf(store).equals(LastWriteMergePolicy.class.getName());
    }

    private static String policyOf(RecordStore store) {
      return store.getMapContainer().getMapConfig().getMergePolicyConfig().getPolicy();
    }

    /**
     * Returns true for a store without entries, too, if keys were removed during the split: the
     * other side must remove them as well.
     */
    @Override
    protected boolean hasEntries(RecordStore store) {
      return super.hasEntries(store)
          || (isByLastWrite(store) && ((NativeRecordStore) store).hasChangesOfSplit());
    }

    @Override
    protected void onStoreCollection(RecordStore store) {
      ((NativeRecordStore) store).leaveForMerge();
      super.onStoreCollection(store);
    }

    @Override
    protected Runnable newMergeRunnable(Collection<RecordStore> stores) {
      List<RecordStore> others = new ArrayList<>();
      List<NativeRecordStore> ours = new ArrayList<>();
      List<NativeRecordStore> handedOver = new ArrayList<>();
      for (RecordStore store : stores) {
        if (isByLastWrite(store)) {
          ours.add((NativeRecordStore) store);
        } else if (policyOf(store).equals(HandedOverMergePolicy.class.getName())) {
          handedOver.add((NativeRecordStore) store);
        } else {
          others.add(store);
        }
      }
      return new Merges(
          context.maps.handOver(handedOver),
          new MapMergeRunnable(others, this, context),
          context.maps.merge(ours));
    }
  }

  /** All ways of merging, one after the other. */
  private record Merges(LeavingValues handedOver, MapMergeRunnable byPolicy, SplitMerge byLastWrite)
      implements Runnable, Disposable {
    @Override
    public void run() {
      try {
        handedOver.run();
      } finally {
        try {
          byPolicy.run();
        } finally {
          byLastWrite.run();
        }
      }
    }

    @Override
    public void dispose() {
      handedOver.dispose();
      byPolicy.dispose();
      byLastWrite.dispose();
    }
  }

  /** Hazelcast's, but for partitions that must not be taken for what they are not. */
  private static final class Migrations extends MapMigrationAwareService {
    private final NativeMaps maps;

    Migrations(Context context) {
      super(context);
      this.maps = context.maps;
    }

    /** A copy gets the entries, and then whose they are. */
    @Override
    public ChunkSupplier newChunkSupplier(
        PartitionReplicationEvent event, Collection<ServiceNamespace> namespaces) {
      Collection<ServiceNamespace> all = withHidden(event, namespaces);
      ChunkSupplier entries = super.newChunkSupplier(event, all);
      List<String> names =
          all.stream()
              .filter(ObjectNamespace.class::isInstance)
              .map(namespace -> ((ObjectNamespace) namespace).getObjectName())
              .toList();
      return ChunkSuppliers.newChainedChunkSupplier(
          List.of(entries, new Notes(() -> maps.notes(event.getPartitionId(), names))));
    }

    @Override
    public Operation prepareReplicationOperation(
        PartitionReplicationEvent event, Collection<ServiceNamespace> namespaces) {
      return super.prepareReplicationOperation(event, withHidden(event, namespaces));
    }

    /**
     * Adds the maps behind maps. An operation on a map counts as a change of that map alone, so a
     * copy that has missed one gets the maps behind it anew too.
     */
    private Collection<ServiceNamespace> withHidden(
        PartitionReplicationEvent event, Collection<ServiceNamespace> namespaces) {
      Set<ServiceNamespace> all = new LinkedHashSet<>(namespaces);
      PartitionContainer container =
          mapServiceContext.getPartitionContainer(event.getPartitionId());
      for (ServiceNamespace each : namespaces) {
        if (each instanceof ObjectNamespace named) {
          for (String behind : HiddenMaps.of(named.getObjectName())) {
            if (container.getExistingRecordStore(behind) != null) {
              all.add(MapService.getObjectNamespace(behind));
            }
          }
        }
      }
      return all;
    }

    @Override
    public void beforeMigration(PartitionMigrationEvent event) {
      maps.lost().beforeMigration(event);
      maps.idleTimes().beforeMigration(event);
      super.beforeMigration(event);
    }

    @Override
    public void commitMigration(PartitionMigrationEvent event) {
      if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
        maps.lost().received(event.getPartitionId());
        if (event.getNewReplicaIndex() == 0) {
          maps.pending().loadForIndexes(event.getPartitionId());
        }
      } else if (!maps.beforeGivingUp(event.getPartitionId())) {
        return; // the member goes down with what it has, and its log keeps that
      }
      super.commitMigration(event);
    }

    @Override
    public void rollbackMigration(PartitionMigrationEvent event) {
      if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
        maps.lost().notReceived(event.getPartitionId());
      }
      super.rollbackMigration(event);
    }
  }

  /** Operations that are made when the first is asked for. */
  private static final class Notes implements ChunkSupplier {
    private final Supplier<List<Operation>> notes;
    private @Nullable Iterator<Operation> made;

    Notes(Supplier<List<Operation>> notes) {
      this.notes = notes;
    }

    @Override
    public boolean hasNext() {
      return made().hasNext();
    }

    @Override
    public Operation next() {
      return made().next();
    }

    private Iterator<Operation> made() {
      if (made == null) {
        made = notes.get().iterator();
      }
      return made;
    }
  }

  /** Makes maps as Hazelcast does, but for the refusal of the native format. */
  private static final class Remote extends MapRemoteService {
    Remote(MapServiceContext context) {
      super(context);
    }

    /** A map of a tenant that is held is destroyed when the tenant is in memory again. */
    @Override
    public void destroyDistributedObject(String name, boolean local) {
      NativeMaps maps = ((Context) mapServiceContext).maps;
      if (maps.tenantMaps().isDropping()) {
        return;
      }
      if (maps.heldTenants().demand(name)) {
        throw new RetryableHazelcastException("the tenant's maps are being loaded");
      }
      super.destroyDistributedObject(name, local);
    }

    @Override
    public DistributedObject createDistributedObject(String name, UUID source, boolean local) {
      Config config = nodeEngine.getConfig();
      MapConfig configured = config.findMapConfig(name);
      MapConfig served = NativeMapConfig.of(configured);
      ConfigValidator.checkMapConfig(
          config, NativeMapConfig.toCheck(served), nodeEngine.getSplitBrainMergePolicyProvider());
      MapService service = mapServiceContext.getService();
      if (!served.isNearCacheEnabled()) {
        return new MapProxyImpl<>(name, service, nodeEngine, configured);
      }
      ConfigValidator.checkNearCacheConfig(
          name, served.getNearCacheConfig(), config.getNativeMemoryConfig(), false);
      return new NearCachedMapProxyImpl<>(name, service, nodeEngine, configured);
    }
  }

  /** The member's configuration, of which a map's container asks for the map's alone. */
  private static final class ServedConfig extends Config {
    private final Config config;

    ServedConfig(Config config) {
      this.config = config;
    }

    @Override
    public MapConfig findMapConfig(String name) {
      return NativeMapConfig.of(name, config::findMapConfig);
    }
  }
}
