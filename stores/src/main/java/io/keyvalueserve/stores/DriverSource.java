package io.keyvalueserve.stores;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connects to one address by the driver that takes its URL, and limits what statements may take.
 */
final class DriverSource implements DataSource {
  /**
   * How much longer than a statement may take it is waited for before the connection is given up.
   */
  private static final int GRACE_SECONDS = 5;

  private final StoreAddress address;
  private final Driver driver;
  private final Properties properties;

  DriverSource(StoreAddress address) {
    this.address = address;
    this.driver = driver(address);
    this.properties = properties(address);
  }

  private static Driver driver(StoreAddress address) {
    try {
      return DriverManager.getDriver(address.jdbcUrl());
    } catch (SQLException e) {
      throw StoreException.misconfigured(
          "no JDBC driver takes the URL "
              + address.jdbcUrl()
              + ": check its form, and put the driver's jar into the class path");
    }
  }

  private static Properties properties(StoreAddress address) {
    Properties properties = new Properties();
    set(properties, "user", address.user());
    set(properties, "password", address.password());
    if (address.jdbcUrl().startsWith("jdbc:postgresql:")) {
      String seconds = Long.toString(seconds(address.timeout()));
      set(properties, "connectTimeout", seconds);
      set(properties, "loginTimeout", seconds);
      set(properties, "socketTimeout", Long.toString(seconds(address.timeout()) + GRACE_SECONDS));
      set(properties, "tcpKeepAlive", "true");
      set(properties, "ApplicationName", "keyvalueserve");
      set(properties, "logServerErrorDetail", "false");
    }
    return properties;
  }

  private static void set(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }

  private static long seconds(Duration timeout) {
    return (timeout.toMillis() + 999) / 1000;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = driver.connect(address.jdbcUrl(), properties);
    if (connection == null) {
      throw new SQLException("the driver does not take the URL", "08001");
    }
    try (Statement statement = connection.createStatement()) {
      limit(connection, statement);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Connects to PostgreSQL to have changes replicated, without a limit. */
  Connection replicating() throws SQLException {
    Properties more = new Properties();
    more.putAll(properties);
    set(more, "replication", "database");
    set(more, "preferQueryMode", "simple");
    set(more, "assumeMinServerVersion", "10");
    Connection connection = driver.connect(address.jdbcUrl(), more);
    if (connection == null) {
      throw new SQLException("the driver does not take the URL", "08001");
    }
    return connection;
  }

  private void limit(Connection connection, Statement statement) throws SQLException {
    String limit = Dialect.of(connection).limit(address.timeout());
    if (!limit.isEmpty()) {
      statement.execute(limit);
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("the address has the user");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("there is no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("there is nothing to unwrap");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  /** Returns the address, without its password. */
  @Override
  public String toString() {
    return address.toString();
  }
}
