package io.keyvalueserve.stores;

import static io.keyvalueserve.stores.Change.delete;
import static io.keyvalueserve.stores.Change.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.stores.StoreException.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for tables of all databases. */
class StoreTableTest {
  private static final String SECRET = "s3cret-value";

  private static List<@Nullable List<@Nullable Object>> values(List<@Nullable Row> rows) {
    List<@Nullable List<@Nullable Object>> values =
        new ArrayList<@Nullable List<@Nullable Object>>();
    rows.forEach(row -> values.add(row == null ? null : Arrays.asList(row.values())));
    return values;
  }

  private static void assertFails(Kind kind, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll(words)
        .hasMessageNotContaining(SECRET)
        .hasNoCause()
        .extracting("kind")
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @EnumSource
  void writesLoadsAndDeletes(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS people",
        "CREATE TABLE people (id bigint PRIMARY KEY, name varchar(20) NOT NULL, age int)");
    try (Database database = new Database(backend.address())) {
      StoreTable people = backend.table(database, "people", "id", "name", "age");
      assertThat(people.columns())
          .containsExactly(
              new StoreColumn("id", ColumnType.BIGINT, false),
              new StoreColumn("name", ColumnType.TEXT, false),
              new StoreColumn("age", ColumnType.INTEGER, true));
      people.write(List.of(put(1, "Ada", 36), put("2", "Bob", null), put(3L, "Cy", "9")));
      people.write(List.of(put(1, "Ada", 37), delete(3), delete(4)));
      people.write(List.of(put(1, "Ada", 37), delete(3), delete(4)));
      assertThat(values(people.load(List.of(9, "2", "abc", 1, 3, 1L, "1e99", "1.5"))))
          .containsExactly(
              null,
              Arrays.asList("Bob", null),
              null,
              List.of("Ada", 37),
              null,
              List.of("Ada", 37),
              null,
              null);
      assertThat(people.load(List.of())).isEmpty();
      assertThat(people.load(List.of("x"))).containsOnlyNulls();
      people.write(List.of());
      assertThatThrownBy(() -> people.write(List.of(put(1, "A", 1), put("1", "B", 2))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("same key");
      assertThatThrownBy(() -> people.write(List.of(put(1, "A"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("2 value columns");
    }
  }

  @ParameterizedTest
  @EnumSource
  void loadsManyKeysAtTheirPositions(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS many", "CREATE TABLE many (k varchar(10) PRIMARY KEY, v int)");
    try (Database database = new Database(backend.address())) {
      StoreTable many = backend.table(database, "many", "k", "v");
      many.write(IntStream.range(0, 3000).mapToObj(i -> put("k" + i, i)).toList());
      List<Object> keys = new ArrayList<>();
      IntStream.range(0, 6000).forEach(i -> keys.add("k" + (5999 - i)));
      List<@Nullable Row> rows = many.load(keys);
      for (int i = 0; i < 6000; i++) {
        Row row = rows.get(i);
        assertThat(row == null ? null : row.values()[0]).isEqualTo(i < 3000 ? null : 5999 - i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTableOfKeysAloneIsWrittenAsOftenAsOneLikes(Backends backend) {
    backend.execute("DROP TABLE IF EXISTS keys_only", "CREATE TABLE keys_only (k int UNIQUE)");
    try (Database database = new Database(backend.address())) {
      StoreTable keys = backend.table(database, "keys_only", "k");
      keys.write(List.of(put(1), put(2)));
      keys.write(List.of(put(1), put(3), delete(2)));
      assertThat(keys.load(List.of(1, 2, 3)).stream().map(Objects::nonNull))
          .containsExactly(true, false, true);
      assertThat(
              JsonRows.toJson(keys.columns(), Objects.requireNonNull(keys.load(List.of(1)).get(0))))
          .asString()
          .isEqualTo("{}");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatOneRowMayNotBeIsToldOfThisRowAlone(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS strict",
        "CREATE TABLE strict (id int PRIMARY KEY, email varchar(12) NOT NULL UNIQUE,"
            + " age smallint CHECK (age >= 0), amount numeric(4, 2))");
    try (Database database = new Database(backend.address())) {
      StoreTable strict = backend.table(database, "strict", "id", "email", "age", "amount");
      List<Change> changes =
          List.of(
              put(1, "a@b.c", 1, 1),
              put(2, SECRET, 2, "99.99"),
              put(3, SECRET, 3, null),
              put(4, null, 4, null),
              put(5, SECRET + SECRET, 5, null),
              put(6, "f@b.c", -6, null),
              put(7, "g@b.c", SECRET, null),
              put(8, "h@b.c", 40_000, null),
              put(9, "i@b.c", 9, "100"),
              put("ten", "j@b.c", 9, 1),
              delete(1),
              put(11, "a@b.c", 11, null));
      assertFails(
          Kind.REFUSED,
          () -> strict.write(changes.subList(0, 3)),
          "table strict",
          "SQLSTATE 23505");
      assertThat(strict.load(List.of(1, 2, 3))).containsOnlyNulls();
      assertThatThrownBy(() -> strict.write(changes.subList(6, 7)))
          .isInstanceOf(StoreValueException.class)
          .hasMessageContainingAll("column age", "whole number")
          .hasMessageNotContaining(SECRET);

      List<Refusal> refusals = strict.writeEach(changes);
      assertThat(refusals).extracting(Refusal::change).isEqualTo(changes.subList(2, 10));
      assertThat(refusals)
          .extracting(Refusal::message)
          .allSatisfy(
              message -> assertThat(message).startsWith("table strict: ").hasSizeLessThan(301))
          .noneMatch(message -> message.contains(SECRET) || message.contains("@b.c"));
      assertThat(refusals.get(0).message()).contains("23505", "unique");
      assertThat(refusals.get(1).message()).contains("23502");
      assertThat(refusals.get(2).message()).contains("22001", "too long");
      assertThat(refusals.get(3).message()).contains("check constraint", "23");
      assertThat(refusals.get(4).message()).contains("age");
      assertThat(refusals.get(5).message()).contains("age");
      assertThat(refusals.get(6).message()).containsPattern("2200[13]");
      assertThat(refusals.get(7).message()).contains("column id");
      assertThat(strict.load(List.of(1, 2, 11)).stream().map(Objects::nonNull))
          .containsExactly(false, true, true);
      assertThat(strict.writeEach(changes)).hasSize(9); // 1 and 11 have the same email
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesAreNamesWhateverIsInThem(Backends backend) {
    String table = "x\"; DROP TABLE victims; --.%_y";
    String key = "k\" = 1 OR 1 = 1; --";
    String value = "v'\"a.l/*";
    backend.execute(
        "DROP TABLE IF EXISTS victims",
        "CREATE TABLE victims (id int PRIMARY KEY)",
        "DROP TABLE IF EXISTS \"x\"\"; DROP TABLE victims; --.%_y\"",
        "CREATE TABLE \"x\"\"; DROP TABLE victims; --.%_y\" (\"k\"\" = 1 OR 1 = 1; --\" int"
            + " PRIMARY KEY, \"v'\"\"a.l/*\" int, \"Name\" int, \"name\" int)");
    try (Database database = new Database(backend.address())) {
      StoreTable odd = backend.table(database, table, key, value, "name", "Name");
      odd.write(List.of(put(1, 2, 3, 4), put(2, 3, 4, 5)));
      odd.write(List.of(delete(2)));
      assertThat(values(odd.load(List.of(1, 2)))).containsExactly(List.of(2, 3, 4), null);
      for (String wrong : List.of("victims\"; DROP TABLE victims; --", "victims' OR '1'='1", "%")) {
        assertFails(
            Kind.MISCONFIGURED, () -> backend.table(database, wrong, "id"), "no such table");
        assertFails(
            Kind.MISCONFIGURED, () -> backend.table(database, "victims", wrong), "no column");
        assertFails(
            Kind.MISCONFIGURED, () -> backend.table(database, "victims", "id", wrong), "no column");
      }
      assertThat(backend.table(database, "victims", "id").load(List.of(1))).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesWithASchemaAndInAnyCaseAreFound(Backends backend) {
    backend.execute(
        "DROP SCHEMA IF EXISTS shop CASCADE",
        "CREATE SCHEMA shop",
        "CREATE TABLE shop.orders (id int PRIMARY KEY, total int)",
        "CREATE TABLE shop.\"dotted.name\" (id int PRIMARY KEY)");
    try (Database database = new Database(backend.address())) {
      StoreTable orders = backend.table(database, "Shop.Orders", "Id", "TOTAL");
      orders.write(List.of(put(1, 2)));
      assertThat(values(backend.table(database, "shop.orders", "id", "total").load(List.of(1))))
          .containsExactly(List.of(2));
      assertThat(orders.columns()).extracting(StoreColumn::name).containsExactly("Id", "TOTAL");
      assertThat(backend.table(database, "shop.dotted.name", "id").load(List.of(1))).hasSize(1);
      assertFails(
          Kind.MISCONFIGURED,
          () -> backend.table(database, "orders", "id"),
          "table orders",
          "no such table",
          "schema.table");
      assertFails(
          Kind.MISCONFIGURED,
          () -> backend.table(database, "shop.orders", "id", "total", "Total"),
          "named twice");
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysMustBeUnique(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS pairs",
        "CREATE TABLE pairs (a int, b int, c int NOT NULL UNIQUE, d int, PRIMARY KEY (a, b))",
        "CREATE UNIQUE INDEX pairs_d_a ON pairs (d, a)");
    try (Database database = new Database(backend.address())) {
      for (String column : List.of("a", "b", "d")) {
        assertFails(
            Kind.MISCONFIGURED,
            () -> backend.table(database, "pairs", column),
            "table pairs: column "
                + column
                + " is neither a primary key nor unique; a map needs a key column with exactly one"
                + " row for each key");
      }
      assertThat(backend.table(database, "pairs", "c", "a").columns()).hasSize(2);
      assertFails(
          Kind.MISCONFIGURED,
          () -> backend.table(database, "pairs", "c", "colour"),
          "table pairs",
          "no column colour",
          "the columns are");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTableThatIsDroppedLaterIsMisconfigured(Backends backend) {
    backend.execute("DROP TABLE IF EXISTS gone", "CREATE TABLE gone (id int PRIMARY KEY, v int)");
    try (Database database = new Database(backend.address())) {
      StoreTable gone = backend.table(database, "gone", "id", "v");
      backend.execute("DROP TABLE gone");
      assertFails(Kind.MISCONFIGURED, () -> gone.load(List.of(1)), "table gone", "42");
      assertFails(Kind.MISCONFIGURED, () -> gone.write(List.of(put(1, 2))), "table gone");
      assertFails(Kind.MISCONFIGURED, () -> gone.writeEach(List.of(put(1, 2))), "table gone");
      assertFails(Kind.MISCONFIGURED, () -> gone.scan(_ -> {}), "table gone");
    }
  }

  @ParameterizedTest
  @EnumSource
  void scansUntilTheEndOrUntilTheConsumerHasEnough(Backends backend) {
    backend.execute(
        "DROP TABLE IF EXISTS scanned",
        "CREATE TABLE scanned (id int UNIQUE, v varchar(10))",
        "INSERT INTO scanned VALUES (1, 'a'), (2, 'b'), (NULL, 'c'), (3, NULL)");
    try (Database database = new Database(backend.address())) {
      StoreTable scanned = backend.table(database, "scanned", "id", "v");
      List<Object> keys = new ArrayList<>();
      scanned.scan(row -> keys.add(row.key()));
      assertThat(keys).containsExactlyInAnyOrder(1, 2, 3);
      IllegalStateException enough = new IllegalStateException("enough");
      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(
                () ->
                    scanned.scan(
                        _ -> {
                          throw enough;
                        }))
            .isSameAs(enough);
      }
      assertThat(scanned.load(List.of(1))).doesNotContainNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void saysWhatItIs(Backends backend) {
    try (Database database = new Database(backend.address())) {
      DatabaseFacts facts = database.check();
      assertThat(facts.product()).isEqualTo(backend == Backends.POSTGRESQL ? "PostgreSQL" : "H2");
      assertThat(facts.version()).matches("\\d+\\..*");
      assertThat(facts.millis()).isBetween(0L, 20_000L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterClosingNothingIsAvailable(Backends backend) {
    backend.execute("DROP TABLE IF EXISTS closed", "CREATE TABLE closed (id int PRIMARY KEY)");
    Database database = new Database(backend.address());
    StoreTable closed = backend.table(database, "closed", "id");
    database.close();
    assertFails(Kind.UNAVAILABLE, () -> closed.load(List.of(1)), "table closed", "closed");
  }
}
