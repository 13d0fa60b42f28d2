package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.stores.StoreException.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What PostgreSQL alone has: its types, its words, its ways to fail. */
class PostgresTest {
  private static final EmbeddedDatabase SERVER = EmbeddedDatabase.shared();
  private static final String SECRET = "s3cret-value";
  private static final String PASSWORD = "correct-horse";

  private static StoreAddress address(Duration timeout, int pool) {
    return new StoreAddress(SERVER.jdbcUrl(), SERVER.user(), null, pool, timeout);
  }

  private static Database database() {
    return new Database(address(Duration.ofSeconds(20), 4));
  }

  private static TableSpec spec(String table, String key, String... values) {
    return new TableSpec(table, key, List.of(values));
  }

  private static StoreException failure(ThrowingCallable call) {
    try {
      call.call();
    } catch (StoreException e) {
      assertThat(e).hasNoCause();
      assertThat(e.getMessage()).hasSizeLessThanOrEqualTo(300).doesNotContain(SECRET, PASSWORD);
      return e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("nothing failed");
  }

  private static @Nullable Object one(StoreTable table, Object key) {
    return Objects.requireNonNull(table.load(List.of(key)).get(0)).values()[0];
  }

  @ParameterizedTest
  @CsvSource({
    "varchar(20), TEXT, x",
    "char(5), TEXT, 'x    '",
    "name, TEXT, x",
    "post_mood, TEXT, happy",
    "post_email, TEXT, a@b",
    "post_count, BIGINT, 7",
    "smallserial, SMALLINT, 7",
    "serial, INTEGER, 7",
    "bigserial, BIGINT, 7",
    "'numeric(8,2)', NUMERIC, 7.50",
    "jsonb, JSON, '{\"a\": 1.50}'",
    "timestamp(0), TIMESTAMP, 2026-01-31T12:00",
  })
  void mapsTypes(String sql, ColumnType type, String value) {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_typed, post_keyed",
        "DROP TYPE IF EXISTS post_mood",
        "CREATE TYPE post_mood AS ENUM ('happy', 'sad')",
        "DROP DOMAIN IF EXISTS post_email, post_count",
        "CREATE DOMAIN post_email AS varchar(30) CHECK (VALUE LIKE '%@%')",
        "CREATE DOMAIN post_count AS bigint",
        "CREATE TABLE post_typed (id int PRIMARY KEY, v " + sql + ")",
        "CREATE TABLE post_keyed (k " + sql + " PRIMARY KEY)");
    try (Database database = database()) {
      StoreTable table = database.table(spec("post_typed", "id", "v"));
      assertThat(table.columns().get(1).type()).isEqualTo(type);
      table.write(List.of(Change.put(1, value)));
      Object read = Objects.requireNonNull(one(table, 1));
      assertThat(ScalarValues.toBytes(type, read)).asString().isEqualTo(value);

      StoreTable keyed = database.table(spec("post_keyed", "k"));
      keyed.write(List.of(Change.put(value)));
      assertThat(keyed.load(List.of(value.strip(), value)))
          .doesNotContainNull()
          .extracting(Row::key)
          .containsOnly(read);
      assertThat(keyed.load(List.of("none of this", value)).get(0)).isNull();
      keyed.write(List.of(Change.delete(value)));
      assertThat(keyed.load(List.of(value))).containsOnlyNulls();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "int[]",
    "xml",
    "interval",
    "point",
    "money",
    "bit(3)",
    "time with time zone",
    "inet"
  })
  void refusesOtherTypes(String sql) {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_other",
        "CREATE TABLE post_other (id int PRIMARY KEY, odd " + sql + ")");
    try (Database database = database()) {
      StoreException e = failure(() -> database.table(spec("post_other", "id", "odd")));
      assertThat(e)
          .hasMessageContainingAll("table post_other: column odd is of type ", "not supported");
      assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
      assertThat(database.table(spec("post_other", "id")).columns()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE UNIQUE INDEX ON post_index (k) WHERE v > 0",
        "CREATE UNIQUE INDEX ON post_index (lower(k))",
        "CREATE UNIQUE INDEX ON post_index (k, v)",
        "CREATE INDEX ON post_index (k)",
        "ALTER TABLE post_index ADD UNIQUE (k) DEFERRABLE",
      })
  void indexesThatDoNotMakeAKeyAreNone(String index) {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_index", "CREATE TABLE post_index (k text, v int)", index);
    try (Database database = database()) {
      assertThat(failure(() -> database.table(spec("post_index", "k"))))
          .hasMessageContaining("neither a primary key nor unique");
    }
  }

  @Test
  void keysAreEqualIfTheDatabaseHoldsThemForEqual() {
    SERVER.execute(
        "DROP SCHEMA IF EXISTS post_ci CASCADE",
        "CREATE SCHEMA post_ci",
        "CREATE EXTENSION IF NOT EXISTS citext",
        "CREATE TABLE post_ci.t (k citext PRIMARY KEY, v int)",
        "CREATE TABLE post_ci.n (k numeric PRIMARY KEY, v int)");
    try (Database database = database()) {
      StoreTable text = database.table(spec("post_ci.t", "k", "v"));
      text.write(List.of(Change.put("Ada", 1)));
      text.write(List.of(Change.put("ADA", 2)));
      assertThat(one(text, "ada")).isEqualTo(2);
      text.write(List.of(Change.delete("aDa")));
      assertThat(text.load(List.of("Ada"))).containsOnlyNulls();
      StoreTable number = database.table(spec("post_ci.n", "k", "v"));
      number.write(List.of(Change.put("1.50", 1)));
      assertThat(one(number, "1.5")).isEqualTo(1);
    }
  }

  @Test
  void viewsHaveNoKeyAndPartitionedTablesHave() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_parts CASCADE",
        "CREATE TABLE post_parts (id int PRIMARY KEY, v int) PARTITION BY HASH (id)",
        "CREATE TABLE post_part0 PARTITION OF post_parts FOR VALUES WITH (MODULUS 1, REMAINDER 0)",
        "CREATE VIEW post_view AS SELECT * FROM post_parts");
    try (Database database = database()) {
      StoreTable parts = database.table(spec("post_parts", "id", "v"));
      parts.write(List.of(Change.put(1, 2)));
      assertThat(one(parts, 1)).isEqualTo(2);
      assertThat(failure(() -> database.table(spec("post_view", "id"))))
          .hasMessageContaining("key");
    }
  }

  @Test
  void aTypeThatChangedIsReadAnew() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_changed",
        "CREATE TABLE post_changed (id int PRIMARY KEY, v text)");
    try (Database database = database()) {
      StoreTable text = database.table(spec("post_changed", "id", "v"));
      for (int i = 0; i < 10; i++) {
        text.write(List.of(Change.put(i, "{}")));
      }
      SERVER.execute("ALTER TABLE post_changed ALTER v TYPE jsonb USING v::jsonb");
      StoreTable json = database.table(spec("post_changed", "id", "v"));
      json.write(List.of(Change.put(1, "[1]")));
      assertThat(one(json, 1)).isEqualTo("[1]");
    }
  }

  @Test
  void numbersThatAreNoneAreToldWithTheirColumn() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_nan",
        "CREATE TABLE post_nan (id int PRIMARY KEY, v numeric)",
        "INSERT INTO post_nan VALUES (1, 'NaN'), (2, 1e-20)");
    try (Database database = database()) {
      StoreTable table = database.table(spec("post_nan", "id", "v"));
      assertThat(failure(() -> table.load(List.of(1)))).hasMessageContaining("column v holds NaN");
      assertThat(one(table, 2)).isEqualTo(new BigDecimal("0.00000000000000000001"));
    }
  }

  @Test
  void datesWithoutEndAreKept() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_endless",
        "CREATE TABLE post_endless (id int PRIMARY KEY, d date, t timestamp, z timestamptz)",
        "INSERT INTO post_endless VALUES (1, 'infinity', 'infinity', 'infinity'),"
            + " (2, '-infinity', '-infinity', '-infinity')");
    try (Database database = database()) {
      StoreTable table = database.table(spec("post_endless", "id", "d", "t", "z"));
      for (Row row : table.load(List.of(1, 2))) {
        table.write(List.of(Change.put(Objects.requireNonNull(row).key(), row.values())));
      }
      assertThat(
              SERVER.value(
                  "SELECT string_agg(concat_ws(' ', d, t, z), ', ' ORDER BY id) FROM post_endless"))
          .isEqualTo("infinity infinity infinity, -infinity -infinity -infinity");
    }
  }

  /** The server puts values into its words, their details, and what functions say. */
  @Test
  void messagesHaveNoValuesOfRows() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_said",
        "DROP TYPE IF EXISTS post_size",
        "CREATE TYPE post_size AS ENUM ('S', 'L')",
        "CREATE TABLE post_said (id int PRIMARY KEY, name text UNIQUE, size post_size,"
            + " age int CONSTRAINT adult CHECK (age > 17), data jsonb)",
        "CREATE OR REPLACE FUNCTION post_refuse() RETURNS trigger AS $$ BEGIN"
            + " IF NEW.age = 99 THEN RAISE EXCEPTION 'no % here', NEW.name; END IF;"
            + " IF NEW.age = 98 THEN RAISE 'no % here', NEW.name USING ERRCODE = '23514'; END IF;"
            + " RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON post_said"
            + " FOR EACH ROW EXECUTE FUNCTION post_refuse()");
    try (Database database = database()) {
      StoreTable said = database.table(spec("post_said", "id", "name", "size", "age", "data"));
      said.write(List.of(Change.put(1, SECRET, "S", 20, null)));
      List<String> messages =
          said
              .writeEach(
                  List.of(
                      Change.put(2, SECRET, "L", 20, null),
                      Change.put(3, "a", SECRET + "\" \n: \"", 20, null),
                      Change.put(4, SECRET + "4", "L", 10, null),
                      Change.put(5, SECRET + "5", "L", 99, null),
                      Change.put(6, SECRET + "6", "L", 98, null),
                      Change.put(7, "b", "L", 20, "{\"" + SECRET + "\": \"\\u0000\"}"),
                      Change.put(8, "x".repeat(3000) + SECRET, "L", 20, null)))
              .stream()
              .map(Refusal::message)
              .toList();
      assertThat(messages).noneMatch(message -> message.contains(SECRET));
      assertThat(messages.get(0)).contains("23505", "post_said_name_key");
      assertThat(messages.get(1)).contains("22P02", "invalid input value for enum");
      assertThat(messages.get(2)).contains("23514", "adult");
      assertThat(messages.get(3)).contains("P0001", "trigger or function");
      assertThat(messages.get(4)).contains("23514", "trigger or function");
      assertThat(messages.get(5)).contains("22P05");
      assertThat(messages).hasSizeGreaterThanOrEqualTo(6);
    }
  }

  @Test
  void aStatementThatTakesTooLongIsToBeTriedAgain() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_slow",
        "CREATE TABLE post_slow (id int PRIMARY KEY, v int)",
        "CREATE OR REPLACE FUNCTION post_sleep() RETURNS trigger AS $$ BEGIN"
            + " PERFORM pg_sleep(30); RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER slow BEFORE INSERT ON post_slow"
            + " FOR EACH ROW WHEN (NEW.v = 1) EXECUTE FUNCTION post_sleep()");
    try (Database database = new Database(address(Duration.ofMillis(300), 2))) {
      StoreTable slow = database.table(spec("post_slow", "id", "v"));
      long start = System.nanoTime();
      StoreException e = failure(() -> slow.write(List.of(Change.put(1, 1))));
      assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(e).hasMessageContainingAll("table post_slow", "timeout", "57014");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      slow.write(List.of(Change.put(1, 2)));
      assertThat(one(slow, 1)).isEqualTo(2);
    }
  }

  @Test
  void waitsNoLongerForAConnectionThanItMay() throws Exception {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_busy",
        "CREATE TABLE post_busy (id int PRIMARY KEY)",
        "INSERT INTO post_busy VALUES (1)");
    CountDownLatch scanning = new CountDownLatch(1);
    CountDownLatch enough = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Database database = new Database(address(Duration.ofMillis(500), 1))) {
      StoreTable busy = database.table(spec("post_busy", "id"));
      Future<?> scan =
          threads.submit(
              () ->
                  busy.scan(
                      _ -> {
                        scanning.countDown();
                        await(enough);
                      }));
      await(scanning);
      StoreException e = failure(() -> busy.load(List.of(1)));
      assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(e).hasMessageContainingAll("table post_busy", "poolSize");
      enough.countDown();
      scan.get();
      assertThat(busy.load(List.of(1))).doesNotContainNull();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rightsAndPasswordsThatAreMissingAreMisconfigured() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_rights",
        "CREATE TABLE post_rights (id int PRIMARY KEY, v int)",
        "DROP ROLE IF EXISTS guarded",
        "CREATE ROLE guarded LOGIN PASSWORD '" + PASSWORD + "'");
    Duration second = Duration.ofSeconds(1);
    StoreAddress right = new StoreAddress(SERVER.jdbcUrl(), "guarded", PASSWORD, 2, second);
    StoreAddress wrong = new StoreAddress(SERVER.jdbcUrl(), "guarded", PASSWORD + "!", 2, second);
    StoreAddress elsewhere =
        new StoreAddress(SERVER.jdbcUrl() + "1", SERVER.user(), null, 2, second);
    try (Database database = new Database(right);
        Database locked = new Database(wrong);
        Database missing = new Database(elsewhere)) {
      StoreException password = failure(locked::check);
      assertThat(password.kind()).isEqualTo(Kind.MISCONFIGURED);
      assertThat(password).hasMessageContainingAll("password authentication failed", "28P01");
      assertThat(failure(missing::check).kind()).isEqualTo(Kind.MISCONFIGURED);

      assertThat(failure(() -> database.table(spec("post_rights", "id"))))
          .hasMessageContainingAll("permission denied", "42501", "grant");
      SERVER.execute("GRANT SELECT ON post_rights TO guarded");
      StoreTable table = database.table(spec("post_rights", "id", "v"));
      assertThat(table.load(List.of(1))).containsOnlyNulls();
      for (StoreException e :
          List.of(
              failure(() -> table.write(List.of(Change.put(1, 1)))),
              failure(() -> table.writeEach(List.of(Change.put(1, 1)))))) {
        assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
        assertThat(e).hasMessageContainingAll("table post_rights", "42501");
      }
      SERVER.execute(
          "ALTER ROLE guarded PASSWORD 'another'",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guarded'");
      assertThat(failure(() -> table.load(List.of(1)))).isNotNull();
      StoreException later = failure(() -> table.load(List.of(1)));
      assertThat(later.kind()).isEqualTo(Kind.MISCONFIGURED);
      assertThat(later).hasMessageContaining("28P01");
    } finally {
      SERVER.execute("DROP TABLE post_rights", "DROP ROLE guarded");
    }
  }

  @Test
  void aDatabaseThatOnlyReadsIsToBeTriedAgain() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_standby", "CREATE TABLE post_standby (id int PRIMARY KEY)");
    try (Database database = database()) {
      StoreTable table = database.table(spec("post_standby", "id"));
      SERVER.execute("ALTER ROLE postgres SET default_transaction_read_only = on");
      StoreException e = failure(() -> table.write(List.of(Change.put(1))));
      assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(e.sqlState()).isEqualTo("25006");
    } finally {
      SERVER.execute("SET transaction_read_only = off; ALTER ROLE postgres RESET ALL");
    }
  }

  @Test
  void aScanHoldsFewRowsAtATime() {
    SERVER.execute(
        "DROP TABLE IF EXISTS post_scan",
        "CREATE UNLOGGED TABLE post_scan (id int PRIMARY KEY, v text)",
        "INSERT INTO post_scan SELECT i, repeat('x', 1000) FROM generate_series(1, 100000) i");
    try (Database database = database()) {
      StoreTable table = database.table(spec("post_scan", "id", "v"));
      AtomicInteger count = new AtomicInteger();
      AtomicLong sum = new AtomicLong();
      AtomicLong least = new AtomicLong(Long.MAX_VALUE);
      AtomicLong most = new AtomicLong();
      table.scan(
          row -> {
            sum.addAndGet((Integer) row.key());
            if (count.incrementAndGet() % 33_000 == 1) {
              long used = used();
              least.accumulateAndGet(used, Math::min);
              most.accumulateAndGet(used, Math::max);
            }
          });
      assertThat(count).hasValue(100_000);
      assertThat(sum).hasValue(5_000_050_000L);
      assertThat(most.get() - least.get()).isLessThan(20_000_000);
      assertThat(most.get()).isLessThan(90_000_000);
    } finally {
      SERVER.execute("DROP TABLE post_scan");
    }
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void anIdlePoolHasNoConnectionUntilItIsUsed() {
    StoreAddress nowhere =
        new StoreAddress(
            "jdbc:postgresql://localhost:1/x", "u", PASSWORD, 1, Duration.ofMillis(300));
    try (Database database = new Database(nowhere)) {
      StoreException e = failure(database::check);
      assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(e).hasMessageContainingAll("database: ", "localhost:1 refused", "08001");
      assertThat(failure(() -> database.table(spec("t", "k"))).kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(database.toString()).doesNotContain(PASSWORD);
    }
  }

  @Test
  void aServerThatComesBackIsUsedAgain() {
    try (EmbeddedDatabase server = EmbeddedDatabase.start();
        Database database =
            new Database(
                new StoreAddress(
                    server.jdbcUrl(), server.user(), null, 3, Duration.ofSeconds(1)))) {
      server.execute("CREATE TABLE t (id int PRIMARY KEY, v int)");
      assertThat(server.value("SHOW wal_level")).isEqualTo("logical");
      StoreTable table = database.table(spec("t", "id", "v"));
      table.write(List.of(Change.put(1, 1)));
      int port = server.port();
      server.stop();
      assertThat(failure(() -> table.load(List.of(1))).kind()).isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure(() -> table.write(List.of(Change.put(2, 2)))).kind())
          .isEqualTo(Kind.UNAVAILABLE);
      assertThat(failure(() -> table.writeEach(List.of(Change.put(2, 2)))).kind())
          .isEqualTo(Kind.UNAVAILABLE);
      server.restart();
      assertThat(server.port()).isEqualTo(port);
      table.write(List.of(Change.put(2, 2)));
      assertThat(table.load(List.of(1, 2)))
          .extracting(row -> Arrays.asList(Objects.requireNonNull(row).values()))
          .containsExactly(List.of(1), List.of(2));
      server.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ="
              + " 'keyvalueserve'");
      assertThat(attemptsUntilWritten(table, Change.put(3, 3))).isLessThanOrEqualTo(4);
    }
  }

  /** Connections that were used a moment ago are not tried before, but fail each once. */
  private static int attemptsUntilWritten(StoreTable table, Change change) {
    for (int attempts = 1; ; attempts++) {
      try {
        table.write(List.of(change));
        return attempts;
      } catch (StoreException e) {
        assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
      }
    }
  }
}
