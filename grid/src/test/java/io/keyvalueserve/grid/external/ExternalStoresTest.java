package io.keyvalueserve.grid.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.query.Predicates;
import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.maps.ExternalStoreException;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Maps with tables of PostgreSQL behind them, through both kinds of operations. */
final class ExternalStoresTest {
  private static EmbeddedDatabase database;
  private static StoredGrid grid;

  @BeforeAll
  static void start() {
    database = EmbeddedDatabase.start();
    grid = new StoredGrid(2, database);
  }

  @AfterAll
  static void stop() {
    grid.close();
    database.close();
  }

  // ---- loads

  @Test
  void aReadThatMissesLoads() {
    grid.table("reads", StoreMode.READ_THROUGH, Duration.ZERO);
    grid.insert("reads", "ada", "1815");

    for (int member = 0; member < 2; member++) {
      assertThat(grid.get(member, "reads", "ada")).isEqualTo("1815");
      assertThat(grid.get(member, "reads", "eve")).isNull();
    }
    assertThat(grid.imap(0, "reads").get("ada")).isEqualTo("1815");
    assertThat(grid.imap(1, "reads").containsKey("ada")).isTrue();
    assertThat(grid.imap(1, "reads").containsKey("eve")).isFalse();
    assertThat(grid.status("reads").loaded()).isEqualTo(1);
  }

  @Test
  void manyWhoWaitForOneKeyLoadItOnce() throws Exception {
    grid.table("crowd", StoreMode.READ_THROUGH, Duration.ZERO);
    grid.insert("crowd", "ada", "1815");

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> reads = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        int member = i % 2;
        reads.add(threads.submit(() -> grid.get(member, "crowd", "ada")));
      }
      for (Future<String> read : reads) {
        assertThat(read.get()).isEqualTo("1815");
      }
    }

    assertThat(grid.status("crowd").loads()).isEqualTo(1);
  }

  @Test
  void manyKeysAreLoadedTogether() {
    grid.table("many", StoreMode.READ_THROUGH, Duration.ZERO);
    database.execute(
        "INSERT INTO many SELECT 'k' || i, 'v' || i FROM generate_series(1, 3000) AS i");

    List<KeyCommand> reads = new ArrayList<>();
    for (int i = 1; i <= 3_300; i++) {
      reads.add(new KeyCommand.Read(StoredGrid.bytes("k" + i)));
    }
    List<Outcome> outcomes = grid.run(0, "many", reads);
    for (int i = 1; i <= 3_300; i++) {
      if (i <= 3_000) {
        assertThat(outcomes.get(i - 1))
            .isInstanceOfSatisfying(
                Outcome.Entry.class, entry -> assertThat(entry.value()).asString().startsWith("v"));
      } else {
        assertThat(outcomes.get(i - 1)).isEqualTo(Outcome.Missing.MISSING);
      }
    }
    Set<Object> keys =
        IntStream.rangeClosed(1, 200).mapToObj(i -> "k" + i).collect(Collectors.toSet());
    grid.imap(0, "many").evictAll();
    Map<Object, Object> all = grid.imap(1, "many").getAll(keys);
    assertThat(all).hasSize(200).containsEntry("k7", "v7");
    assertThat(grid.status("many").loads()).isLessThan(60);
    assertThat(grid.status("many").loaded()).isEqualTo(3_200);
    assertThat(grid.status("many").absent()).isEqualTo(300);
  }

  @Test
  void commandsThatLookAtTheEntryLoadIt() {
    grid.table("looks", StoreMode.READ_THROUGH, Duration.ZERO);
    for (String key : List.of("a", "b", "c", "d", "e")) {
      grid.insert("looks", key, "41");
    }

    assertThat(grid.run(0, "looks", new KeyCommand.Increment(StoredGrid.bytes("a"), 1)))
        .isEqualTo(new Outcome.IntegerResult(42));
    assertThat(
            grid.run(
                0,
                "looks",
                new KeyCommand.Write(
                    StoredGrid.bytes("b"),
                    StoredGrid.bytes("new"),
                    Expiry.NONE,
                    WriteCondition.IF_ABSENT,
                    false)))
        .isInstanceOf(Outcome.NotApplied.class);
    assertThat(grid.run(0, "looks", new KeyCommand.Probe(StoredGrid.bytes("c"), false)))
        .isInstanceOf(Outcome.Info.class);
    assertThat(grid.imap(1, "looks").put("d", "42")).isEqualTo("41");
    assertThat(grid.imap(1, "looks").putIfAbsent("e", "42")).isEqualTo("41");
  }

  @Test
  void aDatabaseThatIsGoneFailsWhatNeedsItAlone() {
    grid.table("partly", StoreMode.READ_THROUGH, Duration.ZERO);
    grid.insert("partly", "here", "1");
    assertThat(grid.get(0, "partly", "here")).isEqualTo("1");

    database.stop();
    try {
      List<Outcome> outcomes =
          grid.run(
              0,
              "partly",
              List.of(
                  new KeyCommand.Read(StoredGrid.bytes("here")),
                  new KeyCommand.Read(StoredGrid.bytes("elsewhere"))));
      assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Entry.class);
      assertThat(outcomes.getLast())
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE);
                assertThat(failure.message()).doesNotContain("localhost", "jdbc");
              });
      assertThatThrownBy(() -> grid.imap(1, "partly").get("nowhere"))
          .isInstanceOf(ExternalStoreException.class);
    } finally {
      database.restart();
    }
    await().untilAsserted(() -> assertThat(grid.get(0, "partly", "elsewhere")).isNull());
  }

  // ---- written through

  @Test
  void aWriteIsInTheTableWhenItIsAnswered() {
    grid.table("through", StoreMode.WRITE_THROUGH, Duration.ZERO);

    assertThat(grid.set(0, "through", "ada", "1815")).isInstanceOf(Outcome.Applied.class);
    assertThat(grid.row("through", "ada")).isEqualTo("1815");
    Object before = grid.imap(1, "through").put("ada", "1816");
    assertThat(before).isEqualTo(StoredGrid.bytes("1815")); // as Redis clients write it
    assertThat(grid.row("through", "ada")).isEqualTo("1816");
    assertThat(grid.imap(1, "through").replace("ada", "1816", "1817")).isTrue();
    assertThat(grid.row("through", "ada")).isEqualTo("1817");
    assertThat(grid.remove(0, "through", "ada")).isInstanceOf(Outcome.Applied.class);
    assertThat(grid.rows("through")).isZero();
    assertThat(grid.get(1, "through", "ada")).isNull();
  }

  @Test
  void aWriteThatTheDatabaseRefusesIsTakenBack() {
    grid.table("refusing", StoreMode.WRITE_THROUGH, Duration.ZERO);
    Outcome _ = grid.set(0, "refusing", "ada", "good");

    Outcome refused = grid.set(0, "refusing", "ada", "evil");
    assertThat(refused)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.NOT_STORABLE));
    for (int member = 0; member < 2; member++) {
      assertThat(grid.get(member, "refusing", "ada")).isEqualTo("good");
    }
    assertThatThrownBy(() -> grid.imap(1, "refusing").set("ada", "evil"))
        .isInstanceOf(ExternalStoreException.class);
    assertThat(grid.get(0, "refusing", "ada")).isEqualTo("good"); // loaded, or the first write
    List<Outcome> outcomes =
        grid.run(
            0,
            "refusing",
            List.of(
                KeyCommand.Write.of(StoredGrid.bytes("x"), StoredGrid.bytes("fine")),
                KeyCommand.Write.of(StoredGrid.bytes("y"), StoredGrid.bytes("evil")),
                KeyCommand.Write.of(StoredGrid.bytes("z"), StoredGrid.bytes("fine"))));
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Applied.class);
    assertThat(outcomes.get(1)).isInstanceOf(Failure.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Applied.class);
    assertThat(grid.rows("refusing")).isEqualTo(3);
    await().until(() -> grid.status("refusing").waiting() == 0);
  }

  @Test
  void incrementsOfManyClientsAddUpInTheTable() throws Exception {
    grid.table("sums", StoreMode.WRITE_THROUGH, Duration.ZERO);
    grid.insert("sums", "n", "100");

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int member = i % 2;
        all.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < 10; n++) {
                    assertThat(
                            grid.run(
                                member, "sums", new KeyCommand.Increment(StoredGrid.bytes("n"), 1)))
                        .isInstanceOf(Outcome.IntegerResult.class);
                  }
                }));
      }
      for (Future<?> each : all) {
        Object _ = each.get();
      }
    }

    assertThat(grid.row("sums", "n")).isEqualTo("180");
    assertThat(grid.get(0, "sums", "n")).isEqualTo("180");
  }

  @Test
  void aWriteIsRefusedWhileTheDatabaseIsGone() {
    grid.table("gone", StoreMode.WRITE_THROUGH, Duration.ZERO);
    Outcome _ = grid.set(0, "gone", "ada", "before");

    database.stop();
    try {
      assertThat(grid.set(0, "gone", "ada", "after"))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
    } finally {
      database.restart();
    }
    await()
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(grid.run(0, "gone", new KeyCommand.Read(StoredGrid.bytes("ada"))))
                  .isInstanceOfSatisfying(
                      Outcome.Entry.class,
                      entry -> assertThat(entry.value()).asString().isEqualTo("before"));
            });
    assertThat(grid.row("gone", "ada")).isEqualTo("before");
  }

  // ---- written behind

  @Test
  void writesReachTheTableInBatches() {
    grid.table("behind", StoreMode.WRITE_BEHIND, Duration.ofMillis(200));

    for (int i = 0; i < 300; i++) {
      assertThat(grid.set(i % 2, "behind", "k" + (i < 200 ? i % 10 : i - 200), "v" + i))
          .isInstanceOf(Outcome.Applied.class);
    }
    Object _ = grid.imap(1, "behind").remove("k1");
    await()
        .untilAsserted(
            () -> {
              assertThat(grid.rows("behind")).isEqualTo(99);
              assertThat(grid.status("behind").waiting()).isZero();
            });
    assertThat(grid.row("behind", "k7")).isEqualTo("v207");
    assertThat(grid.row("behind", "k1")).isNull();
    assertThat(grid.status("behind").written()).isLessThan(300);
  }

  @Test
  void whatWaitsIsReadThoughItWasEvicted() {
    grid.table("evicted", StoreMode.WRITE_BEHIND, Duration.ofMinutes(10));
    grid.insert("evicted", "old", "1");
    Outcome _ = grid.set(0, "evicted", "ada", "waits");
    Outcome _ = grid.remove(0, "evicted", "old");

    grid.imap(0, "evicted").evictAll();
    assertThat(grid.get(1, "evicted", "ada")).isEqualTo("waits");
    assertThat(grid.get(1, "evicted", "old")).isNull();
    assertThat(grid.row("evicted", "old")).isEqualTo("1");
  }

  @Test
  void aRowThatIsRefusedBecomesADeadLetter() {
    grid.table("letters", StoreMode.WRITE_BEHIND, Duration.ZERO);
    assertThat(grid.set(0, "letters", "bad", "evil")).isInstanceOf(Outcome.Applied.class);
    assertThat(grid.set(0, "letters", "good", "fine")).isInstanceOf(Outcome.Applied.class);

    await()
        .untilAsserted(
            () -> {
              assertThat(grid.row("letters", "good")).isEqualTo("fine");
              assertThat(grid.status("letters").dead()).isEqualTo(1);
            });
    assertThat(grid.get(1, "letters", "bad")).isEqualTo("evil");
    assertThat(grid.set(1, "letters", "bad", "better")).isInstanceOf(Outcome.Applied.class);
    await()
        .untilAsserted(
            () -> {
              assertThat(grid.row("letters", "bad")).isEqualTo("better");
              assertThat(grid.status("letters").dead()).isZero();
            });
  }

  @Test
  void writesWaitWhileTheDatabaseIsGone() {
    grid.table("patient", StoreMode.WRITE_BEHIND, Duration.ZERO);
    database.stop();
    try {
      for (int i = 0; i < 50; i++) {
        assertThat(grid.set(0, "patient", "k" + i, "v" + i)).isInstanceOf(Outcome.Applied.class);
      }
      await().until(() -> grid.status("patient").problem() != null);
    } finally {
      database.restart();
    }
    await().untilAsserted(() -> assertThat(grid.rows("patient")).isEqualTo(50));
  }

  @Test
  void writesAreRefusedWhenTooManyWait() {
    grid.table("crowded", StoreMode.WRITE_BEHIND, Duration.ofHours(1));
    grid.behind("crowded", StoredGrid.bounded("crowded", 10));
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      outcomes.add(grid.set(0, "crowded", "k" + i, "v"));
    }
    assertThat(outcomes).filteredOn(Outcome.Applied.class::isInstance).hasSizeBetween(10, 20);
    assertThat(outcomes.getLast())
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.UNAVAILABLE));
    assertThat(grid.set(0, "unbounded", "other", "v")).isInstanceOf(Outcome.Applied.class);
  }

  @Test
  void theLastMemberWritesWhatWaits() {
    try (StoredGrid one = new StoredGrid(1, database)) {
      one.table("last", StoreMode.WRITE_BEHIND, Duration.ofHours(1));
      for (int i = 0; i < 20; i++) {
        assertThat(one.set(0, "last", "k" + i, "v" + i)).isInstanceOf(Outcome.Applied.class);
      }
      assertThat(one.rows("last")).isZero();

      one.stores(0).drain();

      assertThat(one.rows("last")).isEqualTo(20);
    }
  }

  @Test
  void aRefusedWriteGivesItsPlaceBackToTheOneThatWaited() {
    grid.table("restored", StoreMode.WRITE_BEHIND, Duration.ofHours(1));
    assertThat(grid.set(0, "restored", "ada", "waits")).isInstanceOf(Outcome.Applied.class);
    grid.behind(
        "restored", StoredGrid.settings("restored", StoreMode.WRITE_THROUGH, Duration.ZERO));

    assertThat(grid.set(1, "restored", "ada", "evil")).isInstanceOf(Failure.class);

    assertThat(grid.get(0, "restored", "ada")).isEqualTo("waits");
    await().until(() -> "waits".equals(grid.row("restored", "ada")));
  }

  @Test
  void clearDeletesRowsAlsoOfWritesThatWait() {
    grid.table("cleared", StoreMode.WRITE_BEHIND, Duration.ofMillis(300));
    grid.insert("cleared", "loaded", "1");
    assertThat(grid.get(0, "cleared", "loaded")).isEqualTo("1");
    assertThat(grid.set(0, "cleared", "waits", "1")).isInstanceOf(Outcome.Applied.class);
    grid.imap(0, "cleared").evictAll();
    assertThat(grid.get(0, "cleared", "loaded")).isEqualTo("1");

    grid.imap(1, "cleared").clear();

    assertThat(grid.get(0, "cleared", "waits")).isNull();
    await().until(() -> grid.rows("cleared") == 0 && grid.status("cleared").waiting() == 0);
  }

  @Test
  void entryProcessorsAreRefused() {
    grid.table("processed", StoreMode.WRITE_BEHIND, Duration.ZERO);
    assertThatThrownBy(() -> grid.imap(0, "processed").removeAll(Predicates.alwaysTrue()))
        .isInstanceOf(ExternalStoreException.class);
  }

  // ---- other forms of values, and transactions

  @Test
  void rowsAreJsonObjectsOfTheirColumns() {
    database.execute(
        "DROP TABLE IF EXISTS people",
        "CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL, born date, tags jsonb)",
        "INSERT INTO people VALUES (1, 'Ada', '1815-12-10', '[\"maths\"]')");
    grid.behind("people", StoredGrid.json("people", StoreMode.WRITE_THROUGH));

    assertThat(grid.get(0, "people", "1"))
        .isEqualTo("{\"name\":\"Ada\",\"born\":\"1815-12-10\",\"tags\":[\"maths\"]}");
    assertThat(grid.get(0, "people", "no number")).isNull();
    assertThat(grid.imap(1, "people").get(1L)).hasToString(grid.get(0, "people", "1"));
    assertThat(grid.set(1, "people", "2", "{\"name\":\"Eve\",\"tags\":{\"a\":1}}"))
        .isInstanceOf(Outcome.Applied.class);
    assertThat(database.value("SELECT name || (tags ->> 'a') FROM people WHERE id = 2"))
        .isEqualTo("Eve1");
    for (String wrong : List.of("no json", "{\"nme\":\"x\"}", "{\"born\":\"x\"}", "[]", "{}")) {
      assertThat(grid.set(1, "people", "3", wrong))
          .as(wrong)
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.kind()).isEqualTo(Failure.Kind.NOT_STORABLE));
    }
    assertThat(grid.set(1, "people", "x", "{\"name\":\"x\"}")).isInstanceOf(Failure.class);
    assertThat(grid.get(0, "people", "3")).isNull();
  }

  @Test
  void allRowsAreLoadedAtOnceIfThatIsSet() {
    database.execute(
        "DROP TABLE IF EXISTS eager",
        "CREATE TABLE eager (id text PRIMARY KEY, value text)",
        "INSERT INTO eager SELECT 'k' || i, 'v' || i FROM generate_series(1, 1000) AS i");
    grid.behind("eager", StoredGrid.eager("eager"));

    await().until(() -> grid.imap(0, "eager").size() == 1_000);
    assertThat(grid.get(1, "eager", "k500")).isEqualTo("v500");
    assertThat(grid.status("eager").loads()).isZero();
  }

  @Test
  void loadedEntriesAreLoadedAgainWhenTheirTimeHasPassed() {
    database.execute(
        "DROP TABLE IF EXISTS fresh",
        "CREATE TABLE fresh (id text PRIMARY KEY, value text)",
        "INSERT INTO fresh VALUES ('ada', 'old')");
    grid.behind("fresh", StoredGrid.kept("fresh", Duration.ofSeconds(1)));

    assertThat(grid.get(0, "fresh", "ada")).isEqualTo("old");
    database.execute("UPDATE fresh SET value = 'new'");
    await().until(() -> "new".equals(grid.get(0, "fresh", "ada")));
    assertThat(grid.rows("fresh")).isEqualTo(1); // expiry deletes nothing
  }

  @Test
  void entriesThatAreReadAreLoadedAgainBeforeTheirTimeIsOver() {
    database.execute(
        "DROP TABLE IF EXISTS ahead",
        "CREATE TABLE ahead (id text PRIMARY KEY, value text)",
        "INSERT INTO ahead VALUES ('ada', 'old'), ('idle', 'old')");
    grid.behind("ahead", StoredGrid.refreshed("ahead", Duration.ofMinutes(5), 1));
    assertThat(grid.get(0, "ahead", "ada")).isEqualTo("old");
    assertThat(grid.get(0, "ahead", "idle")).isEqualTo("old");
    database.execute("UPDATE ahead SET value = 'new'");

    await().until(() -> "new".equals(grid.get(1, "ahead", "ada"))); // after 3 of 300 seconds
    database.execute("DELETE FROM ahead");
    await().until(() -> grid.get(1, "ahead", "ada") == null);
  }

  @Test
  void writesBehindKeepToTheirRate() {
    grid.table("slow", StoreMode.WRITE_BEHIND, Duration.ZERO);
    grid.behind("slow", StoredGrid.withRate("slow", 20));
    long begin = System.nanoTime();
    for (int i = 0; i < 60; i++) {
      assertThat(grid.set(0, "slow", "k" + i, "v")).isInstanceOf(Outcome.Applied.class);
    }
    await().until(() -> grid.rows("slow") == 60);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(500));
  }

  @Test
  void transactionsReachTheTable() {
    for (StoreMode mode : List.of(StoreMode.WRITE_BEHIND, StoreMode.WRITE_THROUGH)) {
      grid.table("moves", mode, Duration.ZERO);
      grid.insert("moves", "from", "1");
      assertThat(
              grid.map(0, "moves")
                  .rename(StoredGrid.bytes("from"), StoredGrid.bytes("to"), false)
                  .toCompletableFuture()
                  .join())
          .isEqualTo(KeyMap.MoveOutcome.DONE);
      await()
          .untilAsserted(
              () -> {
                assertThat(grid.row("moves", "from")).isNull();
                assertThat(grid.row("moves", "to")).isEqualTo("1");
              });
      grid.imap(0, "moves").evictAll();
    }
  }

  @Test
  void collectionsAreRefused() {
    grid.table("lists", StoreMode.WRITE_BEHIND, Duration.ZERO);
    assertThat(
            grid.run(
                0,
                "lists",
                new KeyCommand.OnCollection(
                    StoredGrid.bytes("hash"),
                    HashOperation.SET,
                    Arguments.of(List.of(StoredGrid.bytes("field"), StoredGrid.bytes("value"))),
                    KeyCommand.MOST_COLLECTION_BYTES)))
        .isInstanceOf(Failure.class);
  }

  // ---- a member is lost

  @Test
  void whatWaitsSurvivesTheLossOfAMember() {
    try (StoredGrid three = new StoredGrid(3, database)) {
      three.table("survivors", StoreMode.WRITE_BEHIND, Duration.ZERO);
      three.insert("survivors", "gone", "1");
      assertThat(three.get(0, "survivors", "gone")).isEqualTo("1");
      database.stop();
      try {
        for (int i = 0; i < 300; i++) {
          assertThat(three.set(i % 3, "survivors", "k" + i, "v" + i))
              .isInstanceOf(Outcome.Applied.class);
        }
        assertThat(three.remove(0, "survivors", "gone")).isInstanceOf(Outcome.Applied.class);
        three.kill(2);
      } finally {
        database.restart();
      }

      await()
          .untilAsserted(
              () -> {
                assertThat(three.rows("survivors")).isEqualTo(300);
                assertThat(three.row("survivors", "gone")).isNull();
              });
      assertThat(three.row("survivors", "k123")).isEqualTo("v123");
    }
  }
}
