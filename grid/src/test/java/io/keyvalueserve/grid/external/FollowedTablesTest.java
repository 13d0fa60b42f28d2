package io.keyvalueserve.grid.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.EntryListener;
import com.hazelcast.map.IMap;
import com.hazelcast.map.MapEvent;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Maps that follow their PostgreSQL tables while others write there. */
final class FollowedTablesTest {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static EmbeddedDatabase database;
  private static StoredGrid grid;

  @BeforeAll
  static void start() {
    database = EmbeddedDatabase.start();
    // or the server would send changes up to 400 ms after their commit, when it writes its log
    database.execute("ALTER DATABASE postgres SET synchronous_commit = on");
    grid = new StoredGrid(2, database);
  }

  @AfterAll
  static void stop() {
    grid.close();
    database.close();
  }

  private static void follow(StoredGrid followed, int members, String map) {
    for (int i = 0; i < members; i++) {
      link(followed, i, map).startFollowing();
    }
    awaitFollowed(followed, members, map);
  }

  private static StoreLink link(StoredGrid followed, int member, String map) {
    return Objects.requireNonNull(followed.stores(member).link(StoredGrid.name(map)));
  }

  private static void awaitFollowed(StoredGrid followed, int members, String map) {
    await().until(() -> status(followed, members, map).following());
  }

  private static FollowStatus status(StoredGrid followed, int members, String map) {
    FollowStatus status = FollowStatus.NONE;
    for (int i = 0; i < members; i++) {
      status = status.plus(link(followed, i, map).followed());
    }
    return status;
  }

  private static void unfollow(String map) {
    for (int i = 0; i < 2; i++) {
      link(grid, i, map).stopFollowing();
    }
    grid.behind(map, null);
  }

  private static void table(String map, StoreMode mode) {
    grid.table(map, mode, Duration.ZERO);
    follow(grid, 2, map);
  }

  private static void awaitValue(String map, String key, @Nullable String value) {
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(() -> assertThat(grid.get(1, map, key)).isEqualTo(value));
  }

  // ---- changes of others

  @Test
  void changesOfOthersAreSeen() {
    for (StoreMode mode : StoreMode.values()) {
      table("seen", mode);
      assertThat(grid.get(0, "seen", "ada")).isNull(); // and this is remembered
      grid.insert("seen", "ada", "1");
      awaitValue("seen", "ada", "1");
      database.execute("UPDATE seen SET value = '2'");
      awaitValue("seen", "ada", "2");
      database.execute("DELETE FROM seen");
      awaitValue("seen", "ada", null);
      database.execute("INSERT INTO seen SELECT 'k' || i, 'v' FROM generate_series(1, 100) AS i");
      awaitValue("seen", "k100", "v");
      for (int i = 1; i < 100; i++) {
        assertThat(grid.get(0, "seen", "k" + i)).isEqualTo("v");
      }
      database.execute("TRUNCATE seen");
      awaitValue("seen", "k100", null);
      for (int i = 1; i < 100; i++) {
        assertThat(grid.get(1, "seen", "k" + i)).isNull();
      }
      database.execute("INSERT INTO seen VALUES ('old', '1')");
      awaitValue("seen", "old", "1");
      database.execute("UPDATE seen SET id = 'new'");
      awaitValue("seen", "new", "1");
      awaitValue("seen", "old", null);
      unfollow("seen");
    }
  }

  @Test
  void changesAreSeenWithinASecond() throws SQLException {
    List<Long> nanos = new ArrayList<>();
    for (StoreMode mode : StoreMode.values()) {
      table("quick", mode);
      database.execute("INSERT INTO quick SELECT 'k' || i, '-' FROM generate_series(0, 9) AS i");
      for (int i = 0; i < 10; i++) {
        awaitValue("quick", "k" + i, "-");
      }
      try (Connection connection = database.connect();
          PreparedStatement update =
              connection.prepareStatement("UPDATE quick SET value = ? WHERE id = ?")) {
        for (int i = 0; i < 100; i++) {
          String value = mode + "-" + i;
          update.setString(1, value);
          update.setString(2, "k" + i % 10);
          assertThat(update.executeUpdate()).isOne();
          long start = System.nanoTime();
          while (!value.equals(grid.get(i % 2, "quick", "k" + i % 10))) {
            LockSupport.parkNanos(500_000);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
          }
          nanos.add(System.nanoTime() - start);
        }
      }
      unfollow("quick");
    }
    nanos.sort(null);
    long p99 = nanos.get(nanos.size() * 99 / 100);
    assertThat(Duration.ofNanos(p99)).isLessThan(SOON);
  }

  @Test
  void aLargeTransactionIsSeen() {
    grid.table("large", StoreMode.READ_THROUGH, Duration.ZERO);
    database.execute(
        "INSERT INTO large SELECT 'k' || i, 'old' FROM generate_series(1, 10000) AS i");
    follow(grid, 2, "large");
    for (int i = 1; i <= 500; i++) {
      assertThat(grid.get(0, "large", "k" + i * 20)).isEqualTo("old");
    }
    database.execute("UPDATE large SET value = 'new'");
    awaitValue("large", "k10000", "new");
    await()
        .untilAsserted(
            () -> {
              for (int i = 1; i <= 500; i++) {
                assertThat(grid.get(0, "large", "k" + i * 20)).isEqualTo("new");
              }
            });
    assertThat(status(grid, 2, "large").changes()).isEqualTo(10_000);
    unfollow("large");
  }

  @Test
  void keysOfAllFormsFollow() {
    UUID id = new UUID(1, 2);
    database.execute(
        "CREATE TABLE numbered (id bigint PRIMARY KEY, value text)",
        "CREATE TABLE named (id uuid PRIMARY KEY, value text)",
        "INSERT INTO numbered VALUES (1, 'old')",
        "INSERT INTO named VALUES ('" + id + "', 'old')");
    for (String map : List.of("numbered", "named")) {
      grid.behind(map, StoredGrid.settings(map, StoreMode.READ_THROUGH, Duration.ZERO));
      follow(grid, 2, map);
    }
    List<Object> numbers = List.of("1", 1L, 1, (short) 1);
    List<Object> names = List.of(id, id.toString());
    numbers.forEach(key -> assertThat(grid.imap(0, "numbered").get(key)).isEqualTo("old"));
    names.forEach(key -> assertThat(grid.imap(0, "named").get(key)).isEqualTo("old"));
    database.execute("UPDATE numbered SET value = 'new'", "UPDATE named SET value = 'new'");
    await()
        .untilAsserted(
            () -> {
              numbers.forEach(
                  key -> assertThat(grid.imap(1, "numbered").get(key)).isEqualTo("new"));
              names.forEach(key -> assertThat(grid.imap(1, "named").get(key)).isEqualTo("new"));
            });
    unfollow("numbered");
    unfollow("named");
  }

  @Test
  void allRowsStayThereIfTheyAreLoadedAtOnce() {
    database.execute(
        "CREATE TABLE whole (id text PRIMARY KEY, value text)",
        "INSERT INTO whole SELECT 'k' || i, 'v' FROM generate_series(1, 500) AS i");
    grid.behind("whole", StoredGrid.eager("whole"));
    follow(grid, 2, "whole");
    await().until(() -> grid.imap(0, "whole").size() == 500);
    database.execute(
        "INSERT INTO whole VALUES ('new', '1')",
        "UPDATE whole SET value = 'x' WHERE id = 'k7'",
        "DELETE FROM whole WHERE id = 'k8'");
    await()
        .untilAsserted(
            () -> {
              assertThat(grid.imap(0, "whole").size()).isEqualTo(500);
              assertThat(grid.imap(1, "whole").values(each -> "x".equals(each.getValue())))
                  .hasSize(1);
              assertThat(grid.imap(1, "whole").get("k8")).isNull();
            });
    unfollow("whole");
  }

  // ---- own writes

  @Test
  void ownWritesAreNotHeardOfAgain() {
    database.execute("CREATE TABLE own (id bigint PRIMARY KEY, n numeric(10,2), doc jsonb)");
    grid.behind("own", StoredGrid.json("own", StoreMode.WRITE_THROUGH));
    follow(grid, 2, "own");
    IMap<Object, Object> map = grid.imap(1, "own");
    List<String> events = new CopyOnWriteArrayList<>();
    UUID listener = map.addEntryListener(new Noting(events), true);
    String row = "{\"n\": 1.5, \"doc\": {\"b\":[1,2.50], \"a\":1}}";
    for (int i = 0; i < 20; i++) {
      assertThat(grid.set(i % 2, "own", Integer.toString(i), row))
          .isInstanceOf(Outcome.Applied.class);
    }
    await().until(() -> status(grid, 2, "own").changes() == 20);
    awaitSettled();
    for (int i = 0; i < 20; i++) {
      assertThat(grid.get(0, "own", Integer.toString(i))).isEqualTo(row);
    }
    assertThat(grid.status("own").loads()).isZero();
    assertThat(events).hasSize(20).allMatch("ADDED"::equals);

    database.execute("UPDATE own SET n = 2 WHERE id = 3", "DELETE FROM own WHERE id = 4");
    await().untilAsserted(() -> assertThat(events).contains("EVICTED", "REMOVED").hasSize(22));
    assertThat(map.removeEntryListener(listener)).isTrue();
    unfollow("own");
  }

  /** Waits until changes that were heard of have reached their partitions. */
  private static void awaitSettled() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
  }

  private record Noting(List<String> events) implements EntryListener<Object, Object> {
    private void note(EntryEvent<Object, Object> event) {
      events.add(event.getEventType().name());
    }

    @Override
    public void entryAdded(EntryEvent<Object, Object> event) {
      note(event);
    }

    @Override
    public void entryUpdated(EntryEvent<Object, Object> event) {
      note(event);
    }

    @Override
    public void entryRemoved(EntryEvent<Object, Object> event) {
      note(event);
    }

    @Override
    public void entryEvicted(EntryEvent<Object, Object> event) {
      note(event);
    }

    @Override
    public void entryExpired(EntryEvent<Object, Object> event) {
      note(event);
    }

    @Override
    public void mapCleared(MapEvent event) {}

    @Override
    public void mapEvicted(MapEvent event) {}
  }

  @Test
  void echoesBringNothingBack() {
    for (StoreMode mode : List.of(StoreMode.WRITE_THROUGH, StoreMode.WRITE_BEHIND)) {
      table("echo", mode);
      for (int i = 1; i <= 150; i++) {
        assertThat(grid.run(i % 2, "echo", new KeyCommand.Increment(StoredGrid.bytes("n"), 1)))
            .isEqualTo(new Outcome.IntegerResult(i));
      }
      await().untilAsserted(() -> assertThat(grid.row("echo", "n")).isEqualTo("150"));
      database.execute("UPDATE echo SET value = '1000'");
      awaitValue("echo", "n", "1000");
      unfollow("echo");
    }
  }

  @Test
  void writesThatWaitWin() {
    grid.table("later", StoreMode.WRITE_BEHIND, Duration.ofSeconds(2));
    follow(grid, 2, "later");
    assertThat(grid.set(0, "later", "ada", "ours")).isInstanceOf(Outcome.Applied.class);
    grid.insert("later", "ada", "theirs");
    grid.insert("later", "eve", "theirs");
    awaitValue("later", "eve", "theirs");
    awaitSettled();
    assertThat(grid.get(1, "later", "ada")).isEqualTo("ours");
    await().untilAsserted(() -> assertThat(grid.row("later", "ada")).isEqualTo("ours"));
    unfollow("later");
  }

  // ---- failures

  @Test
  void theDatabaseRestarts() {
    table("restarted", StoreMode.READ_THROUGH);
    grid.insert("restarted", "ada", "1");
    awaitValue("restarted", "ada", "1");
    database.restart();
    database.execute("UPDATE restarted SET value = '2'");
    awaitValue("restarted", "ada", "2");
    unfollow("restarted");
  }

  @Test
  void theSlotIsDroppedBehindItsBack() {
    table("dropped", StoreMode.READ_THROUGH);
    grid.insert("dropped", "ada", "1");
    awaitValue("dropped", "ada", "1");
    await()
        .ignoreExceptions()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              database.execute(
                  "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots"
                      + " WHERE slot_name LIKE '%dropped%'",
                  "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
                      + " WHERE slot_name LIKE '%dropped%'",
                  "UPDATE dropped SET value = '2'");
              return true;
            });
    awaitValue("dropped", "ada", "2");
    database.execute("UPDATE dropped SET value = '3'");
    awaitValue("dropped", "ada", "3");
    unfollow("dropped");
  }

  @Test
  void theDatabaseForgetsASlotThatNobodyWants() {
    table("ended", StoreMode.READ_THROUGH);
    String slots = "SELECT count(*) FROM pg_replication_slots WHERE slot_name LIKE '%ended%'";
    assertThat(database.value(slots)).isEqualTo("1");
    for (int i = 0; i < 2; i++) {
      link(grid, i, "ended").stopFollowing();
    }
    await().until(() -> "0".equals(database.value(slots)));
    unfollow("ended");
  }

  @Test
  void anotherMemberGoesOnWhenTheFollowerIsLost() throws InterruptedException {
    try (StoredGrid three = new StoredGrid(3, database)) {
      three.table("taken", StoreMode.READ_THROUGH, Duration.ZERO);
      database.execute("INSERT INTO taken SELECT 'k' || i, '0' FROM generate_series(0, 49) AS i");
      follow(three, 3, "taken");
      for (int i = 0; i < 50; i++) {
        assertThat(three.get(0, "taken", "k" + i)).isEqualTo("0");
      }
      AtomicBoolean ended = new AtomicBoolean();
      Thread writer = Thread.ofPlatform().start(() -> writeUntil(ended));
      awaitSettled();
      int follower = 0;
      while (!link(three, follower, "taken").followed().following()) {
        follower++;
      }
      three.kill(follower);
      awaitFollowed(three, 2, "taken");
      ended.set(true);
      writer.join();
      await()
          .untilAsserted(
              () -> {
                for (int i = 0; i < 50; i++) {
                  assertThat(three.get(0, "taken", "k" + i)).isEqualTo(three.row("taken", "k" + i));
                }
              });
    }
  }

  private static void writeUntil(AtomicBoolean ended) {
    for (int i = 1; !ended.get(); i++) {
      database.execute("UPDATE taken SET value = '" + i + "' WHERE id = 'k" + i % 50 + "'");
    }
  }
}
