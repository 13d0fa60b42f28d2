package io.keyvalueserve.stores;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** The databases that a test runs against: each with its dialect. */
enum Backends {
  POSTGRESQL(Dialect::of) {
    @Override
    String url() {
      return EmbeddedDatabase.shared().jdbcUrl();
    }

    @Override
    String user() {
      return EmbeddedDatabase.shared().user();
    }
  },
  H2(Dialect::of),
  /** H2 by the SQL for any database. */
  GENERIC(_ -> new Dialect());

  private final Database.Dialects dialects;

  Backends(Database.Dialects dialects) {
    this.dialects = dialects;
  }

  String url() {
    return "jdbc:h2:mem:" + name() + ";DB_CLOSE_DELAY=-1";
  }

  String user() {
    return "sa";
  }

  StoreAddress address() {
    return new StoreAddress(url(), user(), null, 4, Duration.ofSeconds(20));
  }

  void execute(String... statements) {
    try (Connection connection = DriverManager.getConnection(url(), user(), "");
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  StoreTable table(Database database, String table, String key, String... values) {
    return database.table(new TableSpec(table, key, List.of(values)), dialects);
  }

  /** The type of bytes here. */
  String bytes() {
    return this == POSTGRESQL ? "bytea" : "varbinary";
  }
}
