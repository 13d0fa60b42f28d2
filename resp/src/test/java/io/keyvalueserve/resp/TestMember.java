package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.pricing.RateCard;
import io.keyvalueserve.billing.pricing.RateCards;
import io.keyvalueserve.engine.Engine;
import io.keyvalueserve.engine.LocalScriptStore;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.ScriptStore;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.resp.RespServerConfig.TransportPreference;
import io.keyvalueserve.resp.command.ServerFacts;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A member with three tenants, {@code acme}, {@code globex} and {@code default}, whose keys are
 * {@code kvs_<tenant>_secret}, over the reference engine.
 */
public final class TestMember implements AutoCloseable {
  static final RateCards RATES = RateCards.of(RateCard.paper());
  private static final Map<String, Integer> TENANTS = Map.of("acme", 1, "globex", 2, "dev", 3);

  /** Nobody has granted anything; an engine of its own may say otherwise. */
  static final GrantDirectory NO_GRANTS =
      new GrantDirectory(new TenantDirectory(false), InstantSource.system());

  private final Set<Identity> revoked = ConcurrentHashMap.newKeySet();
  private final SessionRegistry sessions =
      new SessionRegistry(
          identity -> !revoked.contains(identity),
          identity -> admissions().mostConnectionsHere(identity));
  private final TenantMeters meters = new TenantMeters(2);
  final UsageBook usage = new UsageBook(UUID.randomUUID(), 0);
  private final AtomicLong admissionNanos = new AtomicLong();
  private final Admissions admissions = new Admissions(admissionNanos::get);
  private final ScriptStore scripts = new LocalScriptStore();
  private final RespServer server;

  /** How much each tenant may use. */
  Admissions admissions() {
    return admissions;
  }

  /** Gives tenants what comes in so many seconds; else their rates stand still. */
  void passSeconds(double seconds) {
    admissionNanos.addAndGet((long) (seconds * 1e9));
  }

  private TestMember(
      Engine engine, boolean dev, UnaryOperator<RespServerConfig> settings, InstantSource clock)
      throws IOException {
    this(engine, dev, settings, clock, tenant -> 1, Slicing.DEFAULT, System::nanoTime);
  }

  private TestMember(
      Engine engine,
      boolean dev,
      UnaryOperator<RespServerConfig> settings,
      InstantSource clock,
      IntUnaryOperator weights,
      Slicing slicing,
      LongSupplier nanoTime)
      throws IOException {
    this(
        engine,
        dev,
        settings,
        clock,
        weights,
        slicing,
        nanoTime,
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime),
        NO_GRANTS);
  }

  private TestMember(
      Engine engine,
      boolean dev,
      UnaryOperator<RespServerConfig> settings,
      InstantSource clock,
      IntUnaryOperator weights,
      Slicing slicing,
      LongSupplier nanoTime,
      PeerBudget peers,
      GrantDirectory grants)
      throws IOException {
    RespServerConfig config =
        RespServerConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .withEventLoops(2);
    this.server =
        RespServer.start(
            settings.apply(config),
            new RespServices(
                engine,
                new TenantPolicy(
                    new Keys(dev),
                    sessions,
                    meters,
                    usage,
                    grants,
                    admissions,
                    AccessAudit.NONE,
                    peers),
                () ->
                    new ServerFacts(
                        "0.1.0",
                        "member-1",
                        "3f0c1f9e-0000-4000-8000-000000000001",
                        Instant.EPOCH,
                        1),
                clock,
                scripts,
                () -> RATES,
                weights,
                slicing,
                nanoTime));
  }

  /** One that asks for keys, over this engine, and times requests with this clock. */
  static TestMember startTimed(Engine engine, LongSupplier nanoTime) throws IOException {
    return new TestMember(
        engine,
        false,
        config -> config,
        InstantSource.system(),
        tenant -> 1,
        Slicing.DEFAULT,
        nanoTime);
  }

  /** One whose connections without a key share this budget. */
  static TestMember startWithPeers(PeerBudget peers, boolean dev) throws IOException {
    InstantSource clock = InstantSource.system();
    return new TestMember(
        new MapEngine(clock),
        dev,
        config -> config.withEventLoops(1),
        clock,
        tenant -> 1,
        Slicing.DEFAULT,
        System::nanoTime,
        peers,
        NO_GRANTS);
  }

  /** One that asks for keys, over this engine, whose tenants have these grants. */
  static TestMember startGranted(Engine engine, GrantDirectory grants) throws IOException {
    return new TestMember(
        engine,
        false,
        config -> config,
        InstantSource.system(),
        tenant -> 1,
        Slicing.DEFAULT,
        System::nanoTime,
        new PeerBudget(PeerLimits.fitted(0, Runtime.getRuntime().maxMemory()), System::nanoTime),
        grants);
  }

  /** One of a single event loop that asks for keys, whose tenants have these weights. */
  static TestMember startFair(Engine engine, IntUnaryOperator weights, Slicing slicing)
      throws IOException {
    return startFair(engine, weights, slicing, TransportPreference.AUTO);
  }

  /** The same over a transport. */
  static TestMember startFair(
      Engine engine, IntUnaryOperator weights, Slicing slicing, TransportPreference transport)
      throws IOException {
    return new TestMember(
        engine,
        false,
        config -> config.withEventLoops(1).withTransport(transport),
        InstantSource.system(),
        weights,
        slicing,
        System::nanoTime);
  }

  /** One that asks for keys, over the reference engine. */
  public static TestMember start() throws IOException {
    return start(new MapEngine(InstantSource.system()), config -> config);
  }

  /** One that asks for keys, over the reference engine, which works in this way. */
  public static TestMember start(Way way) throws IOException {
    return start(way.engine(InstantSource.system()), config -> config);
  }

  /** One that asks for keys, over this engine. */
  public static TestMember start(Engine engine, UnaryOperator<RespServerConfig> settings)
      throws IOException {
    return new TestMember(engine, false, settings, InstantSource.system());
  }

  /** One that needs no key, as with {@code --dev}. */
  public static TestMember startDev(UnaryOperator<RespServerConfig> settings) throws IOException {
    InstantSource clock = InstantSource.system();
    return new TestMember(new MapEngine(clock), true, settings, clock);
  }

  /** One that needs no key, over the reference engine, which works in this way. */
  public static TestMember startDev(Way way, UnaryOperator<RespServerConfig> settings)
      throws IOException {
    return startDev(way.engine(InstantSource.system()), settings);
  }

  /** One that needs no key, over this engine. */
  public static TestMember startDev(Engine engine, UnaryOperator<RespServerConfig> settings)
      throws IOException {
    return new TestMember(engine, true, settings, InstantSource.system());
  }

  public static String key(String tenant) {
    return "kvs_" + tenant + "_secret";
  }

  public static Identity identity(String tenant) {
    return new Identity(new TenantName(tenant), TENANTS.getOrDefault(tenant, 99), tenant);
  }

  public int port() {
    return server.port();
  }

  public RespServer server() {
    return server;
  }

  public SessionRegistry sessions() {
    return sessions;
  }

  public TenantMeters meters() {
    return meters;
  }

  /** A plain connection, which knows nothing of Redis' replies but how long they are. */
  public WireClient connect() throws IOException {
    return new WireClient(port());
  }

  /** A plain connection of a tenant. */
  public WireClient connect(String tenant) throws IOException {
    WireClient client = connect();
    client.call("AUTH", tenant, key(tenant));
    return client;
  }

  /** Takes the tenant's key away, and ends its sessions. */
  public int revoke(String tenant) {
    revoked.add(identity(tenant));
    return sessions.endInvalid("its key was revoked");
  }

  /** Takes the tenant's key away; a session that registers from here on is refused. */
  public void revokeQuietly(String tenant) {
    revoked.add(identity(tenant));
  }

  @Override
  public void close() {
    server.close();
  }

  private record Keys(boolean dev) implements Authenticator {
    @Override
    public Authentication authenticate(String tenant, byte[] accessKey) {
      return TENANTS.containsKey(tenant) && key(tenant).equals(new String(accessKey, UTF_8))
          ? new Authentication.Accepted(identity(tenant))
          : Authentication.Refused.REFUSED;
    }

    @Override
    public Authentication authenticateToken(byte[] accessKey) {
      String[] parts = new String(accessKey, UTF_8).split("_", -1);
      @Nullable String tenant = parts.length == 3 ? parts[1] : null;
      return tenant == null ? Authentication.Refused.REFUSED : authenticate(tenant, accessKey);
    }

    @Override
    public Authentication authenticateAnonymous() {
      return dev ? new Authentication.Accepted(identity("dev")) : Authentication.Refused.REFUSED;
    }
  }
}
