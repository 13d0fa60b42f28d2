package io.keyvalueserve.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.sql.SqlOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Goal: the JDBC driver of PostgreSQL works unchanged. */
class DriverTest {
  private static TestDoor door;

  @BeforeAll
  static void open() throws IOException {
    door = new TestDoor();
  }

  @AfterAll
  static void close() {
    door.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple", "extendedForPrepared", "extendedCacheEverything"})
  void readsRowsOfEachType(String mode) throws SQLException {
    try (Connection connection =
            door.connect("acme", "preferQueryMode", mode, "binaryTransfer", "true");
        PreparedStatement statement = connection.prepareStatement("select types")) {
      for (int i = 0; i < 8; i++) { // from the 5th on, prepared by name and in binary form
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getBoolean("boolean")).isTrue();
          assertThat(rows.getInt("tinyint")).isEqualTo(-7);
          assertThat(rows.getShort("smallint")).isEqualTo((short) 300);
          assertThat(rows.getInt("integer")).isEqualTo(70_000);
          assertThat(rows.getLong("bigint")).isEqualTo(5_000_000_000L);
          assertThat(rows.getBigDecimal("decimal")).isEqualTo(new BigDecimal("-12345.678900"));
          assertThat(rows.getFloat("real")).isEqualTo(1.5f);
          assertThat(rows.getDouble("double")).isEqualTo(1e100);
          assertThat(rows.getString("varchar")).isEqualTo("äöü 'x'");
          assertThat(rows.getBytes("varbinary")).containsExactly(0, 1, 0xff);
          assertThat(rows.getObject("date", LocalDate.class)).isEqualTo("2026-11-30");
          assertThat(rows.getObject("time", LocalTime.class)).isEqualTo("01:02:03.456");
          assertThat(rows.getObject("timestamp", LocalDateTime.class))
              .isEqualTo(LocalDateTime.parse("1999-12-31T23:59:59.000001"));
          assertThat(rows.getObject("timestamp_with_time_zone", OffsetDateTime.class).toInstant())
              .isEqualTo("2026-01-02T01:04:05Z");
          assertThat(rows.getString("json")).isEqualTo("{\"a\": [1, 2]}");
          assertThat(rows.getString("object")).isEqualTo("an object");
          assertThat(rows.next()).isTrue();
          for (int column = 1; column <= FieldType.values().length; column++) {
            assertThat(rows.getObject(column)).isNull();
          }
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }

  @Test
  void sendsParametersOfEachType() throws SQLException {
    try (Connection connection = door.connect("acme", "binaryTransfer", "true")) {
      for (int i = 0; i < 7; i++) {
        assertThat(echo(connection, "boolean", true)).isEqualTo(true);
        assertThat(echo(connection, "integer", -5)).isEqualTo(-5);
        assertThat(echo(connection, "bigint", Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(echo(connection, "decimal", new BigDecimal("-0.00012")))
            .isEqualTo(new BigDecimal("-0.00012"));
        assertThat(echo(connection, "double", -2.5e-10)).isEqualTo(-2.5e-10);
        assertThat(echo(connection, "varchar", "it's \\ ü")).isEqualTo("it's \\ ü");
        assertThat((byte @Nullable []) echo(connection, "varbinary", new byte[] {1, 0, -1}))
            .containsExactly(1, 0, -1);
        assertThat(echo(connection, "date", LocalDate.of(1969, 7, 20))).hasToString("1969-07-20");
        assertThat(echo(connection, "timestamp", LocalDateTime.of(2024, 2, 29, 12, 0)))
            .hasToString("2024-02-29 12:00:00.0");
        assertThat(echo(connection, "json", "{\"x\":1}")).hasToString("{\"x\":1}");
        assertThat(echo(connection, "varchar", null)).isNull();
      }
    }
  }

  private static @Nullable Object echo(Connection connection, String type, @Nullable Object value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("select echo " + type + " ?")) {
      if (type.equals("json")) {
        statement.setObject(1, value, java.sql.Types.OTHER);
      } else {
        statement.setObject(1, value);
      }
      try (ResultSet rows = statement.executeQuery()) {
        assertThat(rows.next()).isTrue();
        return rows.getObject(1);
      }
    }
  }

  @Test
  void readsLargeResultsInPartsAndAlternately() throws SQLException {
    try (Connection connection = door.connect("acme")) {
      connection.setAutoCommit(false);
      try (Statement one = connection.createStatement();
          Statement other = connection.createStatement()) {
        one.setFetchSize(100);
        other.setFetchSize(7);
        try (ResultSet rows = one.executeQuery("select rows 5000");
            ResultSet others = other.executeQuery("select rows 500")) {
          for (int i = 0; i < 5000; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(i);
            assertThat(rows.getString(2)).isEqualTo(i % 10 == 9 ? null : "name " + i);
            if (i % 10 == 0) {
              assertThat(others.next()).isTrue();
              assertThat(others.getInt(1)).isEqualTo(i / 10);
            }
          }
          assertThat(rows.next()).isFalse();
          assertThat(others.next()).isFalse();
        }
      }
      connection.commit();
    }
  }

  @Test
  void countsWhatIsWrittenAndSendsBatches() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate("insert 3")).isEqualTo(3);
      assertThat(statement.executeUpdate("update 2")).isEqualTo(2);
      assertThat(statement.executeUpdate("delete 1")).isEqualTo(1);
      try (PreparedStatement batch = connection.prepareStatement("insert 1 ?")) {
        for (int i = 0; i < 1000; i++) {
          batch.setInt(1, i);
          batch.addBatch();
        }
        assertThat(batch.executeBatch()).hasSize(1000).containsOnly(1);
      }
    }
  }

  @Test
  void tellsErrorsWithTheirStateAndPlace() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("  nonsense"))
          .isInstanceOfSatisfying(
              PSQLException.class,
              e -> {
                ServerErrorMessage error = Objects.requireNonNull(e.getServerErrorMessage());
                assertThat(error.getSQLState()).isEqualTo("42601");
                assertThat(error.getMessage()).isEqualTo("no such statement");
                assertThat(error.getHint()).isEqualTo("know another one");
                assertThat(error.getPosition()).isEqualTo(5);
              });
      for (String refused : List.of("copy t from stdin", "listen x", "lock table t")) {
        assertThatThrownBy(() -> statement.execute(refused)).hasMessageContaining("not supported");
      }
      assertThat(statement.execute("select 1")).isTrue();
    }
  }

  @Test
  void transactionsAreBegunAndEndedAsClientsExpect() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      assertThat(statement.executeUpdate("insert 1")).isEqualTo(1);
      connection.rollback();
      assertThatThrownBy(() -> statement.execute("nonsense")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> statement.execute("select 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25P02"));
      connection.rollback();
      assertThat(statement.execute("select 1")).isTrue();
      connection.commit();
      connection.setAutoCommit(true);
      statement.execute("begin; insert 1; rollback");
      assertThat(statement.getWarnings().getMessage()).contains("not undone");
    }
  }

  @Test
  void parametersOfTheSessionAreSetAndShown() throws SQLException {
    try (Connection connection = door.connect("acme", "ApplicationName", "my app");
        Statement statement = connection.createStatement()) {
      assertThat(shown(statement, "application_name")).isEqualTo("my app");
      assertThat(shown(statement, "server_version")).startsWith("16.0 (KeyValueServe");
      statement.execute("set statement_timeout = '5s'; set timezone to 'Europe/Berlin'");
      assertThat(shown(statement, "timezone")).isEqualTo("Europe/Berlin");
      statement.execute("select 1");
      SqlOptions options = Objects.requireNonNull(door.sql.lastOptions);
      assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(5));
      assertThat(options.zone().getId()).isEqualTo("Europe/Berlin");
      statement.execute("set extra_float_digits = 3; set search_path = public, other");
      assertThat(shown(statement, "search_path")).isEqualTo("public, other");
      assertThatThrownBy(() -> statement.execute("set client_encoding = 'LATIN1'"))
          .hasMessageContaining("use UTF8");
      assertThatThrownBy(() -> statement.execute("set no_such = 1"))
          .hasMessageContaining("unrecognized");
      statement.execute("discard all");
      assertThat(shown(statement, "statement_timeout")).isEqualTo("0");
      statement.execute("prepare p (int) as select echo integer $1");
      try (ResultSet rows = statement.executeQuery("execute p(-42)")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(-42);
      }
      statement.execute("deallocate p");
    }
  }

  private static String shown(Statement statement, String name) throws SQLException {
    try (ResultSet rows = statement.executeQuery("show " + name)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  @Test
  void aStatementIsCancelled() throws Exception {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      Thread canceller =
          Thread.startVirtualThread(
              () -> {
                try {
                  door.sql.waiting.await();
                  statement.cancel();
                } catch (InterruptedException | SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThatThrownBy(() -> statement.execute("select wait"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
      canceller.join();
      assertThat(statement.execute("select 1")).isTrue();
    }
  }

  @Test
  void metadataShowTheTenantsTables() throws SQLException {
    try (Connection connection = door.connect("acme")) {
      var metadata = connection.getMetaData();
      assertThat(column(metadata.getTables(null, "public", "%", null), "TABLE_NAME"))
          .containsExactlyInAnyOrder(
              "Customers",
              "globex/shared",
              "orders",
              "Customers_pkey",
              "by_customer",
              "by_zip",
              "globex/shared_pkey",
              "orders_pkey");
      assertThat(column(metadata.getTables(null, null, "%", new String[] {"TABLE"}), "TABLE_NAME"))
          .containsExactly("Customers", "globex/shared", "orders");
      assertThat(column(metadata.getColumns(null, null, "orders", null), "COLUMN_NAME"))
          .containsExactly("id", "customer", "amount", "paid", "at");
      assertThat(column(metadata.getColumns(null, null, "orders", null), "TYPE_NAME"))
          .containsExactly("int8", "text", "numeric", "bool", "timestamptz");
      assertThat(column(metadata.getPrimaryKeys(null, "public", "orders"), "COLUMN_NAME"))
          .containsExactly("id");
      assertThat(column(metadata.getIndexInfo(null, "public", "orders", false, true), "INDEX_NAME"))
          .containsExactlyInAnyOrder("orders_pkey", "by_customer", "by_zip");
      assertThat(column(metadata.getSchemas(), "TABLE_SCHEM"))
          .containsExactly("information_schema", "pg_catalog", "public");
      assertThat(column(metadata.getTypeInfo(), "TYPE_NAME")).contains("int8", "text", "numeric");
      assertThat(column(metadata.getCatalogs(), "TABLE_CAT")).containsExactly("acme");
      assertThat(column(metadata.getImportedKeys(null, null, "orders"), "FK_NAME")).isEmpty();
      assertThat(column(metadata.getFunctions(null, null, "%"), "FUNCTION_NAME")).isEmpty();
      assertThat(metadata.getSQLKeywords()).isNotNull();
      assertThat(metadata.getDatabaseMajorVersion()).isEqualTo(16);
    }
    try (Connection connection = door.connect("globex")) {
      assertThat(
              column(
                  connection.getMetaData().getTables(null, null, "%", new String[] {"TABLE"}),
                  "TABLE_NAME"))
          .containsExactly("secret");
    }
  }

  private static List<String> column(ResultSet rows, String name) throws SQLException {
    List<String> values = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        values.add(rows.getString(name));
      }
    }
    return values;
  }
}
