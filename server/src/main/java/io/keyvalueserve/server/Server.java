package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.InvalidSpendLimitException;
import io.keyvalueserve.billing.spending.SpendCaps;
import io.keyvalueserve.engine.GrantedEngine;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.TenantWeights;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.reservation.ReservationDirectory;
import io.keyvalueserve.gates.reservation.Reservations;
import io.keyvalueserve.grid.GridMember;
import io.keyvalueserve.grid.GridStartException;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.grid.hibernation.Hibernator;
import io.keyvalueserve.grid.ledger.GridLedger;
import io.keyvalueserve.grid.query.GridQueryCatalog;
import io.keyvalueserve.grid.snapshot.Repositories;
import io.keyvalueserve.grid.snapshot.Snapshots;
import io.keyvalueserve.hazelcast.HazelcastDoors;
import io.keyvalueserve.maps.LogRefusedException;
import io.keyvalueserve.memory.OwnProcessors;
import io.keyvalueserve.memory.ProcessorsException;
import io.keyvalueserve.resp.RespServer;
import io.keyvalueserve.resp.RespServerConfig;
import io.keyvalueserve.resp.RespServerConfig.BacklogLimits;
import io.keyvalueserve.resp.RespServerConfig.OutputLimits;
import io.keyvalueserve.resp.RespServerConfig.TransportPreference;
import io.keyvalueserve.resp.RespServices;
import io.keyvalueserve.resp.command.ServerFacts;
import io.keyvalueserve.server.config.DescriptorPlan;
import io.keyvalueserve.server.config.ServerConfig;
import io.keyvalueserve.server.config.Sizes;
import io.keyvalueserve.server.http.Callers;
import io.keyvalueserve.server.http.EntryServices;
import io.keyvalueserve.server.http.HttpDoor;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.TenantState;
import io.keyvalueserve.tenancy.audit.Actor;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import io.keyvalueserve.tenancy.grant.Grants;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: one member of the grid with all its doors. Everything is wired here and nowhere
 * else. What was opened is closed in the opposite order.
 *
 * <p>Start: memory, grid with what the member kept, catalogue, then the doors, then ready. End: not
 * ready, doors closed when what they admitted is done, the cluster left in order, its memory given
 * back.
 */
public final class Server implements ServedMember {
  private static final Logger LOG = LoggerFactory.getLogger(Server.class);
  private static final Duration DELETION_CHECK = Duration.ofSeconds(5);
  private static final int CLIENT_PART_OF_HEAP = 4;
  private static final Duration LIVE = Duration.ofSeconds(1);
  private static final Duration ALERTS = Duration.ofSeconds(5);
  private static final Duration SPENT_PATIENCE = Duration.ofSeconds(5);
  private static final Duration DOOR_PATIENCE = Duration.ofSeconds(10);

  private final ServerConfig config;
  private final DescriptorPlan descriptors;
  private final Deque<Part> parts = new ArrayDeque<>();
  private final AtomicBoolean ready = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Instant startedAt = Instant.now();
  private @Nullable Started started;

  private record Part(String name, AutoCloseable closeable) {}

  private record Started(
      GridMember grid,
      RespServer resp,
      HttpDoor http,
      Administration administration,
      int tenants,
      @Nullable Path operatorKey,
      @Nullable String split) {}

  private Server(ServerConfig config) {
    this.config = config;
    this.descriptors =
        DescriptorPlan.fit(
            DescriptorPlan.ofProcess(),
            config.respMaxClients(),
            config.http().maxConnections(),
            Runtime.getRuntime().maxMemory());
  }

  /**
   * Starts a server. Blocks until it is ready.
   *
   * @throws StartException if it cannot start; nothing stays open
   */
  public static Server start(ServerConfig config) {
    ServerSetup.setLogLevel(config.logLevel());
    Server server = new Server(config);
    try {
      server.open();
      return server;
    } catch (LogRefusedException e) {
      server.close();
      throw new StartException(
          "data: the server cannot write to " + config.data() + ": " + e.getMessage(), e);
    } catch (GridStartException e) {
      server.close();
      throw new StartException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      server.close();
      throw PassingFailures.has(e) ? StartException.passing(e) : e;
    }
  }

  private void open() {
    OwnProcessors forRedisClients = ownProcessors();
    requireDirectories();
    ServerSetup.requireFree(config.bind(), config.respPort(), "resp-port");
    ServerSetup.requireFree(config.bind(), config.httpPort(), "http-port");
    TenantDirectory directory = new TenantDirectory(config.dev());
    Admissions admissions = new Admissions(System::nanoTime);
    directory.onChange(admissions::apply);
    TenantWeights weights = new TenantWeights();
    directory.onChange(weights::apply);
    SessionRegistry sessions =
        new SessionRegistry(directory::isValid, admissions::mostConnectionsHere);
    TenantMeters meters = new TenantMeters(processors(forRedisClients));
    directory.onChange(
        changed -> sessions.endInvalid("the tenant or its access key is no longer valid"));

    config.memory().warnings().forEach(LOG::warn);
    descriptors.note().ifPresent(LOG::warn);
    GrantDirectory granted = new GrantDirectory(directory, InstantSource.system());
    AuditTrails audit =
        new AuditTrails(config.data() == null ? null : config.data().resolve("audit"));
    UsageBook usage = new UsageBook(UUID.randomUUID(), startedAt.toEpochMilli());
    PeersWithoutKey peers = PeersWithoutKey.ofThisProcess(config.unauthenticated());
    parts.push(new Part("peers without a key", peers));
    TenantPolicy policy =
        new TenantPolicy(
            directory, sessions, meters, usage, granted, admissions, audit, peers.budget());
    ReservationDirectory reserved = new ReservationDirectory();
    usage.shareBy(reserved);
    sessions.admitOnly(reserved::mayEnter);
    HazelcastDoors hazelcast = new HazelcastDoors();
    GridMember grid = GridMember.start(ServerSetup.gridConfig(config), policy, weights, hazelcast);
    parts.push(new Part("grid", grid));
    usage.keepBy(grid.mapSettings()::keptAs);
    reserved.setSelf(local(grid).uuid(), local(grid).address());
    audit.open(local(grid).uuid());
    parts.push(new Part("audit", audit));
    AuditAnswers.offer(grid.answerers(), audit);
    Repositories repositories = new Repositories(ServerSetup.credentials(config.snapshots()));
    Snapshots snapshots = grid.takeSnapshots(repositories, Version.current().version());
    parts.push(new Part("snapshots", snapshots));
    Hibernator hibernator =
        grid.hibernate(
            snapshots.images(),
            config.snapshots().repository(),
            config.snapshots().hibernateAfter());
    parts.push(new Part("hibernation", hibernator));
    MemberMemory memory = new MemberMemory(grid.maps());
    memory.log(config.memory());
    Catalogue catalogue = new Catalogue(grid.catalogueStore(), Clock.systemUTC());
    if (config.dev()) {
      catalogue.createDev();
    }
    grid.catalogueStore().subscribe(directory::apply);
    grid.grantStore().subscribe(granted::apply);
    grid.channelGrantStore().subscribe(granted.channels()::apply);
    ReservedMemory memoryKept = new ReservedMemory(grid, reserved, admissions);
    parts.push(new Part("reserved memory", memoryKept));
    grid.reservationStore()
        .subscribe(
            set -> {
              reserved.apply(set);
              memoryKept.keep();
              sessions.endUnless(reserved::mayEnter, SessionRegistry.RESERVED);
            });
    grid.capStore().subscribe(admissions.spendings()::apply);
    admissions.spendings().setPrices(grid.rates().cards());
    directory.markLoaded();

    OperatorKeys operators = new OperatorKeys(grid.settings());
    OperatorKeys scrapers = OperatorKeys.ofScrapers(grid.settings());
    Path keyFile = ServerSetup.operatorKeyFile(config);
    if (keyFile != null) {
      operators.add(SecretFiles.operatorKey(keyFile));
      scrapers.add(SecretFiles.scrapeKey(ServerSetup.scrapeKeyFile(keyFile)));
    }
    TenantUsages usages = new TenantUsages(grid, directory, sessions, meters, admissions);
    parts.push(new Part("usage", usages));
    Grants grants = new Grants(grid.grantStore(), catalogue, granted, Clock.systemUTC());
    Grants channelGrants =
        Grants.ofChannels(
            grid.channelGrantStore(), catalogue, granted.channels(), Clock.systemUTC());
    CurrentRates rates = new CurrentRates(grid.rates()::cards);
    parts.push(new Part("prices", rates));
    HibernatedUsage hibernatedUsage =
        new HibernatedUsage(usage, grid, directory::find, InstantSource.system());
    startMetering(grid, admissions, sessions, usage, reserved, hibernatedUsage);
    RecentHistory recent =
        new RecentHistory(usage, usages::forEachHolding, InstantSource.system(), System::nanoTime);
    recent.start();
    parts.push(new Part("history", recent));
    SpendCaps caps = new SpendCaps(grid.capStore());
    startSpendControl(grid, admissions, caps, rates, audit);
    SqlService sql = ServerSql.builder(grid.queries(), granted).build();
    parts.push(new Part("SQL", sql));
    hazelcast.serve(sql);
    RespServer resp = openRespDoor(grid, policy, rates, weights, forRedisClients);
    parts.push(new Part("RESP door", () -> resp.close(DOOR_PATIENCE)));
    PostgresDoor postgres =
        PostgresDoor.open(
            config,
            sql,
            identity -> new GridQueryCatalog(grid.queries(), identity, granted),
            policy);
    parts.push(new Part("PostgreSQL door", postgres));
    usages.channelsFrom(() -> ChannelFigures.of(resp));
    usages.waitsFrom(resp::waits);
    usages.waitsFrom(grid::waits);
    directory.onChange(
        tenant -> {
          if (tenant.state() == TenantState.DELETED) {
            meters.forget(tenant.number());
            resp.forget(tenant.number());
            var _ = grid.scriptStore().flush(tenant.number());
            grid.queries().forget(tenant.number());
          }
        });
    grid.sleepingTenants()
        .onFreed(
            name ->
                directory
                    .find(new TenantName(name))
                    .filter(tenant -> sessions.count(tenant.number()) == 0)
                    .ifPresent(
                        tenant -> {
                          meters.forget(tenant.number());
                          resp.dropAccounts(tenant.number());
                          grid.dropAccounts(tenant.number());
                        }));
    MemberReports members =
        new MemberReports(grid, config.memberName(), usages, memory, sessions::count);
    LiveFigures live =
        new LiveFigures(
            watched -> LiveSample.take(grid, usages, memory, members, watched),
            directory::isValid,
            LIVE);
    parts.push(new Part("live figures", live));
    SnapshotJobs snapshotJobs =
        new SnapshotJobs(
            grid.questioner(), grid.answerers(), local(grid).address(), InstantSource.system());
    parts.push(new Part("snapshot jobs", snapshotJobs));
    AlertWatch alerts =
        new AlertWatch(
            grid,
            memory,
            () -> LiveSample.take(grid, usages, memory, members, Set.of()),
            snapshotJobs::latest,
            snapshots::failedPlans,
            ALERTS);
    parts.push(new Part("alerts", alerts));
    Administration administration =
        new Administration(
            catalogue,
            directory,
            grants,
            channelGrants,
            grid,
            sessions,
            meters,
            memory,
            audit,
            usages,
            members,
            live,
            alerts,
            recent,
            new Endpoints(
                config.bind(),
                resp.port(),
                config.clusterName(),
                grid.clientPort(),
                postgres.port()),
            new Billing(
                catalogue,
                grid.ledger(),
                grid.rates(),
                audit,
                InstantSource.system(),
                usage::sharing),
            new Reserving(
                new Reservations(grid.reservationStore(), catalogue, grants, Clock.systemUTC()),
                grid,
                memoryKept,
                audit),
            new Spending(
                catalogue,
                caps,
                admissions.spendings(),
                grid.rates()::cards,
                config.webhookRule(),
                audit,
                InstantSource.system()),
            new StoreAdministration(
                catalogue,
                grid.storeCatalogue(),
                grid.secretSeal(),
                grid.mapSettings(),
                grid.storeQuestions(),
                audit),
            snapshots,
            snapshotJobs,
            repositories,
            config.snapshots().repository(),
            hibernator,
            hibernatedUsage);
    grid.onMergedUsage(administration.billing()::merged);
    HttpDoor http =
        HttpDoor.open(
            new HttpDoor.Config(
                config.bind(),
                config.httpPort(),
                config.dev(),
                config.http().origins(),
                descriptors.httpConnections()),
            administration,
            new Callers(operators::accepts, scrapers::accepts, directory, admissions, audit),
            new EntryServices(
                new GrantedEngine(grid.engine(), policy.grants()),
                policy,
                Clock.systemUTC(),
                config.respMaxValueBytes(),
                System::nanoTime),
            sql,
            new RunningQueries(grid.questioner(), grid.answerers(), sql, directory, audit),
            ready::get);
    parts.push(
        new Part(
            "HTTP door",
            () -> {
              live.close(); // else the door would wait for those who watch
              http.close();
            }));
    startFinishingDeletions(administration, grid);
    String split = TwoMembers.noteOn(config, grid);
    if (split != null) {
      LOG.warn(split);
    }
    started =
        new Started(grid, resp, http, administration, catalogue.list().size(), keyFile, split);
    ready.set(true);
  }

  /**
   * Returns the number of processors of this process, with those on which only Redis clients are
   * served.
   */
  private static int processors(@Nullable OwnProcessors forRedisClients) {
    int others = Runtime.getRuntime().availableProcessors();
    return forRedisClients == null ? others : others + forRedisClients.count();
  }

  /**
   * Takes the processors for Redis clients. Called before any thread is begun, as each thread runs
   * where the one ran that began it.
   */
  private @Nullable OwnProcessors ownProcessors() {
    if (config.respCpus().isEmpty()) {
      return null;
    }
    try {
      OwnProcessors processors = OwnProcessors.keep(config.respCpus());
      parts.push(new Part("processors", processors));
      LOG.info(
          "processors {} serve Redis clients; no other thread of this process runs there",
          config.respCpus());
      return processors;
    } catch (ProcessorsException e) {
      throw new StartException("resp.cpus: " + e.getMessage(), e);
    }
  }

  /** Starts metering. It ends after the doors, so all that they admitted is counted. */
  private void startMetering(
      GridMember grid,
      Admissions admissions,
      SessionRegistry sessions,
      UsageBook usage,
      ReservationDirectory reserved,
      HibernatedUsage hibernated) {
    UsageLevels levels =
        new UsageLevels(
            usage,
            () -> List.copyOf(admissions.tenants()),
            grid.maps()::takeHeldTimes,
            tenant -> admissions.heap().takeByteSeconds(tenant.value(), System.nanoTime()),
            grid::loggedBytes,
            () -> grid.isOldest() ? reserved.all() : List.of(),
            sessions,
            System::nanoTime);
    Metering metering =
        new Metering(
            usage,
            levels,
            hibernated::look,
            events -> {
              admissions.spendings().telling(events);
              return grid.ledger().post(events).left();
            },
            InstantSource.system(),
            config.usageInterval());
    metering.start();
    parts.push(new Part("metering", metering));
  }

  /**
   * Starts the control of spend caps. When the doors open, the amounts spent before are known,
   * unless the ledgers are slow.
   */
  private void startSpendControl(
      GridMember grid,
      Admissions admissions,
      SpendCaps caps,
      Supplier<RateCards> rates,
      AuditTrails audit) {
    SpendControl control =
        new SpendControl(
            admissions,
            caps,
            grid.ledger(),
            rates,
            grid::isOldest,
            audit,
            webhook(),
            config.webhookRule(),
            InstantSource.system(),
            config.usageInterval());
    parts.push(new Part("spend caps", control));
    if (!control.start(SPENT_PATIENCE)) {
      LOG.warn("it is not known yet what tenants with spend caps have spent");
    }
  }

  private @Nullable Hook webhook() {
    String url = config.webhookUrl();
    Path secretFile = config.webhookSecretFile();
    if (url == null || secretFile == null) {
      return null;
    }
    try {
      return new Hook(url, SecretFiles.webhookSecret(secretFile));
    } catch (InvalidSpendLimitException e) {
      throw new StartException(secretFile + ": " + e.getMessage(), e);
    }
  }

  private RespServer openRespDoor(
      GridMember grid,
      TenantPolicy policy,
      Supplier<RateCards> rates,
      IntUnaryOperator weights,
      @Nullable OwnProcessors processors) {
    RespServerConfig resp =
        RespServerConfig.at(new InetSocketAddress(config.bind(), config.respPort()))
            .withTransport(
                TransportPreference.valueOf(config.respTransport().toUpperCase(Locale.ROOT)))
            .withMostValueBytes(config.respMaxValueBytes())
            .withMostCollectionBytes(config.respMaxCollectionBytes())
            .withMostRequestBytes(Math.max(config.respMaxValueBytes(), clientShareBytes()))
            .withOutput(
                new OutputLimits(
                    OutputLimits.DEFAULT.holdBackBytes(),
                    Math.max(config.respMaxValueBytes(), clientShareBytes()),
                    OutputLimits.DEFAULT.longestStall()))
            .withBacklog(
                BacklogLimits.of(Runtime.getRuntime().maxMemory(), config.respReadAheadBytes()))
            .withScripts(config.scripts())
            .withMostClients(descriptors.respClients());
    if (processors != null) {
      resp = resp.withEventLoops(processors.count()).withLoopStart(processors::take);
    }
    RespServices services =
        new RespServices(
            new GrantedEngine(grid.engine(), policy.grants()),
            policy,
            () -> facts(grid),
            Clock.systemUTC(),
            grid.scriptStore(),
            rates,
            weights);
    try {
      return RespServer.start(resp, services);
    } catch (IOException e) {
      throw new StartException("the door for Redis clients cannot open: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the bytes of Java heap that one client may use for its input, and again for its output.
   */
  private static long clientShareBytes() {
    return Math.min(
        OutputLimits.DEFAULT.mostPendingBytes(),
        Runtime.getRuntime().maxMemory() / CLIENT_PART_OF_HEAP);
  }

  private ServerFacts facts(GridMember grid) {
    return new ServerFacts(
        Version.current().version(),
        config.memberName(),
        local(grid).uuid().toString(),
        startedAt,
        grid.members().size());
  }

  private static MemberInfo local(GridMember grid) {
    return grid.members().stream().filter(MemberInfo::local).findFirst().orElseThrow();
  }

  private void startFinishingDeletions(Administration administration, GridMember grid) {
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("kvs-deletions").daemon().factory());
    RepeatedWarning failures =
        new RepeatedWarning(LOG, "a deletion could not be finished and will be tried again");
    Runnable check =
        () -> {
          try {
            if (grid.isOldest()) {
              administration.finishDeletions();
            }
          } catch (RuntimeException e) {
            failures.because(e);
          }
        };
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(check, 0, DELETION_CHECK.toMillis(), TimeUnit.MILLISECONDS);
    parts.push(new Part("deletions", timer::shutdownNow));
  }

  /** Returns the default place of the operator's key: {@code ~/.kvs/operator.key}. */
  public static Path defaultOperatorKeyFile() {
    return ServerSetup.defaultOperatorKeyFile();
  }

  @Override
  public List<String> describe() {
    Started running = requireStarted();
    String bind = config.bind();
    String state =
        config.restart() == null
            ? "in memory only (no --data)"
            : config.restart().directory() + "  (" + config.restart().durability().text() + ")";
    String key =
        running.operatorKey() == null
            ? "not needed from this machine (--dev)"
            : "in " + running.operatorKey();
    List<String> lines = new ArrayList<>();
    lines.add(
        "KeyValueServe "
            + Version.current().version()
            + " on Hazelcast "
            + Version.current().hazelcast());
    lines.add(
        "  Redis clients      "
            + HostPort.of(bind, running.resp().port())
            + "  ("
            + running.resp().transport()
            + ")");
    lines.add(
        "  Hazelcast clients  "
            + HostPort.of(bind, running.grid().clientPort())
            + "  (cluster "
            + config.clusterName()
            + ")");
    lines.add(
        "  HTTP               http://"
            + HostPort.of(bind, running.http().port())
            + "  (console, API)");
    lines.add(
        "  members            "
            + running.grid().members().size()
            + "  (this one: "
            + HostPort.of(bind, running.grid().memberPort())
            + ")");
    if (running.split() != null) {
      lines.add("  split              " + running.split());
    }
    lines.add(
        "  memory             "
            + Sizes.text(config.memory().heap().capacityBytes())
            + "  ("
            + config.memory().origin()
            + ")");
    lines.add("  tenants            " + running.tenants());
    lines.add("  data               " + state);
    lines.add("  operator key       " + key);
    return lines;
  }

  @Override
  public ServerConfig configWithPorts() {
    Started running = requireStarted();
    return config.withPorts(
        running.resp().port(),
        running.http().port(),
        running.grid().clientPort(),
        running.grid().memberPort());
  }

  @Override
  public void whenOutcast(Runnable task) {
    requireStarted().grid().whenOutcast(task);
  }

  @Override
  public List<InetSocketAddress> unheard() {
    return requireStarted().grid().unheard();
  }

  /** The port of the door for Redis clients. */
  public int respPort() {
    return requireStarted().resp().port();
  }

  /** The port of the door for Hazelcast clients. */
  public int clientPort() {
    return requireStarted().grid().clientPort();
  }

  /** The port of the HTTP API. */
  public int httpPort() {
    return requireStarted().http().port();
  }

  /** Creates a tenant, and returns its access key. */
  public String createTenant(String name) {
    return requireStarted()
        .administration()
        .createTenant(new TenantName(name), Actor.Other.MEMBER)
        .accessKey();
  }

  /** All that an operator may do, for who runs the server in its own process. */
  public Administration administration() {
    return requireStarted().administration();
  }

  /** The ledgers of what tenants used. */
  public GridLedger ledger() {
    return requireStarted().grid().ledger();
  }

  /** The file that holds the operator's key, if one is needed. */
  public @Nullable Path operatorKey() {
    return requireStarted().operatorKey();
  }

  private Started requireStarted() {
    Started running = started;
    if (running == null) {
      throw new IllegalStateException("the server has not started");
    }
    return running;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    ready.set(false);
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.closeable().close();
      } catch (Exception e) {
        LOG.warn("{} did not close in order", part.name(), e);
      }
    }
  }

  private void requireDirectories() {
    Path data = config.data();
    if (data != null) {
      DirectorySettings.require("data", "--data", data);
    }
    Path spill = config.reclaim().spillDirectory();
    if (spill != null && !spill.equals(data)) {
      DirectorySettings.require("spill.directory", "--spill", spill);
    }
  }
}
