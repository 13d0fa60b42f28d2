package io.keyvalueserve.server;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.grid.GridStartException;
import io.keyvalueserve.grid.GridWitness;
import io.keyvalueserve.grid.MemberInfo;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.grid.Safety;
import io.keyvalueserve.grid.quorum.QuorumState;
import io.keyvalueserve.hazelcast.HazelcastDoors;
import io.keyvalueserve.server.config.DescriptorPlan;
import io.keyvalueserve.server.config.ServerConfig;
import io.keyvalueserve.server.http.Callers;
import io.keyvalueserve.server.http.HttpDoor;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running witness: one member of the grid that votes, and an HTTP door that tells of the cluster.
 * It knows no tenants and has no other doors.
 */
public final class Witness implements ServedMember {
  private static final Logger LOG = LoggerFactory.getLogger(Witness.class);
  private static final Duration KEY_PATIENCE = Duration.ofSeconds(3);

  private final ServerConfig config;
  private final GridWitness grid;
  private final HttpDoor http;
  private final @Nullable Path operatorKey;
  private final Deque<AutoCloseable> parts;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Witness(
      ServerConfig config,
      GridWitness grid,
      HttpDoor http,
      @Nullable Path operatorKey,
      Deque<AutoCloseable> parts) {
    this.config = config;
    this.grid = grid;
    this.http = http;
    this.operatorKey = operatorKey;
    this.parts = parts;
  }

  /**
   * Starts a witness. Blocks until it is one of a majority of its cluster.
   *
   * @throws StartException if it cannot start; nothing stays open
   */
  public static Witness start(ServerConfig config) {
    ServerSetup.setLogLevel(config.logLevel());
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    try {
      return open(config, parts);
    } catch (GridStartException e) {
      close(parts);
      throw new StartException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      close(parts);
      throw PassingFailures.has(e) ? StartException.passing(e) : e;
    }
  }

  private static Witness open(ServerConfig config, Deque<AutoCloseable> parts) {
    if (config.data() != null) {
      DirectorySettings.require("data", "--data", config.data());
    }
    ServerSetup.requireFree(config.bind(), config.httpPort(), "http-port");
    PeersWithoutKey peers = PeersWithoutKey.ofThisProcess(config.unauthenticated());
    parts.push(peers);
    TenantDirectory nobody = new TenantDirectory(false);
    Admissions admissions = new Admissions(System::nanoTime);
    GridWitness grid =
        GridWitness.start(
            ServerSetup.gridConfig(config),
            new TenantPolicy(
                nobody,
                new SessionRegistry(nobody::isValid, admissions::mostConnectionsHere),
                new TenantMeters(1),
                new UsageBook(UUID.randomUUID(), System.currentTimeMillis()),
                new GrantDirectory(nobody, InstantSource.system()),
                admissions,
                AccessAudit.NONE,
                peers.budget()),
            new HazelcastDoors());
    parts.push(grid);
    OperatorKeys operators = new OperatorKeys(grid.settings());
    OperatorKeys scrapers = OperatorKeys.ofScrapers(grid.settings());
    Path keyFile = ServerSetup.operatorKeyFile(config);
    if (keyFile != null) {
      operators.addHere(SecretFiles.operatorKey(keyFile));
      scrapers.addHere(SecretFiles.scrapeKey(ServerSetup.scrapeKeyFile(keyFile)));
    }
    DescriptorPlan descriptors =
        DescriptorPlan.fit(
            DescriptorPlan.ofProcess(),
            config.respMaxClients(),
            config.http().maxConnections(),
            Runtime.getRuntime().maxMemory());
    HttpDoor http =
        HttpDoor.openOfWitness(
            new HttpDoor.Config(
                config.bind(),
                config.httpPort(),
                config.dev(),
                config.http().origins(),
                descriptors.httpConnections()),
            new Seen(grid),
            new Callers(
                key -> operators.accepts(key, KEY_PATIENCE),
                key -> scrapers.accepts(key, KEY_PATIENCE),
                nobody,
                admissions,
                AccessAudit.NONE),
            peers.budget());
    parts.push(http);
    return new Witness(config, grid, http, keyFile, parts);
  }

  /** The cluster, as the witness sees it. */
  private record Seen(GridWitness grid) implements ClusterView {
    @Override
    public Safety safety() {
      return grid.safety();
    }

    @Override
    public QuorumState quorum() {
      return grid.quorum();
    }

    @Override
    public List<MemberInfo> members() {
      return grid.members();
    }
  }

  /** Returns the cluster, as the witness sees it. */
  public ClusterView cluster() {
    return new Seen(grid);
  }

  /** Returns the port of the HTTP door. */
  public int httpPort() {
    return http.port();
  }

  @Override
  public List<String> describe() {
    String bind = config.bind();
    return List.of(
        "KeyValueServe "
            + Version.current().version()
            + " on Hazelcast "
            + Version.current().hazelcast(),
        "  role               witness: votes on who serves, holds no data",
        "  HTTP               http://"
            + HostPort.of(bind, http.port())
            + "  (health, metrics, members)",
        "  members            "
            + grid.members().size()
            + "  (this one: "
            + HostPort.of(bind, grid.memberPort())
            + ")",
        "  voters             "
            + (config.data() == null ? "in memory only (no --data)" : "kept in " + config.data()),
        "  operator key       "
            + (operatorKey == null ? "not needed from this machine (--dev)" : "in " + operatorKey));
  }

  @Override
  public ServerConfig configWithPorts() {
    return config.withPorts(config.respPort(), http.port(), config.clientPort(), grid.memberPort());
  }

  @Override
  public List<InetSocketAddress> unheard() {
    return grid.unheard();
  }

  @Override
  public void whenOutcast(Runnable task) {
    grid.whenOutcast(task);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      close(parts);
    }
  }

  private static void close(Deque<AutoCloseable> parts) {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not close in order", part.getClass().getSimpleName(), e);
      }
    }
  }
}
