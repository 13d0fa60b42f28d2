package io.keyvalueserve.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.sql.MemoryCatalog;
import io.keyvalueserve.sql.MemoryTable;
import io.keyvalueserve.sql.service.MemberSqlService;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Goal: the door and the SQL service fit. Method: the JDBC driver, and tables in memory. */
class SqlOverJdbcTest {
  private static TestDoor door;
  private static MemberSqlService service;

  @BeforeAll
  static void open() throws IOException {
    MemoryCatalog catalog =
        new MemoryCatalog()
            .with(
                MemoryTable.of(
                        "people",
                        "__key INTEGER",
                        "name VARCHAR",
                        "age INTEGER",
                        "salary DECIMAL",
                        "active BOOLEAN")
                    .add(1, "Ann", 31, "5000.50", true)
                    .add(2, "Bob", 25, "4000", false)
                    .add(3, "Cid", 47, "7000.25", true))
            .with(
                MemoryTable.of("orders", "__key BIGINT", "person INTEGER", "amount DOUBLE")
                    .add(100, 1, 1.5)
                    .add(101, 1, 20.0)
                    .add(102, 2, 3.0));
    service = MemberSqlService.builder(_ -> catalog).build();
    door = new TestDoor(service, _ -> catalog);
  }

  @AfterAll
  static void close() {
    door.close();
    service.close();
  }

  @Test
  void queriesWithParametersInBothFormats() throws SQLException {
    try (Connection connection = door.connect("acme", "binaryTransfer", "true");
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT name, salary FROM people WHERE age > ? AND active = ? ORDER BY name")) {
      for (int i = 0; i < 7; i++) {
        statement.setInt(1, 30);
        statement.setBoolean(2, true);
        try (ResultSet rows = statement.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("Ann");
          assertThat(rows.getBigDecimal("salary")).isEqualByComparingTo(new BigDecimal("5000.50"));
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("Cid");
          assertThat(rows.next()).isFalse();
        }
      }
    }
  }

  @Test
  void joinsGroupsAndWrites() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      assertThat(
              rows(
                  statement,
                  "SELECT p.name, COUNT(*), SUM(o.amount) FROM people p"
                      + " JOIN orders o ON o.person = p.__key GROUP BY p.name ORDER BY 1"))
          .containsExactly("Ann|2|21.5", "Bob|1|3");
      assertThat(
              statement.executeUpdate(
                  "INSERT INTO orders (__key, person, amount) VALUES (7, 3, 9)"))
          .isEqualTo(1);
      assertThat(statement.executeUpdate("UPDATE orders SET amount = 10 WHERE __key = 7"))
          .isEqualTo(1);
      assertThat(rows(statement, "SELECT amount FROM orders WHERE __key = 7"))
          .containsExactly("10");
      assertThat(statement.executeUpdate("DELETE FROM orders WHERE __key = 7")).isEqualTo(1);
    }
  }

  @Test
  void errorsTellWhere() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT no_such FROM people"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).startsWith("42"));
      assertThatThrownBy(() -> statement.executeQuery("SELEC 1"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("42601"));
      assertThat(rows(statement, "SELECT 1")).containsExactly("1");
    }
  }

  @Test
  void whatPostgresqlAloneHasIsUnderstood() throws SQLException {
    try (Connection connection = door.connect("acme");
        Statement statement = connection.createStatement()) {
      assertThat(rows(statement, "SELECT age::text, 'x'::varchar FROM people WHERE __key = 1"))
          .containsExactly("31|x");
      assertThat(rows(statement, "SELECT name FROM public.people WHERE name ILIKE 'a%'"))
          .containsExactly("Ann");
      assertThat(rows(statement, "SELECT name FROM people WHERE __key = ANY (ARRAY[1, 3])"))
          .containsExactlyInAnyOrder("Ann", "Cid");
      assertThat(rows(statement, "SELECT name FROM people ORDER BY age DESC LIMIT 1 OFFSET 1"))
          .containsExactly("Ann");
      try (PreparedStatement cast =
          connection.prepareStatement(
              "SELECT name FROM people WHERE age > ?::INTEGER AND name <> ?::VARCHAR"
                  + " AND salary > ?::numeric(10, 2) ORDER BY name LIMIT ?::INTEGER")) {
        cast.setShort(1, (short) 20);
        cast.setString(2, "Bob");
        cast.setBigDecimal(3, BigDecimal.ONE);
        cast.setInt(4, 1);
        try (ResultSet rows = cast.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("Ann");
          assertThat(rows.next()).isFalse();
        }
      }
      assertThat(rows(statement, "SELECT \"name\" FROM \"public\".\"people\" WHERE \"age\" = 25"))
          .containsExactly("Bob");
    }
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(rows.getString(i));
        }
        values.add(String.join("|", row));
      }
    }
    return values;
  }
}
