package io.keyvalueserve.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.query.FieldType;
import io.keyvalueserve.engine.query.QueryCatalog;
import io.keyvalueserve.engine.query.QueryException;
import io.keyvalueserve.tenancy.Identity;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: sessions prepare, keep and carry out statements, with parameters. */
class SessionTest {
  @Test
  void parametersHaveTheTypesOfWhatTheyAreComparedWith() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      SqlStatement statement =
          fixture.session.prepare(
              "SELECT name FROM people WHERE age > $2 AND city = $1 AND salary < $3");
      assertThat(statement.parameters())
          .containsExactly(FieldType.VARCHAR, FieldType.INTEGER, FieldType.DECIMAL);
      assertThat(statement.kind()).isEqualTo(SqlStatement.Kind.SELECT);
      assertThat(statement.columns())
          .containsExactly(new SqlColumn("name", FieldType.VARCHAR, true));
      assertThat(fixture.run(statement.sql(), "Oslo", "20", 9000)).containsExactly("Ann");
      assertThat(fixture.run("SELECT ?, ? + 1, $$x$$", "a", 5)).containsExactly("a | 6 | x");
      assertThat(fixture.run("SELECT name FROM people WHERE __key = $1", 2L))
          .containsExactly("Bob");
      assertThat(fixture.run("SELECT name FROM people WHERE __key = $1", new Object[] {null}))
          .isEmpty();
      assertThat(fixture.run("SELECT name FROM people WHERE __key = $1 OR $1 = 99", 99)).hasSize(5);
      assertThat(fixture.run("SELECT name FROM people ORDER BY __key LIMIT ? OFFSET ?", 1, 1))
          .containsExactly("Bob");
      assertThat(fixture.run("SELECT name FROM people WHERE __key IN (?, ?)", 1, 2)).hasSize(2);
    }
  }

  @Test
  void parametersAreWritten() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      fixture.run("INSERT INTO vals (__key, n, dt) VALUES (?, ?, ?)", 9, "1.5", "2024-01-02");
      fixture.run("UPDATE vals SET n = ?, t = ? WHERE __key = ?", 2, "x", 9);
      assertThat(fixture.run("SELECT n, t, dt FROM vals WHERE __key = 9"))
          .containsExactly("2 | x | 2024-01-02");
      SqlStatement insert = fixture.session.prepare("INSERT INTO vals (__key, n) VALUES (?, ?)");
      assertThat(insert.parameters()).containsExactly(FieldType.INTEGER, FieldType.DECIMAL);
      assertThat(insert.columns()).isEmpty();
      try (SqlCursor cursor =
          fixture.session.execute(insert, List.of(10, new BigDecimal("0.10")))) {
        assertThat(cursor.updated()).isEqualTo(1);
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  @Test
  void aWrongNumberOfParametersFails() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      assertThatThrownBy(() -> fixture.run("SELECT name FROM people WHERE age = ?"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("08P01"));
      assertThatThrownBy(() -> fixture.run("SELECT name FROM people WHERE age = ?", "x"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("22P02"));
    }
  }

  @Test
  void aPointQueryAsksForOneKey() throws Exception {
    MemoryCatalog catalog = Tables.catalog();
    try (SqlFixture fixture = new SqlFixture(catalog)) {
      fixture.run("SELECT name FROM people WHERE __key = ? AND age > 3", 1L);
      assertThat(catalog.table("people").scans().getLast().keys()).containsExactly(1);
      fixture.run("SELECT name FROM people WHERE __key IN (1, 2, 2)");
      assertThat(catalog.table("people").scans().getLast().keys()).containsExactly(1, 2);
      fixture.run("SELECT name FROM people WHERE __key = '3'");
      assertThat(catalog.table("people").scans().getLast().keys()).containsExactly(3);
    }
  }

  @Test
  void aJoinWithFewRowsLooksUpTheirKeys() throws Exception {
    MemoryCatalog catalog = Tables.catalog();
    catalog.table("people").estimate(1_000_000);
    try (SqlFixture fixture = new SqlFixture(catalog)) {
      assertThat(fixture.run("SELECT p.name FROM orders o JOIN people p ON p.__key = o.person"))
          .containsExactlyInAnyOrder("Ann", "Ann", "Bob");
      assertThat(catalog.table("people").scans().getLast().keys())
          .isNotNull()
          .satisfies(keys -> assertThat(Set.copyOf(keys)).isEqualTo(Set.of(1, 2, 9)));
      assertThat(
              fixture.run("SELECT p.name FROM orders o LEFT JOIN people p ON p.__key = o.person"))
          .hasSize(5);
    }
  }

  @Test
  void plansAreKeptAsLongAsTablesStay() throws Exception {
    MemoryCatalog catalog = Tables.catalog();
    try (SqlFixture fixture = new SqlFixture(catalog)) {
      SqlStatement first = fixture.session.prepare("SELECT * FROM notes");
      assertThat(fixture.session.prepare("SELECT * FROM notes")).isSameAs(first);
      assertThat(fixture.open().prepare("SELECT * FROM notes")).isSameAs(first);
      catalog.with(
          MemoryTable.of("notes", "__key VARCHAR", "title VARCHAR", "n INTEGER").add("k", "t", 5));
      try (SqlCursor cursor = fixture.session.execute(first, List.of())) {
        assertThat(cursor.columns()).hasSize(3);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.row()).containsExactly("k", "t", 5);
      }
      assertThat(fixture.session.prepare("SELECT * FROM notes").columns()).hasSize(3);
      catalog.drop("notes");
      assertThatThrownBy(() -> fixture.session.execute(first, List.of()))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("42P01"));
    }
  }

  @Test
  void anotherSessionsCursorStaysOpen() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog());
        SqlSession other = fixture.open()) {
      SqlStatement all = fixture.session.prepare("SELECT name FROM people ORDER BY __key");
      SqlCursor first = fixture.session.execute(all, List.of());
      SqlCursor second = other.execute(all, List.of());
      assertThat(first.next()).isTrue();
      assertThat(second.next()).isTrue();
      SqlCursor third = fixture.session.execute(all, List.of());
      assertThat(first.next()).as("closed by the next statement").isFalse();
      assertThat(second.next()).isTrue();
      assertThat(third.next()).isTrue();
    }
  }

  @Test
  void anUpdateMeetsAnotherWriter() throws Exception {
    MemoryCatalog catalog = Tables.catalog();
    MemoryTable people = catalog.table("people");
    try (SqlFixture fixture = new SqlFixture(catalog)) {
      AtomicInteger writes = new AtomicInteger();
      people.beforeWrite(
          () -> {
            if (writes.getAndIncrement() == 0) {
              people.add(1, "Ann", 100, "Oslo", "1", true, null);
            }
          });
      assertThat(fixture.run("UPDATE people SET age = age + 1 WHERE __key = 1"))
          .containsExactly("1 written");
      assertThat(fixture.run("SELECT age FROM people WHERE __key = 1")).containsExactly("101");
      people.beforeWrite(() -> people.add(2, "Bob", 99, "Rome", "1", true, null));
      assertThat(fixture.run("DELETE FROM people WHERE age = 25 AND __key = 2"))
          .as("not true any more")
          .containsExactly("0 written");
    }
  }

  /** A schema that a door brings. */
  private static final class Brought implements VirtualSchema {
    @Override
    public String name() {
      return "pg_catalog";
    }

    @Override
    public boolean isSearched() {
      return true;
    }

    @Override
    public List<VirtualTable> tables() {
      return List.of(new Classes());
    }
  }

  /** A table of it. */
  private static final class Classes implements VirtualTable {
    @Override
    public String name() {
      return "pg_class";
    }

    @Override
    public List<SqlColumn> columns() {
      return List.of(
          new SqlColumn("oid", FieldType.BIGINT, false),
          new SqlColumn("relname", FieldType.VARCHAR, false));
    }

    @Override
    public Iterable<@Nullable Object[]> rows(QueryCatalog catalog, Identity caller) {
      List<@Nullable Object[]> rows = new ArrayList<>();
      catalog
          .mappings()
          .forEach(mapping -> rows.add(new @Nullable Object[] {rows.size() + 1L, mapping.name()}));
      return rows;
    }
  }

  @Test
  void aDoorBringsTablesAndFunctions() throws Exception {
    ScalarFunction visible =
        new ScalarFunction(
            "pg_table_is_visible",
            1,
            1,
            FieldType.BOOLEAN,
            (catalog, caller, arguments) ->
                arguments[0] != null && caller.number() == 1 && !catalog.mappings().isEmpty());
    ScalarFunction fails =
        ScalarFunction.of(
            "fails",
            0,
            2,
            FieldType.VARCHAR,
            _ -> {
              throw new QueryException(QueryException.Kind.BAD_VALUE, "no");
            });
    try (SqlFixture fixture =
        new SqlFixture(
            Tables.catalog(),
            builder -> builder.schema(new Brought()).function(visible).function(fails))) {
      assertThat(
              fixture.run(
                  "SELECT c.relname FROM pg_catalog.pg_class c WHERE c.relname"
                      + " OPERATOR(pg_catalog.~) '^(people)$' COLLATE pg_catalog.default"
                      + " AND pg_catalog.pg_table_is_visible(c.oid) ORDER BY 1"))
          .containsExactly("people");
      assertThat(fixture.run("SELECT COUNT(*) FROM pg_class")).containsExactly("6");
      assertThatThrownBy(() -> fixture.run("SELECT fails()"))
          .isInstanceOfSatisfying(
              SqlException.class, e -> assertThat(e.state()).isEqualTo("22000"));
    }
  }

  @Test
  void aDefectIsToldByItsIdAlone() {
    ScalarFunction broken =
        ScalarFunction.of(
            "broken",
            0,
            0,
            FieldType.VARCHAR,
            _ -> {
              throw new IllegalStateException("secret");
            });
    try (SqlFixture fixture =
        new SqlFixture(Tables.catalog(), builder -> builder.function(broken))) {
      assertThatThrownBy(() -> fixture.run("SELECT broken()"))
          .isInstanceOfSatisfying(
              SqlException.class,
              e -> {
                assertThat(e.state()).isEqualTo("XX000");
                assertThat(e.getMessage()).doesNotContain("secret", "Exception");
              });
    }
  }

  @Test
  void explainShowsWhatWasDone() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      String plan =
          String.join(
              "\n",
              fixture.run(
                  "EXPLAIN ANALYZE SELECT p.name FROM people p JOIN orders o ON o.person = p.__key"));
      assertThat(plan).contains("Hash join", "rows=3", "examined=5", "Total: 3 rows");
      assertThat(fixture.run("EXPLAIN SELECT name FROM people WHERE age = ?").getFirst())
          .contains("Scan people", "condition age = ?1");
      assertThat(fixture.run("EXPLAIN ANALYZE DELETE FROM notes").getFirst())
          .contains("Delete from notes");
      assertThat(fixture.run("SELECT COUNT(*) FROM notes")).containsExactly("0");
    }
  }

  @Test
  void valuesAreOfTheClassesOfTheirTypes() throws Exception {
    try (SqlFixture fixture = new SqlFixture(Tables.catalog())) {
      SqlStatement statement =
          fixture.session.prepare(
              "SELECT dt, INTERVAL '1' DAY, COUNT(*) OVER () FROM vals LIMIT 1");
      assertThat(statement.columns().stream().map(SqlColumn::type))
          .containsExactly(FieldType.DATE, FieldType.VARCHAR, FieldType.BIGINT);
      try (SqlCursor cursor = fixture.session.execute(statement, List.of())) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.row()).containsExactly(LocalDate.of(2024, 2, 29), "PT24H", 3L);
      }
    }
  }
}
