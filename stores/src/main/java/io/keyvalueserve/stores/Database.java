package io.keyvalueserve.stores;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * A database, with a pool of connections to it that come as they are needed and go when they are
 * idle. All methods but the constructor and {@link #close} block. Thread-safe.
 */
public final class Database implements AutoCloseable {
  /** The shortest that the pool can wait for a connection, and for the check of one, in ms. */
  private static final long POOL_LEAST_MILLIS = 250;

  private static final long IDLE_SECONDS = 30;
  private static final long LIFE_MINUTES = 30;

  private final StoreAddress address;
  private final DriverSource source;
  private final HikariDataSource pool;

  /**
   * Makes a pool, and connects to nothing yet.
   *
   * @throws StoreException if no JDBC driver takes the URL
   */
  public Database(StoreAddress address) {
    this.address = address;
    this.source = new DriverSource(address);
    this.pool = new HikariDataSource(config(address, source));
  }

  private static HikariConfig config(StoreAddress address, DriverSource source) {
    long millis = Math.max(POOL_LEAST_MILLIS, address.timeout().toMillis());
    HikariConfig config = new HikariConfig();
    config.setPoolName("kvs-store");
    config.setDataSource(source);
    config.setInitializationFailTimeout(-1);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(address.poolSize());
    config.setIdleTimeout(SECONDS.toMillis(IDLE_SECONDS));
    config.setMaxLifetime(MINUTES.toMillis(LIFE_MINUTES));
    config.setConnectionTimeout(millis);
    config.setValidationTimeout(Math.min(millis, SECONDS.toMillis(5)));
    return config;
  }

  /**
   * Connects anew, outside of the pool, and asks what is there.
   *
   * @throws StoreException if the database does not answer
   */
  public DatabaseFacts check() {
    long start = System.nanoTime();
    return anew(
        "database",
        connection -> {
          DatabaseMetaData facts = connection.getMetaData();
          String product = facts.getDatabaseProductName();
          String version = facts.getDatabaseProductVersion();
          return new DatabaseFacts(product, version, millisSince(start));
        });
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /**
   * Reads a table's columns and prepares its statements.
   *
   * @throws StoreException if the database does not answer; MISCONFIGURED if a table or column is
   *     missing, has a type that is not supported, or if the key is not unique
   */
  public StoreTable table(TableSpec spec) {
    return table(spec, Dialect::of);
  }

  StoreTable table(TableSpec spec, Dialects dialects) {
    return anew(
        "table " + spec.table(),
        connection -> {
          Dialect dialect = dialects.of(connection);
          TableShape shape = new TableReader(connection, dialect, spec).read();
          forgetStatements();
          return new StoreTable(this, dialect, shape);
        });
  }

  /** Gives connections up that may know statements for a table as it was before. */
  private void forgetStatements() {
    HikariPoolMXBean connections = pool.getHikariPoolMXBean();
    if (connections != null) {
      connections.softEvictConnections();
    }
  }

  /** Chooses a dialect. */
  interface Dialects {
    Dialect of(Connection connection) throws SQLException;
  }

  /** Something that is done with a connection. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Does something with a connection of the pool. */
  <T> T with(String subject, Work<T> work) {
    try (Connection connection = pool.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw SqlErrors.translate(subject, address, e);
    }
  }

  /** Does something in one transaction, all of it or nothing. */
  <T> T inTransaction(String subject, Work<T> work) {
    return with(subject, connection -> transaction(connection, work));
  }

  static <T> T transaction(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    boolean done = false;
    try {
      T result = work.on(connection);
      connection.commit();
      done = true;
      return result;
    } finally {
      if (!done) {
        rollback(connection);
      }
    }
  }

  /** A connection that cannot roll back is gone, and its transaction with it. */
  private static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // What failed before is what is told.
    }
  }

  StoreException translated(String subject, SQLException error) {
    return SqlErrors.translate(subject, address, error);
  }

  /** Connects for a feed of changes, outside of the pool. */
  Connection replicating() throws SQLException {
    return source.replicating();
  }

  /** Does something with a connection of its own. */
  <T> T anew(String subject, Work<T> work) {
    try (Connection connection = source.getConnection()) {
      return work.on(connection);
    } catch (SQLException e) {
      throw SqlErrors.translate(subject, address, e);
    }
  }

  /** Closes the pool and its connections; whoever uses them meets an UNAVAILABLE. */
  @Override
  public void close() {
    pool.close();
  }

  /** Returns the address, without its password. */
  @Override
  public String toString() {
    return "Database[" + address + "]";
  }
}
