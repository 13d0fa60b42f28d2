package io.keyvalueserve.grid.kept;

import com.hazelcast.cardinality.impl.CardinalityEstimatorService;
import com.hazelcast.collection.impl.collection.CollectionContainer;
import com.hazelcast.collection.impl.collection.CollectionItem;
import com.hazelcast.collection.impl.collection.CollectionService;
import com.hazelcast.collection.impl.list.ListService;
import com.hazelcast.collection.impl.queue.QueueContainer;
import com.hazelcast.collection.impl.queue.QueueItem;
import com.hazelcast.collection.impl.queue.QueueService;
import com.hazelcast.collection.impl.set.SetService;
import com.hazelcast.flakeidgen.impl.FlakeIdGeneratorService;
import com.hazelcast.internal.crdt.pncounter.PNCounterService;
import com.hazelcast.internal.locksupport.LockResource;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.multimap.impl.MultiMapContainer;
import com.hazelcast.multimap.impl.MultiMapPartitionContainer;
import com.hazelcast.multimap.impl.MultiMapService;
import com.hazelcast.partition.strategy.StringPartitioningStrategy;
import com.hazelcast.replicatedmap.impl.ReplicatedMapService;
import com.hazelcast.ringbuffer.impl.RingbufferService;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.proxyservice.InternalProxyService;
import com.hazelcast.topic.impl.TopicService;
import com.hazelcast.topic.impl.reliable.ReliableTopicService;
import io.keyvalueserve.grid.kept.KeptObject.OfCollection;
import io.keyvalueserve.grid.kept.KeptObject.OfMultiMap;
import io.keyvalueserve.grid.kept.KeptObject.OfQueue;
import io.keyvalueserve.grid.kept.KeptObject.OfReplicatedMap;
import io.keyvalueserve.grid.kept.KeptObject.OfRingbuffer;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.maps.ClientIds;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.LockedStores;
import io.keyvalueserve.maps.LockedStores.Locked;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The objects of Hazelcast that keep tenants' elements on this member's heap. What was found is
 * remembered by object, so an object that has not changed is not walked through again. Of one
 * thread.
 */
final class KeptObjects {
  /** Services whose objects have names that tenants choose. */
  private static final List<String> SERVICES =
      List.of(
          MapService.SERVICE_NAME,
          MultiMapService.SERVICE_NAME,
          ReplicatedMapService.SERVICE_NAME,
          QueueService.SERVICE_NAME,
          TopicService.SERVICE_NAME,
          ReliableTopicService.SERVICE_NAME,
          ListService.SERVICE_NAME,
          SetService.SERVICE_NAME,
          RingbufferService.SERVICE_NAME,
          PNCounterService.SERVICE_NAME,
          FlakeIdGeneratorService.SERVICE_NAME,
          CardinalityEstimatorService.SERVICE_NAME);

  private static final VarHandle QUEUES = field(QueueService.class, "containerMap");
  private static final VarHandle MULTIMAPS =
      field(MultiMapPartitionContainer.class, "containerMap");
  private static final VarHandle ESTIMATORS =
      field(CardinalityEstimatorService.class, "containers");
  private static final VarHandle COUNTERS = field(PNCounterService.class, "counters");

  private static final VarHandle TAKEN_FROM_QUEUE = field(QueueContainer.class, "txMap");
  private static final VarHandle TAKEN_FROM_COLLECTION = field(CollectionContainer.class, "txMap");

  private final NodeEngine nodeEngine;
  private final int partitions;
  private final LockedStores locks;
  private IdentityHashMap<Object, KeptObject> known = new IdentityHashMap<>();

  KeptObjects(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
    this.partitions = nodeEngine.getPartitionService().getPartitionCount();
    this.locks = HazelcastEngine.of(nodeEngine).lockedStores();
  }

  private static VarHandle field(Class<?> owner, String name) {
    try {
      return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
          .unreflectVarHandle(owner.getDeclaredField(name));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Hazelcast has no " + owner.getName() + "#" + name, e);
    }
  }

  /** Returns the items that open transactions have taken from a queue. */
  @SuppressWarnings("unchecked")
  static Map<Long, QueueItem> takenFrom(QueueContainer queue) {
    return (Map<Long, QueueItem>) TAKEN_FROM_QUEUE.get(queue);
  }

  /** Returns the items that open transactions have taken from a list or set. */
  @SuppressWarnings("unchecked")
  static Map<Long, CollectionItem> takenFrom(CollectionContainer container) {
    return (Map<Long, CollectionItem>) TAKEN_FROM_COLLECTION.get(container);
  }

  /** Lists the containers that there are now. */
  Collection<KeptObject> list() {
    Listing listing = new Listing(new IdentityHashMap<>());
    QueueService queues = nodeEngine.getService(QueueService.SERVICE_NAME);
    containers(QUEUES, queues)
        .forEach(
            (name, queue) ->
                listing.add(
                    name,
                    queue,
                    tenant -> new OfQueue(tenant, partitionOf(name), (QueueContainer) queue)));
    listCollections(nodeEngine.getService(ListService.SERVICE_NAME), listing);
    listCollections(nodeEngine.getService(SetService.SERVICE_NAME), listing);
    listRingbuffers(listing);
    listParted(listing);
    known = listing.found();
    return known.values();
  }

  /** The objects that a listing finds, with what is already known of each. */
  private final class Listing {
    private final IdentityHashMap<Object, KeptObject> found;

    Listing(IdentityHashMap<Object, KeptObject> found) {
      this.found = found;
    }

    IdentityHashMap<Object, KeptObject> found() {
      return found;
    }

    void add(String name, Object container, Function<String, KeptObject> maker) {
      KeptObject kept = known.get(container);
      if (kept == null) {
        String tenant = tenantOf(name);
        if (tenant == null) {
          return;
        }
        kept = maker.apply(tenant);
      }
      found.put(container, kept);
    }
  }

  private void listCollections(CollectionService service, Listing listing) {
    service
        .getContainerMap()
        .forEach(
            (name, container) ->
                listing.add(
                    name,
                    container,
                    tenant -> new OfCollection(tenant, partitionOf(name), container)));
  }

  @SuppressWarnings("rawtypes") // as Hazelcast's own
  private void listRingbuffers(Listing listing) {
    RingbufferService service = nodeEngine.getService(RingbufferService.SERVICE_NAME);
    service
        .getContainers()
        .forEach(
            (partition, containers) ->
                containers.forEach(
                    (namespace, ring) ->
                        listing.add(
                            namespace.getObjectName(),
                            ring,
                            tenant -> new OfRingbuffer(tenant, partition, ring))));
  }

  private void listParted(Listing listing) {
    MultiMapService multiMaps = nodeEngine.getService(MultiMapService.SERVICE_NAME);
    ReplicatedMapService replicated = nodeEngine.getService(ReplicatedMapService.SERVICE_NAME);
    for (int id = 0; id < partitions; id++) {
      int partition = id;
      containers(MULTIMAPS, multiMaps.getPartitionContainer(id))
          .forEach(
              (name, container) ->
                  listing.add(
                      name,
                      container,
                      tenant -> new OfMultiMap(tenant, partition, (MultiMapContainer) container)));
      replicated
          .getPartitionContainer(id)
          .getStores()
          .forEach(
              (name, store) ->
                  listing.add(
                      name, store, tenant -> new OfReplicatedMap(tenant, partition, store)));
    }
  }

  /** Adds what takes the same however it is used. Counters and names are not billed. */
  void addConstant(KeptSums sums) {
    CardinalityEstimatorService estimators =
        nodeEngine.getService(CardinalityEstimatorService.SERVICE_NAME);
    for (String name : containers(ESTIMATORS, estimators).keySet()) {
      add(name, HeapCost.ESTIMATOR, isOwned(partitionOf(name)), sums);
    }
    PNCounterService counters = nodeEngine.getService(PNCounterService.SERVICE_NAME);
    for (String name : containers(COUNTERS, counters).keySet()) {
      add(name, HeapCost.OBJECT, false, sums);
    }
    InternalProxyService proxies = (InternalProxyService) nodeEngine.getProxyService();
    for (String service : SERVICES) {
      for (String name : proxies.getDistributedObjectNames(service)) {
        add(name, HeapCost.OBJECT, false, sums);
      }
    }
    MapService maps = nodeEngine.getService(MapService.SERVICE_NAME);
    for (String name : maps.getMapServiceContext().getMapContainers().keySet()) {
      if (!HiddenMaps.isHidden(name)
          && !proxies.existsDistributedObject(MapService.SERVICE_NAME, name)) { // it was only read
        add(name, HeapCost.OBJECT, false, sums);
      }
    }
  }

  /**
   * Adds what locks and their keys take, in the partitions that this member owns or backs up.
   *
   * @param tenants the names of tenants by their numbers, which clients' ids have
   * @param exactly whether the first locks that there are must be among them at once
   */
  void addLocks(IntFunction<@Nullable String> tenants, boolean exactly, KeptSums sums) {
    for (Locked each : exactly ? locks.find() : locks.findLately()) {
      for (LockResource lock : each.store().getLocks()) {
        UUID owner = lock.getOwner();
        int number = owner == null ? ClientIds.NOBODY : ClientIds.tenantOf(owner);
        String tenant = number == ClientIds.NOBODY ? null : tenants.apply(number);
        if (tenant != null) {
          long bytes = HeapCost.LOCK + HeapCost.of(lock.getKey());
          sums.add(tenant, bytes, isOwned(each.partition()));
        }
      }
    }
  }

  private static void add(String name, long more, boolean isOwned, KeptSums sums) {
    String tenant = tenantOf(name);
    if (tenant != null) {
      sums.add(tenant, more, isOwned);
    }
  }

  @SuppressWarnings("unchecked") // all of these are maps from names to containers
  private static Map<String, Object> containers(VarHandle field, Object owner) {
    return (Map<String, Object>) field.get(owner);
  }

  private boolean isOwned(int partition) {
    return nodeEngine.getPartitionService().getPartition(partition, false).isLocal();
  }

  private int partitionOf(String name) {
    return nodeEngine
        .getPartitionService()
        .getPartitionId(StringPartitioningStrategy.getPartitionKey(name));
  }

  /** Returns the tenant whose name an object's begins with; null if it is none of a tenant's. */
  static @Nullable String tenantOf(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/' || c == ':') {
        return i == 0 ? null : name.substring(0, i);
      }
    }
    return null;
  }
}
