package io.keyvalueserve.server;

import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.postgres.PostgresConfig;
import io.keyvalueserve.postgres.PostgresServer;
import io.keyvalueserve.postgres.PostgresServices;
import io.keyvalueserve.server.config.PostgresSettings;
import io.keyvalueserve.server.config.ServerConfig;
import io.keyvalueserve.sql.SqlService;
import io.keyvalueserve.tenancy.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The door for PostgreSQL clients, which may be closed. */
final class PostgresDoor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The bytes of a message beside the value that it carries. */
  private static final int MESSAGE_ROOM = 1 << 20;

  private final @Nullable PostgresServer server;

  private PostgresDoor(@Nullable PostgresServer server) {
    this.server = server;
  }

  /**
   * Opens the door if the configuration says so.
   *
   * @param sql carries statements out
   * @param catalogs the tables that a tenant can name
   * @throws StartException if it cannot open
   */
  static PostgresDoor open(
      ServerConfig config,
      SqlService sql,
      Function<Identity, QueryCatalog> catalogs,
      TenantPolicy policy) {
    PostgresSettings settings = config.postgres();
    if (!settings.isOpen()) {
      return new PostgresDoor(null);
    }
    ServerSetup.requireFree(config.bind(), settings.port(), "postgres-port");
    PostgresConfig door =
        PostgresConfig.at(new InetSocketAddress(config.bind(), settings.port()))
            .withMostClients(settings.maxClients())
            .withMostMessageBytes(config.respMaxValueBytes() + MESSAGE_ROOM);
    PostgresServices services =
        new PostgresServices(sql, catalogs, policy, Version.current().version());
    try {
      return new PostgresDoor(PostgresServer.start(door, services));
    } catch (IOException e) {
      throw new StartException("the door for PostgreSQL clients cannot open: " + e.getMessage(), e);
    }
  }

  /** Returns the port; {@link Endpoints#CLOSED} if the door is closed. */
  int port() {
    return server == null ? Endpoints.CLOSED : server.port();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close(PATIENCE);
    }
  }
}
