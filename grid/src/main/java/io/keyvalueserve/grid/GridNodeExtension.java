package io.keyvalueserve.grid;

import com.hazelcast.client.impl.ClientEngine;
import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.ProtocolType;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.hotrestart.InternalHotRestartService;
import com.hazelcast.internal.hotrestart.NoopInternalHotRestartService;
import com.hazelcast.internal.networking.ChannelInitializer;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.CodebaseClusterVersionAware;
import com.hazelcast.internal.serialization.impl.MemberSerialization;
import com.hazelcast.internal.server.ServerContext;
import com.hazelcast.internal.util.ExceptionUtil;
import com.hazelcast.map.impl.KvsMapService;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.nio.MemberSocketInterceptor;
import com.hazelcast.spi.properties.ClusterProperty;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.catalogue.CatalogueNotice;
import io.keyvalueserve.grid.catalogue.CatalogueReceiver;
import io.keyvalueserve.grid.channel.ChannelMessage;
import io.keyvalueserve.grid.channel.GridChannelBus;
import io.keyvalueserve.grid.member.MemberHandshake;
import io.keyvalueserve.grid.question.Answerers;
import io.keyvalueserve.grid.question.MemberQuestion;
import io.keyvalueserve.grid.quorum.Quorum;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.quorum.QuorumKeeper;
import io.keyvalueserve.grid.quorum.QuorumMessage;
import io.keyvalueserve.grid.quota.QuotaExchange;
import io.keyvalueserve.grid.quota.QuotaMessage;
import io.keyvalueserve.grid.restart.HotRestart;
import io.keyvalueserve.grid.restart.QuorumFile;
import io.keyvalueserve.grid.restart.RestartedNode;
import io.keyvalueserve.grid.settings.GridMapSettings;
import io.keyvalueserve.grid.settings.IndexKeeper;
import io.keyvalueserve.grid.settings.MapSettingsNotice;
import io.keyvalueserve.grid.turn.PartitionTurns;
import io.keyvalueserve.grid.turn.QuerySlices;
import io.keyvalueserve.maps.NativeMaps;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import io.keyvalueserve.maps.readable.Extensions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects KeyValueServe to a Hazelcast member: the door for clients, the record stores of maps,
 * the members' handshake. Every seam used is held in place by a test.
 */
final class GridNodeExtension extends DefaultNodeExtension
    implements CatalogueNotice.Receiver,
        MapSettingsNotice.Receiver,
        MemberQuestion.Receiver,
        QuotaMessage.Receiver,
        ChannelMessage.Receiver,
        QuorumMessage.Receiver,
        RestartedNode {
  /** The time that the detection of a lost member may take beyond the member's silence. */
  private static final long LATE_DETECTION_MILLIS = 6_000;

  private final TenantPolicy policy;
  private final MemberHandshake handshake;
  private final NativeMaps maps;
  private final Extensions extensions;
  private final boolean direct;
  private final @Nullable HotRestart restart;
  private final PartitionTurns turns;
  private final ClientLimits clientLimits;
  private final TemporaryHeap temporary;
  private final QuorumKeeper quorum;
  private final List<String> join;
  private final HazelcastDoor.Factory doors;
  private final Answerers answerers = new Answerers();
  private final InternalHotRestartService merges = new Merges();
  private volatile @Nullable CatalogueReceiver catalogue;
  private volatile @Nullable GridMapSettings mapSettings;
  private volatile @Nullable IndexKeeper indexes;
  private volatile @Nullable QuotaExchange quotas;
  private volatile @Nullable GridChannelBus channels;

  /**
   * @param direct whether clients' requests are answered on the thread that read them, where they
   *     can be
   * @param turns has partition threads, those that read, and clients' pools serve tenants in turn
   * @param clientLimits what clients may make the member keep for them
   * @param config when the member may serve
   * @param join the addresses of other members, as configured
   * @param doors opens the door for Hazelcast clients
   */
  GridNodeExtension(
      Node node,
      TenantPolicy policy,
      MemberHandshake handshake,
      NativeMaps maps,
      Extensions extensions,
      boolean direct,
      @Nullable HotRestart restart,
      PartitionTurns turns,
      ClientLimits clientLimits,
      QuorumConfig config,
      List<String> join,
      HazelcastDoor.Factory doors) {
    super(node);
    this.doors = doors;
    this.join = join;
    Optional<QuorumFile.Contents> kept =
        restart == null ? Optional.empty() : restart.quorumFile().read();
    this.quorum =
        new QuorumKeeper(
            node,
            config,
            join,
            maps.lease(),
            restart == null ? Quorum.Memory.NONE : restart.quorumFile(),
            restart != null && restart.forgetsVoters(),
            restart != null && restart.isWitness(),
            kept.map(QuorumFile.Contents::set).orElse(null),
            kept.map(QuorumFile.Contents::promise).orElse(null));
    maps.changes()
        .follow(quorum::merges, quorum::leaving, quorum.silenceMillis() + LATE_DETECTION_MILLIS);
    this.clientLimits = clientLimits;
    MemberHeap whole = policy.admissions().memberHeap();
    whole.setWeights(turns.weights());
    this.temporary =
        new TemporaryHeap(
            clientLimits.waiting().heapBytes(), turns.weights(), whole, HeapUse.REQUESTS);
    this.turns = turns;
    this.direct = direct;
    this.restart = restart;
    this.policy = policy;
    this.handshake = handshake;
    this.maps = maps;
    this.extensions = extensions;
  }

  /** A witness has no engine for clients, but a lease. */
  @Override
  public void beforeJoin() {
    super.beforeJoin();
    quorum.start();
  }

  /** Called when partition threads are there, and nobody knows them. */
  @Override
  public ClientEngine createClientEngine() {
    turns.install(node.getNodeEngine());
    return doors.open(
        new HazelcastDoor.Seams(
            node,
            policy,
            extensions,
            direct ? maps.local()::of : null,
            this::keepIndex,
            maps.writers()::areCharged,
            clientLimits,
            temporary,
            turns));
  }

  @Override
  public Function<EndpointQualifier, ChannelInitializer> createChannelInitializerFn(
      ServerContext context) {
    return doors.channels(context, node.getConfig());
  }

  @Override
  public <T> T createService(Class<T> type, Object... parameters) {
    if (!MapService.class.isAssignableFrom(type)) {
      return super.createService(type, parameters);
    }
    maps.queryOn(new QuerySlices(node.getNodeEngine(), turns));
    return type.cast(
        KvsMapService.create(node.getNodeEngine(), maps, tenant -> temporary.of(tenant).results()));
  }

  /** Hazelcast's settings, and a service that makes few objects of a tenant's bytes. */
  @Override
  public InternalSerializationService createSerializationService() {
    Config config = node.getConfig();
    InternalSerializationService stock = super.createSerializationService();
    try {
      return new MemberSerialization.Builder(extensions)
          .setClassLoader(node.getConfigClassLoader())
          .setConfig(config.getSerializationConfig())
          .setManagedContext(MemberSerialization.contextOf(stock))
          .setPartitioningStrategy(getPartitioningStrategy(node.getConfigClassLoader()))
          .setHazelcastInstance(node.hazelcastInstance)
          .setVersion((byte) node.getProperties().getInteger(ClusterProperty.SERIALIZATION_VERSION))
          .setSchemaService(node.getSchemaService())
          .setNotActiveExceptionSupplier(HazelcastInstanceNotActiveException::new)
          .setVersionedSerializationEnabled(true)
          .setClusterVersionAware(new CodebaseClusterVersionAware())
          .isCompatibility(false)
          .setProperties(node.getProperties())
          .build();
    } catch (Exception e) {
      throw ExceptionUtil.rethrow(e);
    }
  }

  @Override
  public @Nullable MemberSocketInterceptor getSocketInterceptor(EndpointQualifier endpoint) {
    return endpoint.getType() == ProtocolType.MEMBER ? handshake : null;
  }

  @Override
  public UUID createMemberUuid() {
    return restart == null ? super.createMemberUuid() : restart.memberUuid();
  }

  @Override
  public void afterStart() {
    super.afterStart();
    awaitVoters();
    if (restart != null) {
      Address master = node.getMasterAddress();
      if (master != null && !master.equals(node.getThisAddress()) && !restart.isWitness()) {
        GridMapSettings.learn(node.getNodeEngine(), master, restart.durableMaps());
      }
      if (!restart.start(node)) {
        throw new OutcastException();
      }
    }
  }

  /**
   * Waits until the member knows the voters of its cluster: they decide what a member that was
   * never in a cluster restores or creates.
   */
  private void awaitVoters() {
    try {
      if (!quorum.awaitVoters(this::checkSecret)) {
        throw new OutcastException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutcastException();
    }
  }

  private void checkSecret() {
    GridMember.checkSecret(handshake.refusals(), node.getClusterService().getSize(), join);
  }

  @Override
  public void onMemberListChange() {
    maps.tenure().onMemberListChange(node.getClusterService());
    quorum.onMemberListChange();
    maps.changes().look();
    GridChannelBus bus = channels;
    if (bus != null) {
      bus.membersChanged();
    }
    if (node.getJoiner() instanceof GridJoiner joiner) {
      joiner.follow(node.getClusterService().getMembers());
    }
    super.onMemberListChange();
  }

  @Override
  public void onPartitionStateChange() {
    super.onPartitionStateChange();
    if (restart != null) {
      restart.tableChanged();
    }
  }

  /** Called when the member has left its cluster, before its services are taken down. */
  @Override
  public void shutdown() {
    if (restart != null) {
      restart.keepLastTable();
    }
    quorum.close();
    super.shutdown();
  }

  @Override
  public boolean isStartCompleted() {
    return super.isStartCompleted() && (restart == null || restart.isStarted());
  }

  /** Told when this member's side of a split gives way to another one. */
  private final class Merges extends NoopInternalHotRestartService {
    @Override
    public void resetService(boolean isAfterJoin) {
      if (restart != null) {
        restart.givesWay();
      }
    }
  }

  @Override
  public InternalHotRestartService getInternalHotRestartService() {
    return merges;
  }

  @Override
  public @Nullable HotRestart hotRestart() {
    return restart;
  }

  @Override
  public void catalogueChanged(String map, String record) {
    CatalogueReceiver receiver = catalogue;
    if (receiver != null) {
      receiver.changed(map, record);
    }
  }

  @Override
  public Answerers answerers() {
    return answerers;
  }

  @Override
  public @Nullable GridMapSettings mapSettings() {
    return mapSettings;
  }

  /** Sets the settings and indexes of maps, once they are known. */
  void know(GridMapSettings settings, IndexKeeper keeper) {
    mapSettings = settings;
    indexes = keeper;
  }

  private void keepIndex(String map, IndexConfig index) {
    IndexKeeper keeper = indexes;
    if (keeper != null) {
      keeper.keep(map, index);
    }
  }

  @Override
  public QuorumKeeper quorum() {
    return quorum;
  }

  @Override
  public @Nullable QuotaExchange quotas() {
    return quotas;
  }

  @Override
  public @Nullable GridChannelBus channels() {
    return channels;
  }

  void carry(GridChannelBus bus) {
    channels = bus;
    bus.membersChanged(); // one may have come meanwhile
  }

  void exchange(QuotaExchange exchange) {
    quotas = exchange;
  }

  void onCatalogueChange(CatalogueReceiver receiver) {
    catalogue = receiver;
  }
}
