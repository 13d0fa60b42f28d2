package io.keyvalueserve.stores;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server of its own for tests, from binaries of Maven artifacts, with logical
 * replication. It refuses to run as root: then it runs in a user namespace, by {@code unshare -U}.
 * All users log in without a password but {@link #GUARDED}. It ends with the JVM at the latest.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  /** A user that needs a password; a test that wants it creates it. */
  public static final String GUARDED = "guarded";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static @Nullable EmbeddedDatabase shared;

  private final Path data;
  private @Nullable EmbeddedPostgres server;
  private int port;

  private EmbeddedDatabase(Path data) {
    this.data = data;
  }

  /** Starts a server with an empty database. */
  public static EmbeddedDatabase start() {
    EmbeddedDatabase database = new EmbeddedDatabase(work().resolve("data-" + UUID.randomUUID()));
    Runtime.getRuntime().addShutdownHook(new Thread(database::close));
    database.restart();
    return database;
  }

  /** Returns the server that the tests of this JVM share, which none of them may stop. */
  public static synchronized EmbeddedDatabase shared() {
    EmbeddedDatabase running = shared;
    if (running == null) {
      running = start();
      shared = running;
    }
    return running;
  }

  /** A directory of each user: another one could not write to it. */
  private static Path work() {
    return Path.of(
        System.getProperty("java.io.tmpdir"),
        "kvs-embedded-postgres-" + System.getProperty("user.name"));
  }

  /** Returns the port, which stays the same. */
  public synchronized int port() {
    return port;
  }

  /** Returns the URL of the database {@code postgres}, without a user. */
  public String jdbcUrl() {
    return "jdbc:postgresql://localhost:" + port() + "/postgres";
  }

  /** Returns the name of the superuser, who needs no password. */
  public String user() {
    return "postgres";
  }

  /** Runs statements, each in a transaction of its own. */
  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the text of the first column of the first row; null if it is NULL or there is none. */
  public @Nullable String value(String query) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens a connection as the superuser. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), user(), "");
  }

  /** Stops the server; its data stays. */
  public synchronized void stop() {
    EmbeddedPostgres running = server;
    server = null;
    if (running != null) {
      try {
        running.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts the server again, after {@link #stop} or at once, with its data and its port. */
  public synchronized void restart() {
    stop();
    try {
      EmbeddedPostgres started = builder().start();
      server = started;
      port = started.getPort();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "PostgreSQL does not start. As root it needs 'unshare -U', which a container may forbid:"
              + " run the tests as an ordinary user there.",
          e);
    }
  }

  private EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(work().toFile())
        .setDataDirectory(data)
        .setDataDirectoryCustomizer(EmbeddedDatabase::guard)
        .setCleanDataDirectory(false)
        .setRegisterShutdownHook(false)
        .setPGStartupWait(PATIENCE)
        .setPort(port)
        .setLocaleConfig("locale", "C")
        .setServerConfig("wal_level", "logical")
        .setServerConfig("shared_buffers", "16MB")
        .setServerConfig("max_connections", "100");
  }

  private static void guard(File data) {
    Path rules = data.toPath().resolve("pg_hba.conf");
    String rule = "host all " + GUARDED + " all scram-sha-256";
    try {
      List<String> lines = Files.readAllLines(rules);
      if (!lines.contains(rule)) {
        Files.writeString(rules, rule + "\n" + String.join("\n", lines) + "\n");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the server and deletes its data. */
  @Override
  public void close() {
    stop();
    try (Stream<Path> files = Files.exists(data) ? Files.walk(data) : Stream.empty()) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
