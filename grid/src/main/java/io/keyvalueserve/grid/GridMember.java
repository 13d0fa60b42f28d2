package io.keyvalueserve.grid;

import static com.hazelcast.internal.cluster.impl.ClusterJoinManager.STALE_JOIN_PREVENTION_DURATION_PROP;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.config.AdvancedNetworkConfig;
import com.hazelcast.config.Config;
import com.hazelcast.config.EndpointConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.config.ServerSocketEndpointConfig;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.OperationTimeoutException;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.partition.impl.BackupsQuestion;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.partition.Partition;
import com.hazelcast.spi.exception.RetryableException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import com.hazelcast.spi.impl.operationservice.impl.UnconfirmedBackups;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.ScriptStore;
import io.keyvalueserve.gates.fairness.Waits;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.catalogue.CatalogueReceiver;
import io.keyvalueserve.grid.catalogue.GridAlerts;
import io.keyvalueserve.grid.catalogue.GridCapStore;
import io.keyvalueserve.grid.catalogue.GridCatalogueStore;
import io.keyvalueserve.grid.catalogue.GridGrantStore;
import io.keyvalueserve.grid.catalogue.GridHibernations;
import io.keyvalueserve.grid.catalogue.GridReservationStore;
import io.keyvalueserve.grid.catalogue.GridSettings;
import io.keyvalueserve.grid.catalogue.GridSnapshotPlans;
import io.keyvalueserve.grid.catalogue.GridStoreCatalogue;
import io.keyvalueserve.grid.catalogue.GridTenantKeys;
import io.keyvalueserve.grid.catalogue.Hibernation.Image;
import io.keyvalueserve.grid.catalogue.Hibernation.Phase;
import io.keyvalueserve.grid.catalogue.SecretSeal;
import io.keyvalueserve.grid.channel.ChannelMessage;
import io.keyvalueserve.grid.channel.GridChannelBus;
import io.keyvalueserve.grid.external.ExternalSerialization;
import io.keyvalueserve.grid.external.ExternalStores;
import io.keyvalueserve.grid.external.StoreQuestions;
import io.keyvalueserve.grid.hibernation.Hibernator;
import io.keyvalueserve.grid.hibernation.SleepingTenants;
import io.keyvalueserve.grid.kept.HeapSweep;
import io.keyvalueserve.grid.ledger.GridLedger;
import io.keyvalueserve.grid.ledger.GridRates;
import io.keyvalueserve.grid.ledger.LedgerMerge;
import io.keyvalueserve.grid.ledger.MergedUsage;
import io.keyvalueserve.grid.lock.MapLocks;
import io.keyvalueserve.grid.log.BoundedLoggers;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.grid.member.MemberHandshake;
import io.keyvalueserve.grid.query.GridQueries;
import io.keyvalueserve.grid.query.MappingStore;
import io.keyvalueserve.grid.query.QuerySerialization;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberQuestion;
import io.keyvalueserve.grid.question.Questioner;
import io.keyvalueserve.grid.quorum.QuorumKeeper;
import io.keyvalueserve.grid.quorum.QuorumMessage;
import io.keyvalueserve.grid.quorum.QuorumState;
import io.keyvalueserve.grid.quota.QuotaExchange;
import io.keyvalueserve.grid.quota.QuotaMessage;
import io.keyvalueserve.grid.restart.HotRestart;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.LogFigures;
import io.keyvalueserve.grid.restart.Losses;
import io.keyvalueserve.grid.restart.RestartException;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.IndexKeeper;
import io.keyvalueserve.grid.settings.MapStoreSettings;
import io.keyvalueserve.grid.settings.OverMemorySink;
import io.keyvalueserve.grid.snapshot.Repositories;
import io.keyvalueserve.grid.snapshot.Snapshots;
import io.keyvalueserve.grid.snapshot.TenantImages;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.grid.space.GridNoticeStore;
import io.keyvalueserve.grid.space.GridScriptStore;
import io.keyvalueserve.grid.space.HazelcastEngine;
import io.keyvalueserve.grid.space.SpaceSerialization;
import io.keyvalueserve.grid.space.TenantObjects;
import io.keyvalueserve.grid.space.TransactionDecisions;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.journal.FileDisk;
import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.journal.spill.SpillArea;
import io.keyvalueserve.journal.spill.SpillConfig;
import io.keyvalueserve.maps.HiddenMaps;
import io.keyvalueserve.maps.LastWriteMergePolicy;
import io.keyvalueserve.maps.Lease;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.OverMemory;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.reclaim.MemoryReclaimer;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.memory.MemorySourceException;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running member of the grid: one embedded Hazelcast member with our extension.
 *
 * <p>Its door for Hazelcast clients opens as the member starts, and refuses everybody until the
 * authenticator it was given knows the catalogue. Thread-safe. {@link #close} leaves the cluster in
 * order, so that no data is lost where other members can take it over.
 */
public final class GridMember implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GridMember.class);

  /** How often a member joins while others come and go, before it gives up. */
  private static final int MOST_STARTS = 10;

  private static final AtomicInteger STARTED = new AtomicInteger();

  /** Members that start together look so long for one that leads before one of them does. */
  private static final int SECONDS_WITHOUT_MASTER = 2;

  /**
   * The time for which a member's id is refused after the member has joined. A request to join may
   * still be under way after its sender has ended. Hazelcast's half a minute would also delay a
   * member that is restarted soon.
   */
  private static final int STALE_JOIN_SECONDS = 3;

  private static final long PAUSE_BEFORE_JOINING_MILLIS = 200;
  private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final int SECONDS_TO_CONNECT = 2;
  private static final int SECONDS_TO_MERGE = 5;

  /** We find lost members ourselves: {@link QuorumKeeper}. */
  private static final int NEVER_SECONDS = 1_000_000_000;

  private static final String SPILL_DIRECTORY = "spill";

  /** One read of several entries of a partition may take so much of the heap of requests. */
  private static final int BULK_READ_PART = 8;

  private static final int MOST_READING_THREADS = 8;
  private static final int MOST_WRITING_THREADS = 3;

  /**
   * The largest number of copies of maps' partitions that are sent at once to a member that catches
   * up.
   */
  private static final int MOST_COPIES_AT_ONCE = 16;

  private final Started started;
  private final HazelcastInstance instance;
  private final Node node;
  private final HazelcastEngine engine;
  private final GridChannelBus channels;
  private final GridSettings settings;
  private final GridCatalogueStore catalogue;
  private final GridGrantStore grants;
  private final GridGrantStore channelGrants;
  private final GridReservationStore reservations;
  private final GridCapStore caps;
  private final GridStoreCatalogue stores;
  private final GridTenantKeys tenantKeys;
  private final GridSnapshotPlans snapshotPlans;
  private final GridHibernations hibernations;
  private final SleepingTenants sleeping;
  private final SecretSeal secretSeal;
  private final ExternalStores external;
  private final StoreQuestions storeQuestions;
  private final GridScriptStore scripts;
  private final GridAlerts alerts;
  private final TenantObjects objects;
  private final NativeMaps maps;
  private final @Nullable HotRestart restart;
  private final GridMapSettings mapSettings;
  private final Answerers answerers;
  private final Questioner questioner;
  private final MemberForgetting forgetting;
  private final MapLocks locks;
  private final GridLedger ledger;
  private final LedgerMerge ledgerMerge;
  private final GridRates rates;
  private final IndexKeeper indexes;
  private final QuotaExchange quotas;
  private final HeapSweep keptHeap;
  private final MemoryReclaimer reclaimer;
  private final GridQueries queries;
  private final PartitionTurns turns;
  private volatile Consumer<MergedUsage> mergedUsage = usage -> {};

  /**
   * A node that may serve.
   *
   * @param restart null if it lives as long as its process
   */
  record Started(
      HazelcastInstance instance,
      Node node,
      NativeMaps maps,
      @Nullable HotRestart restart,
      PartitionTurns turns) {
    QuorumKeeper quorum() {
      return ((GridNodeExtension) node.getNodeExtension()).quorum();
    }

    int portOf(EndpointQualifier endpoint) {
      Address address = node.getLocalMember().getAddressMap().get(endpoint);
      if (address == null) {
        throw new IllegalStateException("the member has no such endpoint: " + endpoint);
      }
      return address.getPort();
    }

    /** Leaves the cluster in order if that makes sense, and gives back what the node used. */
    void close() {
      quorum().leave(LEAVING_NANOS);
      if (restart != null) {
        restart.stop();
      }
      try {
        new Leaving(instance, node, maps).leave();
      } finally {
        GridMember.close(restart, maps);
      }
    }
  }

  private GridMember(Started started, TenantPolicy policy, GridConfig config) {
    this.started = started;
    this.turns = started.turns();
    this.instance = started.instance();
    this.node = started.node();
    NodeEngineImpl nodeEngine = node.getNodeEngine();
    this.engine = HazelcastEngine.of(nodeEngine);
    this.channels = engine.channelBus();
    this.settings = new GridSettings(instance);
    this.catalogue = new GridCatalogueStore(instance, nodeEngine, settings);
    this.grants = GridGrantStore.ofMaps(instance, nodeEngine);
    this.channelGrants = GridGrantStore.ofChannels(instance, nodeEngine);
    this.reservations = new GridReservationStore(instance, nodeEngine);
    this.caps = new GridCapStore(instance, nodeEngine);
    this.stores = new GridStoreCatalogue(instance, nodeEngine);
    this.snapshotPlans = new GridSnapshotPlans(instance, nodeEngine);
    this.hibernations = new GridHibernations(instance, nodeEngine);
    this.tenantKeys =
        new GridTenantKeys(
            instance,
            nodeEngine,
            SecretSeal.of(config.clusterSecret(), SecretSeal.Purpose.TENANT_KEY));
    this.secretSeal = SecretSeal.of(config.clusterSecret(), SecretSeal.Purpose.STORE_PASSWORD);
    this.scripts = new GridScriptStore(instance);
    this.alerts = new GridAlerts(instance);
    this.objects = new TenantObjects(nodeEngine);
    this.answerers = ((GridNodeExtension) node.getNodeExtension()).answerers();
    this.questioner = new Questioner(nodeEngine);
    LostQuestion.answer(answerers, this::lostHere);
    LossesQuestion.answer(answerers, started.restart());
    MemberForgetting.answer(answerers, started.quorum());
    this.forgetting =
        new MemberForgetting(nodeEngine, started.quorum(), questioner, started.restart());
    this.locks =
        new MapLocks(instance, nodeEngine, questioner, answerers, policy.admissions(), engine);
    this.ledger = new GridLedger(instance);
    this.ledgerMerge = new LedgerMerge(ledger);
    this.rates = new GridRates(settings);
    this.maps = started.maps();
    maps.onLeavingValues(this::takeLeaving);
    this.restart = started.restart();
    this.sleeping = new SleepingTenants(nodeEngine, maps);
    this.external = new ExternalStores(secretSeal, maps, nodeEngine);
    this.storeQuestions = new StoreQuestions(questioner, answerers, external, maps, nodeEngine);
    this.mapSettings =
        new GridMapSettings(
            instance,
            nodeEngine,
            restart == null ? null : restart.durableMaps(),
            new OverMemoryOfMaps(),
            maps.accounts()::setChargedTo,
            this::storeBehind);
    engine.keepInMemoryAlone(mapSettings::isInMemoryAlone);
    this.indexes = new IndexKeeper(mapSettings, nodeEngine, maps);
    GridNodeExtension extension = (GridNodeExtension) node.getNodeExtension();
    this.quotas =
        QuotaExchange.start(
            nodeEngine,
            policy.admissions(),
            tenant -> policy.sessions().count(tenant.number()),
            config.backupCount());
    extension.exchange(quotas);
    extension.carry(channels);
    this.keptHeap =
        HeapSweep.start(
            nodeEngine, policy.admissions().heap(), policy.admissions()::tenants, quotas::tell);
    catalogue.subscribe(turns::apply);
    extension.onCatalogueChange(
        new CatalogueReceiver(
            List.of(
                catalogue,
                grants,
                channelGrants,
                reservations,
                caps,
                stores,
                tenantKeys,
                snapshotPlans,
                hibernations)));
    UUID _ = instance.getLifecycleService().addLifecycleListener(this::onMerge);
    try {
      external.follow(stores);
      mapSettings.load();
      hibernations.subscribe(sleeping::apply);
      maps.external().setKnown(true);
      maps.writers().settingsKnown(true);
      maps.onIndexes(indexes);
      extension.know(mapSettings, indexes);
      queries = GridQueries.install(nodeEngine, turns, mapSettings::known, indexes::keep);
      indexes.restore();
      engine.settler().recover();
      engine.sweeper().begin();
      reclaimer =
          MemoryReclaimer.start(
              maps, policy.admissions(), config.reclaim().config(maps.capacityBytes()));
    } catch (RuntimeException e) {
      keptHeap.close();
      quotas.close();
      indexes.close();
      mapSettings.close();
      external.close();
      throw e;
    }
  }

  /**
   * Starts a member and joins its cluster. Blocks until it has.
   *
   * @param policy asked at the door; refuses until the caller has loaded the catalogue
   * @param weights the weights of tenants by their numbers; asked by partition threads
   * @param doors opens the door for Hazelcast clients
   * @throws GridStartException if it cannot start: the message says why and what to do
   */
  public static GridMember start(
      GridConfig config,
      TenantPolicy policy,
      IntUnaryOperator weights,
      HazelcastDoor.Factory doors) {
    return start(config, policy, weights, doors, node -> new GridMember(node, policy, config));
  }

  /**
   * Starts a node and joins its cluster. Blocks until it may serve.
   *
   * @param assemble makes a member of it; the node ends if that fails
   * @throws GridStartException as {@link #start(GridConfig, TenantPolicy, IntUnaryOperator,
   *     HazelcastDoor.Factory)}
   */
  static <M> M start(
      GridConfig config,
      TenantPolicy policy,
      IntUnaryOperator weights,
      HazelcastDoor.Factory doors,
      Function<Started, M> assemble) {
    PinnedHazelcast.check();
    BoundedLoggers.install();
    TrustedClasses.installProcessFilter(config.extensions());
    if (System.getProperty(STALE_JOIN_PREVENTION_DURATION_PROP) == null) { // it is no member's own
      System.setProperty(STALE_JOIN_PREVENTION_DURATION_PROP, Integer.toString(STALE_JOIN_SECONDS));
    }
    if (config.role() == Role.DATA) {
      checkFree(config.bind(), config.clientPort(), "client-port");
    }
    checkFree(config.bind(), config.memberPort(), "member-port");
    for (int tries = 1; ; tries++) {
      NativeMaps maps = openMaps(config);
      maps.boundBulkReads(
          Math.max(1, config.clientLimits().waiting().heapBytes() / BULK_READ_PART));
      maps.accounts().countFor(policy.admissions()::usageOfObject);
      maps.serveWith(Lease.none());
      maps.writers().settingsKnown(false);
      maps.accounts().countWritersFor(policy.admissions()::usage);
      policy.admissions().onTenants(maps.accounts()::tenantsChanged);
      HotRestart restart = null;
      try {
        restart = openRestart(config, maps);
        openSpillArea(config.reclaim(), maps);
        return start(config, policy, weights, maps, restart, doors, assemble);
      } catch (OutcastException e) {
        close(restart, maps);
        pauseBeforeJoining();
      } catch (RestartException e) {
        close(restart, maps);
        throw new GridStartException(String.valueOf(e.getMessage()), e);
      } catch (HazelcastException | IllegalStateException e) {
        close(restart, maps);
        if (isPassing(e) && tries < MOST_STARTS) {
          LOG.warn("another member left while this one joined: it joins again", e);
          pauseBeforeJoining();
          continue;
        }
        throw new GridStartException("the grid's member cannot start: " + e.getMessage(), e);
      } catch (RuntimeException e) {
        close(restart, maps);
        throw e;
      }
    }
  }

  /** Returns whether a start failed because other members came and went. */
  private static boolean isPassing(RuntimeException e) {
    return e instanceof RetryableException
        || e instanceof IndeterminateOperationStateException
        || e instanceof OperationTimeoutException;
  }

  private static <M> M start(
      GridConfig config,
      TenantPolicy policy,
      IntUnaryOperator weights,
      NativeMaps maps,
      @Nullable HotRestart restart,
      HazelcastDoor.Factory doors,
      Function<Started, M> assemble) {
    PartitionTurns turns = new PartitionTurns(weights, doors::tenantOf);
    MemberHandshake handshake = new MemberHandshake(config.clusterSecret());
    GridNodeContext context =
        new GridNodeContext(
            policy,
            handshake,
            maps,
            config.extensions(),
            config.fastPath().direct(),
            restart,
            turns,
            config.clientLimits(),
            config.clientConnections(),
            config.quorum(),
            config.join(),
            doors);
    HazelcastInstance instance =
        HazelcastInstanceFactory.newHazelcastInstance(
            hazelcast(config, doors), instanceName(config), context);
    try {
      checkSecret(handshake.refusals(), instance.getCluster().getMembers().size(), config.join());
    } catch (GridStartException e) {
      instance.getLifecycleService().terminate();
      throw e;
    }
    HazelcastInstanceImpl original = ((HazelcastInstanceProxy) instance).getOriginal();
    try {
      Started started = new Started(instance, original.node, maps, restart, turns);
      if (!started.quorum().awaitLease()) {
        throw new OutcastException();
      }
      return assemble.apply(started);
    } catch (InterruptedException e) {
      instance.getLifecycleService().terminate();
      Thread.currentThread().interrupt();
      throw new GridStartException("interrupted while the member waited for its cluster", e);
    } catch (RuntimeException e) {
      instance.getLifecycleService().terminate();
      throw e;
    }
  }

  /**
   * Refuses to go on alone with another secret than those who are there.
   *
   * @throws GridStartException if the only member found was refused
   */
  static void checkSecret(long refusals, int members, List<String> join) {
    if (refusals > 0 && members == 1) {
      throw new GridStartException(
          "a member of the cluster to join has another cluster secret: join="
              + join
              + "; start this member with the secret of that cluster (--cluster-secret-file)");
    }
  }

  /** The cluster may not have noticed yet that this member has left. */
  private static void pauseBeforeJoining() {
    try {
      Thread.sleep(PAUSE_BEFORE_JOINING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GridStartException("interrupted while the member started", e);
    }
  }

  private static @Nullable HotRestart openRestart(GridConfig config, NativeMaps maps) {
    return config.restart() == null
        ? null
        : HotRestart.open(
            config.restart(),
            config.clusterName(),
            config.partitionCount(),
            config.backupCount(),
            maps,
            config.role() == Role.WITNESS);
  }

  private static void openSpillArea(ReclaimSetup setup, NativeMaps maps) {
    Path directory = setup.spillDirectory();
    if (directory == null) {
      return;
    }
    try {
      maps.spillTo(
          SpillArea.open(
              FileDisk.at(directory), SPILL_DIRECTORY, SpillConfig.of(setup.spillBytes())));
    } catch (IOException e) {
      throw new GridStartException(
          "values cannot be spilled to " + directory + ": " + FileTrouble.of(e), e);
    }
  }

  /** The log outlives whoever writes to it, and memory whoever reads there. */
  private static void close(@Nullable HotRestart restart, NativeMaps maps) {
    boolean _ = maps.abandon();
    try {
      if (restart != null) {
        restart.close();
      }
    } finally {
      maps.close();
    }
  }

  private static NativeMaps openMaps(GridConfig config) {
    try {
      NativeMaps maps = NativeMaps.open(config.memory(), ClusterSeed.of(config.clusterSecret()));
      maps.external().setKnown(false);
      return maps;
    } catch (MemorySourceException e) {
      throw new GridStartException("the memory for maps cannot be had: " + e.getMessage(), e);
    }
  }

  /** This member was of a side of a split that has joined another: that has other records. */
  private void onMerge(LifecycleEvent event) {
    if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
      Thread _ = Thread.ofVirtual().name("kvs-merged").start(this::takeRecordsAgain);
    }
  }

  /** Tells the maps of this member what becomes of their entries when memory is short. */
  private final class OverMemoryOfMaps implements OverMemorySink {
    @Override
    public void set(String map, @Nullable OverMemory next) {
      maps.setOverMemory(map, next);
    }

    @Override
    public void unset(String map) {
      maps.unsetOverMemory(map);
    }
  }

  /**
   * Puts a table of an external store behind a map on this member, in the place of what was there.
   *
   * @param map its name in the grid
   * @param settings null to take it off
   * @throws RuntimeException if it does not hold on this member; the message says why
   */
  void storeBehind(String map, @Nullable MapStoreSettings settings) {
    external.behind(map, settings);
  }

  private void takeLeaving(String map, List<Data> values) {
    if (GridLedger.isIn(map)) {
      ledgerMerge.take(
          values.stream().map(value -> node.getNodeEngine().<byte[]>toObject(value)).toList());
    }
  }

  /**
   * Sets who hears of usage that a merge has brought to a ledger, or that is lost. Usage of this
   * member's side counts here if it has given way to another.
   */
  public void onMergedUsage(Consumer<MergedUsage> listener) {
    mergedUsage = listener;
  }

  private void takeRecordsAgain() {
    try {
      catalogue.takeAll();
      grants.takeAll();
      channelGrants.takeAll();
      reservations.takeAll();
      caps.takeAll();
      stores.takeAll();
      tenantKeys.takeAll();
      snapshotPlans.takeAll();
      hibernations.takeAll();
    } catch (RuntimeException e) {
      LOG.error(
          "after a merge this member could not read the catalogue again, and may let in who was"
              + " locked out: start it again",
          e);
    }
    channels.rejoined();
    ledgerMerge.run(usage -> mergedUsage.accept(usage));
  }

  /** Returns the maps of this member, and how much memory each of them uses. */
  public NativeMaps maps() {
    return maps;
  }

  /** The tenants' key spaces. */
  public Engine engine() {
    return engine;
  }

  /** Returns what this member does for queries. */
  public GridQueries queries() {
    return queries;
  }

  /** The catalogue of the cluster. */
  public GridCatalogueStore catalogueStore() {
    return catalogue;
  }

  /** The grants of all tenants on their maps. */
  public GridGrantStore grantStore() {
    return grants;
  }

  /** The grants of all tenants on their channels. */
  public GridGrantStore channelGrantStore() {
    return channelGrants;
  }

  /** Returns the store of reservations. */
  public GridReservationStore reservationStore() {
    return reservations;
  }

  /** The spend caps of all tenants. */
  public GridCapStore capStore() {
    return caps;
  }

  /** Returns the external stores that can be behind maps. */
  public GridStoreCatalogue storeCatalogue() {
    return stores;
  }

  /** Returns the external stores as this member reaches them. */
  public ExternalStores externalStores() {
    return external;
  }

  /** Returns the questions to all members about what is between maps and external stores. */
  public StoreQuestions storeQuestions() {
    return storeQuestions;
  }

  /** Returns the seal of the passwords in {@link #storeCatalogue}. */
  public SecretSeal secretSeal() {
    return secretSeal;
  }

  /** Scripts that tenants have loaded. */
  public ScriptStore scriptStore() {
    return scripts;
  }

  /** Returns the alerts that the cluster keeps. */
  public GridAlerts alerts() {
    return alerts;
  }

  /** Returns the keys of tenants' snapshots. */
  public GridTenantKeys tenantKeys() {
    return tenantKeys;
  }

  /** Returns the plans of tenants' snapshots. */
  public GridSnapshotPlans snapshotPlans() {
    return snapshotPlans;
  }

  /**
   * Has this member take its parts of snapshots, and coordinate those that it is asked for. Called
   * once; to be closed before the member.
   *
   * @param repositories where snapshots are kept
   * @param version the version of this program
   */
  public Snapshots takeSnapshots(Repositories repositories, String version) {
    return new Snapshots(
        node.getNodeEngine(),
        maps,
        questioner,
        answerers,
        tenantKeys,
        snapshotPlans,
        mapSettings,
        repositories,
        node.getConfig().getClusterName(),
        version);
  }

  /**
   * Returns what puts tenants to sleep and wakes them, which is the caller's to close.
   *
   * @param images of tenants, from {@link #takeSnapshots}
   * @param repository the address of the repository of snapshots, which has images too; null if
   *     there is none
   * @param usual how long after its last use a tenant falls asleep that has no setting; zero for
   *     never
   */
  public Hibernator hibernate(TenantImages images, @Nullable String repository, Duration usual) {
    return new Hibernator(
        node.getNodeEngine(),
        maps,
        questioner,
        answerers,
        hibernations,
        sleeping,
        snapshotPlans,
        indexes,
        images,
        repository,
        usual);
  }

  /**
   * Drops the accounts of a tenant that uses nothing at present; they are made again if it does.
   */
  public void dropAccounts(int tenant) {
    turns.drop(tenant);
  }

  /** Returns what this member knows of tenants that are not in memory. */
  public SleepingTenants sleepingTenants() {
    return sleeping;
  }

  /** Returns the functions that answer other members' questions on this member. */
  public Answerers answerers() {
    return answerers;
  }

  /** The locks on the keys of maps. */
  public MapLocks locks() {
    return locks;
  }

  /** Returns the ledgers of what tenants used. */
  public GridLedger ledger() {
    return ledger;
  }

  /** Returns the prices that tenants are charged. */
  public GridRates rates() {
    return rates;
  }

  /** The quotas of tenants, over all members. */
  public QuotaExchange quotas() {
    return quotas;
  }

  private HazelcastDoor door() {
    return (HazelcastDoor) node.getClientEngine();
  }

  /**
   * Returns the number of requests of a tenant's Hazelcast clients that wait at this member to be
   * answered.
   */
  public int waitingRequests(int tenant) {
    return door().waitingRequests(tenant);
  }

  /** Returns the number of listeners that a tenant's Hazelcast clients have at this member. */
  public int listeners(int tenant) {
    return door().listeners(tenant);
  }

  /** Returns the number of transactions that a tenant's clients have open at this member. */
  public int openTransactions(int tenant) {
    return door().openTransactions(tenant);
  }

  /** About how many bytes of answers and events its clients have not read. */
  public long unreadBytes(int tenant) {
    return door().unreadBytes(tenant);
  }

  /**
   * Returns the number of clients that were cut off since the member started because they did not
   * read.
   */
  public long clientsCutOff() {
    return door().cutOff();
  }

  /** Returns how many bytes of heap a tenant's requests and their results take for a while. */
  public long temporaryBytes(int tenant) {
    return door().temporaryBytes(tenant);
  }

  /** Returns the bytes of a tenant's waiting requests. */
  public long waitingBytes(int tenant) {
    return door().waitingBytes(tenant);
  }

  /**
   * Returns how long each tenant has waited for threads, and for which tenants. The threads are
   * those of partitions, those that read Hazelcast clients' connections, and those of pools for
   * what is on no partition.
   */
  public Collection<Waits> waits() {
    return turns.waits();
  }

  /** Returns the object that frees memory. */
  public MemoryReclaimer reclaimer() {
    return reclaimer;
  }

  /** Puts questions to all members. */
  public Questioner questioner() {
    return questioner;
  }

  /** Small facts that the cluster shares. */
  public GridSettings settings() {
    return settings;
  }

  /** The port that Hazelcast clients connect to. */
  public int clientPort() {
    return started.portOf(EndpointQualifier.CLIENT);
  }

  /** The port that members connect to. */
  public int memberPort() {
    return started.portOf(EndpointQualifier.MEMBER);
  }

  /** The members of the cluster, the oldest first. */
  public List<MemberInfo> members() {
    return MemberInfo.all(instance.getCluster());
  }

  /**
   * Returns whether this member is the oldest of those that hold data: that one does what one
   * member does for all.
   */
  public boolean isOldest() {
    return DataMembers.of(node.getNodeEngine()).getFirst().localMember();
  }

  /** Returns how many members the configuration names, this one included. */
  public int namedMembers() {
    return started.quorum().namedMembers();
  }

  /** Returns whether every partition has its backups, and which have no copy. Blocks. */
  public Safety safety() {
    LostQuestion.Answer lost = LostQuestion.ask(questioner, lostHere());
    LossesQuestion.Answer gone = LossesQuestion.ask(questioner);
    return new Safety(
        lost.none()
            && gone.none()
            && maps.lease().holds()
            && instance.getPartitionService().isClusterSafe(),
        lost.lost(),
        gone.losses());
  }

  /** Returns {@link Safety#safe}. Asks all members; blocks. */
  public boolean isSafe() {
    return safety().safe();
  }

  /** Returns what no copy had when this member started, until somebody takes note of it. */
  public Losses lossesHere() {
    return restart == null ? Losses.NONE : restart.losses();
  }

  /**
   * Takes note of what is lost, at all members: the cluster no longer tells it. Blocks.
   *
   * @return what that was; null if not all members have kept it: it may be done or not
   */
  public @Nullable Losses acknowledgeLosses() {
    LossesQuestion.Answer all = LossesQuestion.acknowledge(questioner);
    return all.complete() ? all.losses() : null;
  }

  /** Returns whether this member's log is damaged or was gone, and is not whole again yet. */
  public boolean isLogDamaged() {
    return restart != null && restart.isLogDamaged();
  }

  /** Returns the partitions that this member owns and that have no copy left, sorted. */
  public List<Integer> lostHere() {
    return maps.lost().held();
  }

  /** Returns whether this member may serve, and which voters decide that. */
  public QuorumState quorum() {
    return started.quorum().state();
  }

  /**
   * Takes a member off the cluster that never comes back: nobody waits for it or for its data any
   * more. Blocks until a majority of the voters knows that.
   *
   * @param member its id, or its address as {@code HOST:PORT}
   */
  public ForgetResult forget(String member) {
    return forgetting.forget(member);
  }

  /**
   * Has somebody told, once, when the cluster goes on without this member: it has to be closed and
   * started again.
   *
   * @param task does not block
   */
  public void whenOutcast(Runnable task) {
    started.quorum().whenOutcast(task);
  }

  /**
   * Returns the addresses of the members of which this one had heard nothing for too long when the
   * cluster went on without it; empty if there were none.
   */
  public List<InetSocketAddress> unheard() {
    return started.quorum().unheard();
  }

  /** The names of a tenant's maps, sorted: those that exist, and those that are set up. */
  public List<String> mapsOf(TenantName tenant) {
    return mapsOf(Set.of(tenant)).getOrDefault(tenant, List.of());
  }

  /**
   * The same of several tenants, of those that have any. Goes through the names of all maps once.
   */
  public Map<TenantName, List<String>> mapsOf(Set<TenantName> tenants) {
    Map<TenantName, Set<String>> found = new HashMap<>();
    Consumer<String> visitor =
        name ->
            QualifiedName.ownerOf(name)
                .filter(tenants::contains)
                .flatMap(owner -> QualifiedName.parse(name))
                .ifPresent(
                    map ->
                        found
                            .computeIfAbsent(map.tenant(), added -> new TreeSet<>())
                            .add(map.map().value()));
    objects.forEachMap(visitor);
    mapSettings.forEach(settings -> visitor.accept(settings.map()));
    tenants.forEach(tenant -> visitSleeping(tenant, visitor));
    Map<TenantName, List<String>> sorted = new HashMap<>();
    found.forEach((tenant, maps) -> sorted.put(tenant, List.copyOf(maps)));
    return sorted;
  }

  private void visitSleeping(TenantName tenant, Consumer<String> visitor) {
    if (sleeping.phaseOf(tenant.value()) != Phase.AWAKE) {
      Image image = hibernations.of(tenant).image();
      if (image != null) {
        image.maps().forEach(map -> visitor.accept(tenant.value() + '/' + map));
      }
    }
  }

  /** Returns the settings of maps. */
  public GridMapSettings mapSettings() {
    return mapSettings;
  }

  /**
   * Destroys everything a tenant has in the grid. Blocks. Its sessions must have ended before.
   *
   * @return how many objects were destroyed
   */
  public int deleteData(TenantName tenant) {
    int destroyed = objects.destroyAll(tenant);
    mapSettings.forget(tenant);
    return destroyed;
  }

  /**
   * Destroys the maps that a tenant has in the grid, with their settings but for its consent. Maps
   * with a table behind them stay, and so do queues, topics and the rest. Blocks. Its sessions must
   * have ended before.
   *
   * @return how many maps were destroyed
   */
  public int deleteMaps(TenantName tenant) {
    Predicate<String> hasNoTable = map -> maps.external().of(HiddenMaps.inFrontOf(map)) == null;
    int destroyed = objects.destroyMaps(tenant, hasNoTable);
    mapSettings.forgetMaps(tenant, hasNoTable);
    return destroyed;
  }

  /**
   * Returns the number of requests of Hazelcast clients that were answered on the thread that read
   * them, since the member started.
   */
  public long answeredDirectly() {
    return door().answeredDirectly();
  }

  /**
   * Returns the number of reads of Hazelcast clients that were answered for entries of other
   * members, since the member started. Only reads count that were asked for together with those of
   * other clients.
   */
  public long answeredTogether() {
    return door().answeredTogether();
  }

  /**
   * Returns how far the member, while it serves, has come with loading what its disk has; null if
   * there was nothing to load.
   */
  public @Nullable LoadProgress loadProgress() {
    return restart == null ? null : restart.progress();
  }

  /**
   * Has the log on the disk read whole from now on, as fast as the disk does, to find damage.
   * Returns at once: {@link #logFigures} says how far it is.
   */
  public void scrub() {
    if (restart != null) {
      restart.scrub();
    }
  }

  /**
   * Returns the figures of the log on the disk; null if the member keeps none, or it is not open.
   */
  public @Nullable LogFigures logFigures() {
    return restart == null ? null : restart.logFigures();
  }

  /**
   * Returns the bytes of each map that this member has written to its log since it started, as the
   * owner of their partitions; by the grid's names. Only grows. Empty if it keeps none.
   */
  public Map<String, Long> loggedBytes() {
    return restart == null ? Map.of() : restart.loggedBytes();
  }

  /**
   * Returns the number of partitions that each member owns; those that have no owner yet are not
   * counted.
   */
  public Map<UUID, Integer> partitionsByOwner() {
    Map<UUID, Integer> owned = new HashMap<>();
    for (Partition partition : instance.getPartitionService().getPartitions()) {
      Member owner = partition.getOwner();
      if (owner != null) {
        owned.merge(owner.getUuid(), 1, Integer::sum);
      }
    }
    return owned;
  }

  /** Returns whether the member is running. */
  public boolean isRunning() {
    return instance.getLifecycleService().isRunning();
  }

  @Override
  public void close() {
    external.drain();
    queries.close();
    reclaimer.close();
    keptHeap.close();
    quotas.close();
    indexes.close();
    mapSettings.close();
    sleeping.close();
    started.close();
    external.close(); // until then the member serves its partitions
  }

  private static void checkFree(String bind, int port, String field) {
    if (port == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(bind), port));
    } catch (IOException e) {
      throw new GridStartException(
          field
              + " "
              + port
              + " on "
              + bind
              + " cannot be used: "
              + e.getMessage()
              + "; stop what uses it or choose another port with --"
              + field,
          e);
    }
  }

  /** Unique in the process, as Hazelcast wants it. */
  private static String instanceName(GridConfig config) {
    return config.clusterName() + "-" + config.memberName() + "-" + STARTED.incrementAndGet();
  }

  private static Config hazelcast(GridConfig grid, HazelcastDoor.Factory doors) {
    Config config = new Config();
    config.setClusterName(grid.clusterName());
    config.setLiteMember(grid.role() == Role.WITNESS);
    Extensions extensions = grid.extensions();
    config.setClassLoader(new TrustedClasses(extensions));
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(TrustedClasses.filter(extensions));
    extensions
        .factories()
        .forEach(config.getSerializationConfig()::addDataSerializableFactoryClass);
    SpaceSerialization.register(config);
    ExternalSerialization.register(config);
    QuerySerialization.register(config);
    MappingStore.configure(config);
    doors.register(config);
    config.getUserContext().put(FastPath.KEY, grid.fastPath());
    GridCatalogueStore.configure(config);
    GridGrantStore.configure(config);
    GridReservationStore.configure(config);
    GridCapStore.configure(config);
    GridStoreCatalogue.configure(config);
    GridTenantKeys.configure(config);
    GridSnapshotPlans.configure(config);
    GridHibernations.configure(config);
    GridScriptStore.configure(config);
    GridNoticeStore.configure(config);
    GridAlerts.configure(config);
    GridLedger.configure(config);
    TransactionDecisions.configure(config);
    MemberQuestion.register(config);
    QuotaMessage.register(config);
    ChannelMessage.register(config);
    QuorumMessage.register(config);
    GridMapSettings.configure(config);
    HotRestart.configure(config);
    BackupsQuestion.register(config);
    config
        .getMapConfig("default")
        .setBackupCount(grid.backupCount())
        .setMergePolicyConfig(
            new MergePolicyConfig().setPolicy(LastWriteMergePolicy.class.getName()))
        .setInMemoryFormat(InMemoryFormat.NATIVE);
    // What entries take is known only as they came, and no member reads what tenants keep.
    config.getReplicatedMapConfig("default").setInMemoryFormat(InMemoryFormat.BINARY);
    config.getJetConfig().setEnabled(false);
    config.getMetricsConfig().setEnabled(false);
    set(config, ClusterProperty.PARTITION_COUNT.getName(), grid.partitionCount());
    // The old owner of a partition would go on answering reads until it hears of the new one.
    set(config, ClusterProperty.DISABLE_STALE_READ_ON_PARTITION_MIGRATION.getName(), true);
    set(config, ClusterProperty.PARTITION_MAX_PARALLEL_REPLICATIONS.getName(), MOST_COPIES_AT_ONCE);
    set(config, UnconfirmedBackups.property(), UnconfirmedBackups.value());
    set(config, UnconfirmedBackups.failsProperty(), grid.needsMajority());
    set(config, ClusterProperty.LOGGING_TYPE.getName(), "slf4j");
    set(config, ClusterProperty.PHONE_HOME_ENABLED.getName(), false);
    set(config, ClusterProperty.SHUTDOWNHOOK_ENABLED.getName(), false);
    set(config, ClusterProperty.WAIT_SECONDS_BEFORE_JOIN.getName(), 1);
    set(config, ClusterProperty.MAX_NO_HEARTBEAT_SECONDS.getName(), NEVER_SECONDS);
    set(config, ClusterProperty.CONNECTION_MONITOR_MAX_FAULTS.getName(), Integer.MAX_VALUE);
    set(config, ClusterProperty.SOCKET_CONNECT_TIMEOUT_SECONDS.getName(), SECONDS_TO_CONNECT);
    set(config, ClusterProperty.MERGE_FIRST_RUN_DELAY_SECONDS.getName(), SECONDS_TO_MERGE);
    set(config, ClusterProperty.MERGE_NEXT_RUN_DELAY_SECONDS.getName(), SECONDS_TO_MERGE);
    ioThreads(config);
    network(config, grid);
    return config;
  }

  /**
   * Threads that read answer what they can themselves, so there may be one for each processor;
   * threads that write only help out when a socket is full. On one processor more of them would
   * only take it from each other.
   */
  private static void ioThreads(Config config) {
    int processors = Runtime.getRuntime().availableProcessors();
    int reading = Math.min(processors, MOST_READING_THREADS);
    int writing = Math.clamp(processors / 4, 1, MOST_WRITING_THREADS);
    set(config, ClusterProperty.IO_INPUT_THREAD_COUNT.getName(), reading);
    set(config, ClusterProperty.IO_OUTPUT_THREAD_COUNT.getName(), writing);
  }

  private static void network(Config config, GridConfig grid) {
    AdvancedNetworkConfig network = config.getAdvancedNetworkConfig().setEnabled(true);
    ServerSocketEndpointConfig members = endpoint(grid, grid.memberPort());
    members.setSocketInterceptorConfig(
        new SocketInterceptorConfig()
            .setEnabled(true)
            .setClassName(MemberHandshake.class.getName()));
    network.setMemberEndpointConfig(members);
    if (grid.role() == Role.DATA) {
      network.setClientEndpointConfig(endpoint(grid, grid.clientPort()));
    }
    set(config, ClusterProperty.SOCKET_BIND_ANY.getName(), isWildcard(grid.bind()));
    // Hazelcast looks at no address of IPv6 unless it is told to.
    boolean isIpv6 = address(grid.bind()) instanceof Inet6Address;
    set(config, ClusterProperty.PREFER_IPv4_STACK.getName(), !isIpv6);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .setMembers(grid.join())
        .setConnectionTimeoutSeconds(SECONDS_WITHOUT_MASTER);
  }

  private static ServerSocketEndpointConfig endpoint(GridConfig grid, int port) {
    ServerSocketEndpointConfig endpoint =
        new ServerSocketEndpointConfig().setPort(port).setPortAutoIncrement(false);
    if (!isWildcard(grid.bind())) {
      ((EndpointConfig) endpoint)
          .getInterfaces()
          .setEnabled(true)
          .addInterface(address(grid.bind()).getHostAddress());
    }
    return endpoint;
  }

  private static boolean isWildcard(String bind) {
    return address(bind).isAnyLocalAddress();
  }

  private static InetAddress address(String bind) {
    try {
      return InetAddress.getByName(bind);
    } catch (IOException e) {
      throw new GridStartException(
          "bind address '" + bind + "' is unknown: use an address of this machine", e);
    }
  }

  private static void set(Config config, String property, Object value) {
    config.setProperty(property, value.toString());
  }
}
