package io.keyvalueserve.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.config.RoutingMode;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.security.UsernamePasswordCredentials;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.pricing.Basis;
import io.keyvalueserve.billing.pricing.Rate;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.TenantWeights;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.ClientLimits;
import io.keyvalueserve.grid.GridConfig;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.Role;
import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.grid.quorum.QuorumConfig;
import io.keyvalueserve.grid.quorum.QuorumTimes;
import io.keyvalueserve.grid.quorum.SplitMode;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.space.FastPath;
import io.keyvalueserve.maps.readable.Extensions;
import io.keyvalueserve.maps.reclaim.ReclaimSetup;
import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.grant.Grant;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.MapGrants;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A member with an open door. Each name is a tenant, whose key is its name. */
final class DoorMember implements AutoCloseable {
  static final String CLUSTER = "door";

  private static final long MEMORY_BYTES = 256 << 20;

  final TenantMeters meters = new TenantMeters(2);
  final UsageBook usage = new UsageBook(UUID.randomUUID(), 0);
  final Admissions admissions = new Admissions(System::nanoTime);
  final SessionRegistry sessions =
      new SessionRegistry(identity -> true, admissions::mostConnectionsHere);
  final TenantWeights weights = new TenantWeights();
  final TenantDirectory tenants = new TenantDirectory(false);
  final GrantDirectory grants;
  final GridMember member;
  private final NamesAreKeys authenticator = new NamesAreKeys();
  private final AtomicLong revisions = new AtomicLong();

  DoorMember() {
    this(null, List.of());
  }

  /** A member that outlives itself if told where. */
  DoorMember(@Nullable RestartConfig restart) {
    this(restart, List.of());
  }

  /** A member that joins others, of which these addresses are some. */
  DoorMember(@Nullable RestartConfig restart, List<String> join) {
    this(restart, 0, join);
  }

  /** A member whose clients may have so much waiting. */
  DoorMember(WaitingLimit waiting) {
    this(ClientLimits.usual().withWaiting(waiting));
  }

  /** A member whose clients may make it keep so much. */
  DoorMember(ClientLimits limits) {
    this(null, 0, List.of(), limits);
  }

  /** A member that joins others, whose clients may have so much waiting. */
  DoorMember(List<String> join, WaitingLimit waiting) {
    this(null, 0, join, ClientLimits.usual().withWaiting(waiting));
  }

  /** A member of a cluster. */
  DoorMember(@Nullable RestartConfig restart, int memberPort, List<String> join) {
    this(restart, memberPort, join, ClientLimits.usual());
  }

  /** A member of a cluster that reclaims memory so. */
  DoorMember(RestartConfig restart, int memberPort, List<String> join, ReclaimSetup reclaim) {
    this(
        restart,
        memberPort,
        join,
        ClientLimits.usual(),
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime),
        10_000,
        SplitMode.AVAILABLE,
        reclaim);
  }

  /** A member of a cluster that does this when its network breaks. */
  DoorMember(RestartConfig restart, List<String> join, SplitMode split) {
    this(
        restart,
        0,
        join,
        ClientLimits.usual(),
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime),
        10_000,
        split);
  }

  /** A member with such a budget for peers without a key, and so many connections of clients. */
  DoorMember(PeerBudget peers, int clientConnections) {
    this(null, 0, List.of(), ClientLimits.usual(), peers, clientConnections, SplitMode.AVAILABLE);
  }

  private DoorMember(
      @Nullable RestartConfig restart, int memberPort, List<String> join, ClientLimits limits) {
    this(
        restart,
        memberPort,
        join,
        limits,
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime),
        10_000,
        SplitMode.AVAILABLE);
  }

  private DoorMember(
      @Nullable RestartConfig restart,
      int memberPort,
      List<String> join,
      ClientLimits limits,
      PeerBudget peers,
      int clientConnections,
      SplitMode split) {
    this(restart, memberPort, join, limits, peers, clientConnections, split, ReclaimSetup.USUAL);
  }

  private DoorMember(
      @Nullable RestartConfig restart,
      int memberPort,
      List<String> join,
      ClientLimits limits,
      PeerBudget peers,
      int clientConnections,
      SplitMode split,
      ReclaimSetup reclaim) {
    GridConfig config =
        new GridConfig(
            CLUSTER,
            "door",
            "127.0.0.1",
            0,
            memberPort,
            join,
            new byte[16],
            1,
            Messages.PARTITIONS,
            HeapConfig.dram(MEMORY_BYTES),
            Extensions.NONE,
            FastPath.ON,
            restart,
            reclaim,
            limits,
            clientConnections,
            new QuorumConfig(split, QuorumTimes.DEFAULT),
            Role.DATA);
    grants = new GrantDirectory(tenants, InstantSource.system());
    member =
        GridMember.start(
            config,
            new TenantPolicy(
                authenticator,
                sessions,
                meters,
                usage,
                grants,
                admissions,
                AccessAudit.NONE,
                peers),
            weights,
            new HazelcastDoors());
    member.grantStore().subscribe(grants::apply);
  }

  ClientConfig config(String tenant) {
    ClientConfig config = new ClientConfig().setClusterName(CLUSTER);
    config.getNetworkConfig().addAddress("127.0.0.1:" + member.clientPort());
    config.getNetworkConfig().getClusterRoutingConfig().setRoutingMode(RoutingMode.SINGLE_MEMBER);
    config.getSecurityConfig().setCredentials(new UsernamePasswordCredentials(tenant, tenant));
    return config;
  }

  HazelcastInstance client(String tenant) {
    return HazelcastClient.newHazelcastClient(config(tenant));
  }

  /** Whether it knows its tenants, as it does unless told otherwise. */
  void knowTenants(boolean known) {
    authenticator.ready = known;
  }

  /** Makes these the grants on a map; they replace those there were. */
  void grant(String owner, String map, String grantee, Map<Scope, Rights> given) {
    long revision = revisions.incrementAndGet();
    tenants.apply(tenant(owner));
    List<Grant> all = new ArrayList<>();
    given.forEach(
        (scope, rights) ->
            all.add(
                new Grant(
                    revision + "-" + all.size(),
                    new TenantName(grantee),
                    number(grantee),
                    scope,
                    rights,
                    Instant.EPOCH,
                    null,
                    "operator")));
    grants.apply(
        new MapGrants(
            new QualifiedName(new TenantName(owner), new MapName(map)),
            number(owner),
            all,
            revision));
  }

  /** Has the catalogue know a tenant, and so the member whose objects begin with its name. */
  void enter(String name) {
    boolean _ = member.catalogueStore().replace(null, tenant(name));
  }

  /** Says how much a tenant may use. */
  void quota(String name, Quota quota) {
    Tenant plain = tenant(name);
    admissions.apply(
        new Tenant(
            plain.name(),
            plain.number(),
            plain.state(),
            plain.createdAt(),
            plain.keys(),
            quota,
            revisions.incrementAndGet()));
  }

  /** Says how much a tenant may spend, where each write costs a cent; null for no cap. */
  void cap(String name, @Nullable SpendLimit limit) {
    admissions.spendings().setPrices(aCentForEachWrite());
    admissions
        .spendings()
        .apply(
            new TenantCap(
                new TenantName(name),
                number(name),
                limit,
                null,
                1,
                List.of(),
                revisions.incrementAndGet()));
  }

  static RateCards aCentForEachWrite() {
    RateCard paper = RateCard.paper();
    return RateCards.of(
        new RateCard(
            "test",
            paper.from(),
            null,
            paper.calendar(),
            paper.currency(),
            6,
            List.of(Rate.of(Measure.WRITES, Basis.AMOUNT, 1, "0.01", "0.01")),
            paper.sharing(),
            BigDecimal.ZERO));
  }

  private static Tenant tenant(String name) {
    return new Tenant(
        new TenantName(name),
        number(name),
        TenantState.ACTIVE,
        Instant.EPOCH,
        List.of(),
        Quota.USUAL,
        1);
  }

  static int number(String tenant) {
    return 1 + Math.floorMod(tenant.hashCode(), 1000);
  }

  /** How often somebody has asked to be let in who could not be yet. */
  int askedTooEarly() {
    return authenticator.tooEarly.get();
  }

  /** What a tenant's clients did. */
  TenantMeters.Reading reading(String tenant) {
    return meters.readings().stream()
        .filter(reading -> reading.tenant().value().equals(tenant))
        .filter(reading -> reading.door() == io.keyvalueserve.tenancy.Door.HAZELCAST)
        .findAny()
        .orElseThrow();
  }

  @Override
  public void close() {
    member.close();
  }

  /** Ends the member without a word to others, as a crash does. */
  void terminate() {
    UUID uuid = member.members().stream().filter(MemberInfo::local).findAny().orElseThrow().uuid();
    HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .filter(each -> each.getCluster().getLocalMember().getUuid().equals(uuid))
        .findAny()
        .orElseThrow()
        .getLifecycleService()
        .terminate();
  }

  private static final class NamesAreKeys implements Authenticator {
    private final AtomicInteger tooEarly = new AtomicInteger();
    private volatile boolean ready = true;

    @Override
    public Authentication authenticate(String tenant, byte[] accessKey) {
      if (!ready) {
        tooEarly.incrementAndGet();
        return Authentication.Refused.NOT_READY;
      }
      return tenant.equals(new String(accessKey, java.nio.charset.StandardCharsets.UTF_8))
          ? new Authentication.Accepted(new Identity(new TenantName(tenant), number(tenant), "k"))
          : Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateToken(byte[] accessKey) {
      return Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateAnonymous() {
      return Authentication.Refused.REFUSED;
    }
  }
}
