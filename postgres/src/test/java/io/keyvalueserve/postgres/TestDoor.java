package io.keyvalueserve.postgres;

import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admissions;
import io.keyvalueserve.gates.policy.AccessAudit;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.Catalogue;
import io.keyvalueserve.tenancy.CatalogueStore;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.SessionRegistry;
import io.keyvalueserve.tenancy.Tenant;
import io.keyvalueserve.tenancy.TenantDirectory;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.GrantDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A door with two tenants, {@code acme} and {@code globex}, over {@link TestSql}. */
final class TestDoor implements AutoCloseable {
  final TestSql sql = new TestSql();
  final Catalogue catalogue;
  final Admissions admissions = new Admissions(System::nanoTime);
  final SessionRegistry sessions;
  final List<String> refused = new CopyOnWriteArrayList<>();
  final String acmeKey;
  private final String globexKey;
  private final PostgresServer server;

  TestDoor() throws IOException {
    this(false, config -> config);
  }

  TestDoor(boolean dev, UnaryOperator<PostgresConfig> settings) throws IOException {
    this(dev, settings, null, TestTables::of);
  }

  /** A door over another service. */
  TestDoor(SqlService service, Function<Identity, QueryCatalog> catalogs) throws IOException {
    this(false, config -> config, service, catalogs);
  }

  private TestDoor(
      boolean dev,
      UnaryOperator<PostgresConfig> settings,
      @Nullable SqlService service,
      Function<Identity, QueryCatalog> catalogs)
      throws IOException {
    Store store = new Store();
    TenantDirectory directory = new TenantDirectory(dev);
    catalogue = new Catalogue(store, Clock.systemUTC());
    store.subscribe(directory::apply);
    acmeKey = catalogue.create(new TenantName("acme")).accessKey();
    globexKey = catalogue.create(new TenantName("globex")).accessKey();
    if (dev) {
      catalogue.createDev();
    }
    directory.markLoaded();
    directory.onChange(admissions::apply);
    sessions = new SessionRegistry(directory::isValid, admissions::mostConnectionsHere);
    directory.onChange(_ -> sessions.endInvalid("the key is no longer valid"));
    TenantPolicy policy =
        new TenantPolicy(
            directory,
            sessions,
            new TenantMeters(2),
            new UsageBook(UUID.randomUUID(), 0),
            new GrantDirectory(directory, InstantSource.system()),
            admissions,
            new Audit());
    server =
        PostgresServer.start(
            settings.apply(
                PostgresConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
            new PostgresServices(service == null ? sql : service, catalogs, policy, "test"));
  }

  PostgresServer server() {
    return server;
  }

  String key(String tenant) {
    return tenant.equals("acme") ? acmeKey : globexKey;
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + server.port() + "/";
  }

  Connection connect(String tenant, String... properties) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", tenant);
    all.setProperty("password", key(tenant));
    all.setProperty("sslmode", "disable");
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    return DriverManager.getConnection(url() + tenant, all);
  }

  Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  @Override
  public void close() {
    server.close();
  }

  private final class Audit implements AccessAudit {
    @Override
    public void loginAccepted(Identity identity, Door door, SocketAddress from) {}

    @Override
    public void loginRefused(String shown, Door door, SocketAddress from) {
      refused.add(shown);
    }

    @Override
    public void requestRefused(Identity identity, Door door, String object, String reason) {}

    @Override
    public void unlockForced(Identity identity, Door door, String object) {}
  }

  /** A catalogue in memory. */
  private static final class Store implements CatalogueStore {
    private final Map<TenantName, Tenant> tenants = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<Consumer<Tenant>> listeners = new ArrayList<>();

    @Override
    public int nextTenantNumber() {
      return numbers.incrementAndGet();
    }

    @Override
    public Optional<Tenant> get(TenantName name) {
      return Optional.ofNullable(tenants.get(name));
    }

    @Override
    public Collection<Tenant> all() {
      return tenants.values();
    }

    @Override
    public boolean replace(@Nullable Tenant before, Tenant after) {
      tenants.put(after.name(), after);
      listeners.forEach(listener -> listener.accept(after));
      return true;
    }

    @Override
    public void subscribe(Consumer<Tenant> listener) {
      listeners.add(listener);
      tenants.values().forEach(listener);
    }
  }
}
