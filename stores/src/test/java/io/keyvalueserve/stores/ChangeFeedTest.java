package io.keyvalueserve.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.stores.StoreException.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes of tables of a real PostgreSQL server. */
final class ChangeFeedTest {
  private static final EmbeddedDatabase POSTGRES = EmbeddedDatabase.shared();

  /** A feed that notes what it says. */
  private static final class Heard implements ChangeFeed.Listener, AutoCloseable {
    final List<String> said = new CopyOnWriteArrayList<>();
    final List<Row> rows = new CopyOnWriteArrayList<>();
    private final Database database;
    private final ChangeFeed feed;
    private final CompletableFuture<Void> end;

    Heard(String table, String slot) {
      database = new Database(address(POSTGRES.user()));
      feed = ChangeFeed.open(database, TableSpec.ofAllColumns(table, "id"), slot);
      end = CompletableFuture.runAsync(() -> feed.run(this), task -> new Thread(task).start());
    }

    @Override
    public void changed(Object key, @Nullable Row row, boolean known) {
      String values = row == null ? "" : Arrays.toString(row.values());
      said.add(key + (known ? "=" : "?") + values);
      if (row != null) {
        rows.add(row);
      }
    }

    @Override
    public void truncated() {
      said.add("truncated");
    }

    @Override
    public void lost() {
      said.add("lost");
    }

    @Override
    public void committed(long position) {
      assertThat(position).isPositive();
    }

    @Override
    public void settle() {}

    @Override
    public boolean isWanted() {
      return true;
    }

    void await(String... lines) {
      org.awaitility.Awaitility.await()
          .untilAsserted(() -> assertThat(said).containsExactly(lines));
    }

    @Override
    public void close() {
      feed.close();
      end.join();
      database.close();
    }
  }

  private static StoreAddress address(String user) {
    return new StoreAddress(POSTGRES.jdbcUrl(), user, null, 2, Duration.ofSeconds(5));
  }

  private static void drop(String table, String slot) {
    try (Database database = new Database(address(POSTGRES.user()))) {
      await()
          .ignoreExceptions()
          .untilAsserted(
              () -> ChangeFeed.drop(database, TableSpec.ofAllColumns(table, "id"), slot));
    }
    assertThat(POSTGRES.value("SELECT slot_name FROM pg_replication_slots")).isNull();
  }

  @Test
  void changesAreHeardInTheirOrder() {
    POSTGRES.execute(
        "CREATE TABLE feed (id text PRIMARY KEY, value text)",
        "INSERT INTO feed VALUES ('old', 1)");
    try (Heard heard = new Heard("feed", "kvs Test/feed")) {
      heard.await("lost");
      POSTGRES.execute(
          "INSERT INTO feed VALUES ('a', '1')",
          "UPDATE feed SET value = NULL WHERE id = 'a'",
          "UPDATE feed SET id = 'b' WHERE id = 'a'",
          "DELETE FROM feed WHERE id = 'b'",
          "TRUNCATE feed");
      heard.await("lost", "a=[1]", "a=[null]", "a=", "b=[null]", "b=", "truncated");
      assertThat(heard.feed.lagMillis()).isLessThan(5_000);
    }
    POSTGRES.execute("INSERT INTO feed VALUES ('while', 'away')");
    try (Heard heard = new Heard("feed", "kvs Test/feed")) {
      heard.await("while=[away]");
    }
    drop("feed", "kvs Test/feed");
    assertThat(POSTGRES.value("SELECT pubname FROM pg_publication_tables WHERE tablename = 'feed'"))
        .isNull();
  }

  @Test
  void valuesAreWhatATableSays() {
    POSTGRES.execute(
        "CREATE TABLE typed (id uuid PRIMARY KEY, n numeric(10,2), f float4, d float8, b bool,"
            + " x bytea, j jsonb, day date, at timestamptz, local timestamp, hour time, i int2,"
            + " l int8)");
    UUID id = UUID.randomUUID();
    try (Heard heard = new Heard("typed", "typed");
        Database database = new Database(address(POSTGRES.user()))) {
      heard.await("lost");
      POSTGRES.execute(
          "INSERT INTO typed VALUES ('"
              + id
              + "', 1.50, 1.1e20, 'NaN', true, '\\x00ff', '{\"a\": 1}', '2026-01-31',"
              + " '2026-01-31 23:59:30.25+05:30', '2026-01-31 23:59:30', '23:59:30.5', -7, 9e15)");
      await().until(() -> heard.rows.size() == 1);
      Row row = heard.rows.getFirst();
      assertThat(row.key()).isEqualTo(id);
      assertThat(row.values())
          .contains(new BigDecimal("1.50"), true, LocalDate.of(2026, 1, 31))
          .contains(OffsetDateTime.parse("2026-01-31T18:29:30.250Z"));
      StoreTable table = database.table(TableSpec.ofAllColumns("typed", "id"));
      Row read = table.load(List.of(id)).getFirst();
      assertThat(Arrays.deepEquals(row.values(), java.util.Objects.requireNonNull(read).values()))
          .isTrue();
      POSTGRES.execute("UPDATE typed SET at = 'infinity', day = '0044-03-15 BC'");
      await().untilAsserted(() -> assertThat(heard.said.getLast()).isEqualTo(id + "?"));
    }
    drop("typed", "typed");
  }

  @Test
  void longValuesThatStayAreNotKnown() {
    POSTGRES.execute(
        "CREATE TABLE toasted (id int PRIMARY KEY, long text, n int)",
        "ALTER TABLE toasted ALTER long SET STORAGE EXTERNAL");
    try (Heard heard = new Heard("toasted", "toasted")) {
      heard.await("lost");
      POSTGRES.execute(
          "INSERT INTO toasted VALUES (1, repeat('x', 10000), 1)", "UPDATE toasted SET n = 2");
      await().untilAsserted(() -> assertThat(heard.said.getLast()).isEqualTo("1?"));
    }
    drop("toasted", "toasted");
  }

  @Test
  void aTableThatGetsOtherColumnsSaysKeysAlone() {
    POSTGRES.execute("CREATE TABLE altered (id int PRIMARY KEY, value int)");
    try (Heard heard = new Heard("altered", "altered")) {
      heard.await("lost");
      POSTGRES.execute(
          "INSERT INTO altered VALUES (1, 1)",
          "ALTER TABLE altered ALTER value TYPE text",
          "INSERT INTO altered VALUES (2, '2')");
      await().untilAsserted(() -> assertThat(heard.said.getLast()).isEqualTo("2?"));
    }
    drop("altered", "altered");
  }

  @Test
  void whatIsMissingIsSaid() {
    POSTGRES.execute(
        "CREATE TABLE bare (id int UNIQUE NOT NULL, value int)",
        "CREATE TABLE owned (id int PRIMARY KEY)",
        "CREATE VIEW seen AS SELECT id FROM owned",
        "CREATE ROLE plain LOGIN",
        "GRANT ALL ON owned TO plain");
    refuses("bare", POSTGRES.user(), "REPLICA IDENTITY USING INDEX");
    refuses("owned", "plain", "does not own it: have its owner say CREATE PUBLICATION kvs_");
    POSTGRES.execute(
        "ALTER TABLE owned OWNER TO plain", "GRANT CREATE ON DATABASE postgres TO plain");
    refuses("owned", "plain", "ALTER ROLE ... REPLICATION");
    POSTGRES.execute("ALTER TABLE bare REPLICA IDENTITY FULL", "ALTER ROLE plain REPLICATION");
    new Heard("bare", "missing").close();
    drop("bare", "missing");
    POSTGRES.execute("DROP TABLE bare, owned CASCADE");
  }

  @Test
  void tablesOfOtherDatabasesAreRefused() {
    try (Database h2 =
        new Database(
            new StoreAddress(
                "jdbc:h2:mem:feeds;DB_CLOSE_DELAY=-1", null, null, 1, Duration.ofSeconds(5)))) {
      assertThatThrownBy(() -> ChangeFeed.open(h2, TableSpec.ofAllColumns("t", "id"), "slot"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("only PostgreSQL tables can be followed");
    }
  }

  private static void refuses(String table, String user, String message) {
    try (Database database = new Database(address(user))) {
      assertThatThrownBy(
              () -> ChangeFeed.open(database, TableSpec.ofAllColumns(table, "id"), "missing"))
          .isInstanceOfSatisfying(
              StoreException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED);
                assertThat(e).hasMessageContaining(message);
              });
    }
  }

  @Test
  void namesOfSlotsAreSafe() {
    assertThat(FeedSetup.safe("kvs_ok")).isEqualTo("kvs_ok");
    assertThat(FeedSetup.safe("Kvs/É; DROP")).matches("kvs_+drop_[0-9a-f]{16}");
    assertThat(FeedSetup.safe("x".repeat(500)))
        .hasSize(56)
        .isNotEqualTo(FeedSetup.safe("x".repeat(501)));
  }

  @Test
  void aSlotIsUsedByOneFeed() {
    POSTGRES.execute("CREATE TABLE shared (id int PRIMARY KEY)");
    try (Heard heard = new Heard("shared", "shared")) {
      heard.await("lost");
      await()
          .until(() -> POSTGRES.value("SELECT 1 FROM pg_replication_slots WHERE active") != null);
      Heard second = new Heard("shared", "shared");
      assertThatThrownBy(second.end::join).hasMessageContaining("is used by another connection");
      second.database.close();
    }
    drop("shared", "shared");
  }
}
