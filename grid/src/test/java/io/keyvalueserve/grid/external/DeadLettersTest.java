package io.keyvalueserve.grid.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.grid.external.StoreQuestions.DeadLetters;
import io.keyvalueserve.grid.settings.StoreMode;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Writes that PostgreSQL refuses, as people see and end them, over two members. */
final class DeadLettersTest {
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

  private static DeadLetters letters(String map, int most) {
    return grid.questions(0).deadLetters(StoredGrid.name(map), most);
  }

  /** Makes a map with rows of its own, and writes as many entries that its table refuses. */
  private static void refuse(String map, int count) {
    grid.table(map, StoreMode.WRITE_BEHIND, Duration.ZERO);
    for (int i = 0; i < count; i++) {
      assertThat(grid.set(i % 2, map, "k" + i, "evil")).isInstanceOf(Outcome.Applied.class);
    }
    await().untilAsserted(() -> assertThat(letters(map, 1).total()).isEqualTo(count));
  }

  @Test
  void theyAreListedTheOldestFirst() {
    refuse("listed", 20);

    DeadLetters some = letters("listed", 5);
    assertThat(some.silent()).isEmpty();
    assertThat(some.total()).isEqualTo(20);
    assertThat(some.letters())
        .hasSize(5)
        .isSortedAccordingTo(Comparator.comparingLong(DeadLetter::sinceMillis))
        .allSatisfy(
            letter -> {
              assertThat(letter.removal()).isFalse();
              assertThat(letter.valueBytes()).isEqualTo(4);
              assertThat(letter.reason()).contains("check").doesNotContain("evil");
              assertThat(LetterNumber.parse(letter.number().toString())).hasValue(letter.number());
            });
    DeadLetters all = letters("listed", 100);
    assertThat(all.letters()).extracting(DeadLetter::key).contains("k0", "k19").hasSize(20);
    assertThat(all.letters()).extracting(DeadLetter::number).doesNotHaveDuplicates();
    assertThat(all.letters().subList(0, 5)).isEqualTo(some.letters());
    assertThat(letters("unknown", 100)).isEqualTo(new DeadLetters(List.of(), 0, List.of()));
  }

  @Test
  void aRemovalThatIsRefusedIsListedAndDiscarded() {
    grid.table("parents", StoreMode.WRITE_BEHIND, Duration.ZERO);
    database.execute(
        "DROP TABLE IF EXISTS children",
        "CREATE TABLE children (parent text REFERENCES parents (id))");
    grid.insert("parents", "ada", "1815");
    database.execute("INSERT INTO children VALUES ('ada')");
    assertThat(grid.remove(0, "parents", "ada")).isInstanceOf(Outcome.Applied.class);

    await().untilAsserted(() -> assertThat(letters("parents", 1).total()).isEqualTo(1));
    DeadLetter letter = letters("parents", 1).letters().getFirst();
    assertThat(letter.key()).isEqualTo("ada");
    assertThat(letter.removal()).isTrue();
    assertThat(letter.valueBytes()).isZero();
    assertThat(grid.get(1, "parents", "ada")).isNull();
    assertThat(grid.questions(1).discard(StoredGrid.name("parents"), null).count()).isEqualTo(1);
    assertThat(grid.get(1, "parents", "ada")).isEqualTo("1815");
    database.execute("DROP TABLE children");
  }

  @Test
  void theyAreWrittenWhenTheTableTakesThem() {
    refuse("retried", 10);
    String map = StoredGrid.name("retried");

    assertThat(grid.questions(0).retry(map, null).count()).isEqualTo(10);
    await().untilAsserted(() -> assertThat(letters("retried", 1).total()).isEqualTo(10));
    database.execute("ALTER TABLE retried DROP CONSTRAINT retried_value_check");
    LetterNumber one = letters("retried", 1).letters().getFirst().number();
    LetterNumber none = new LetterNumber(one.partition(), one.number() + 1);
    assertThat(grid.questions(1).retry(map, Set.of(one, none)).count()).isEqualTo(1);
    await().untilAsserted(() -> assertThat(grid.rows("retried")).isEqualTo(1));
    assertThat(letters("retried", 1).total()).isEqualTo(9);
    assertThat(grid.questions(0).retry(map, null).count()).isEqualTo(9);
    await()
        .untilAsserted(
            () -> {
              assertThat(grid.rows("retried")).isEqualTo(10);
              assertThat(grid.status("retried").dead()).isZero();
              assertThat(grid.status("retried").waiting()).isZero();
            });
    assertThat(grid.questions(0).retry(map, null).count()).isZero();
  }

  @Test
  void whatTheTableHasHoldsAfterThemWhenTheyAreDiscarded() {
    grid.table("discarded", StoreMode.WRITE_BEHIND, Duration.ZERO);
    for (String key : List.of("ada", "eve")) {
      grid.insert("discarded", key, "good");
      assertThat(grid.set(0, "discarded", key, "evil")).isInstanceOf(Outcome.Applied.class);
    }
    await().untilAsserted(() -> assertThat(letters("discarded", 9).total()).isEqualTo(2));
    String map = StoredGrid.name("discarded");

    DeadLetter first = letters("discarded", 1).letters().getFirst();
    assertThat(grid.questions(1).discard(map, Set.of(first.number())).count()).isEqualTo(1);
    assertThat(letters("discarded", 9).letters())
        .extracting(DeadLetter::number)
        .hasSize(1)
        .doesNotContain(first.number());
    for (int member = 0; member < 2; member++) {
      assertThat(grid.get(member, "discarded", String.valueOf(first.key()))).isEqualTo("good");
    }
    assertThat(grid.questions(0).discard(map, null).count()).isEqualTo(1);
    assertThat(grid.imap(1, "discarded").get("ada")).isEqualTo("good");
    assertThat(grid.imap(0, "discarded").get("eve")).isEqualTo("good");
    await()
        .untilAsserted(
            () -> {
              assertThat(grid.status("discarded").dead()).isZero();
              assertThat(grid.status("discarded").waiting()).isZero();
            });
  }

  @Test
  void theyAreEndedOnTheBackupsToo() {
    try (StoredGrid three = new StoredGrid(3, database)) {
      three.table("backed", StoreMode.WRITE_BEHIND, Duration.ZERO);
      String map = StoredGrid.name("backed");
      for (int i = 0; i < 60; i++) {
        assertThat(three.set(i % 3, "backed", "k" + i, "evil")).isInstanceOf(Outcome.Applied.class);
      }
      await()
          .untilAsserted(
              () -> assertThat(three.questions(0).deadLetters(map, 1).total()).isEqualTo(60));
      assertThat(three.questions(1).discard(map, null).count()).isEqualTo(60);

      three.kill(2);

      await()
          .untilAsserted(
              () -> {
                DeadLetters left = three.questions(0).deadLetters(map, 100);
                assertThat(left.silent()).isEmpty();
                assertThat(left.letters()).isEmpty();
              });
      assertThat(three.get(0, "backed", "k7")).isNull();
    }
  }

  // ---- status

  private static MapStoreStatus of(StoreQuestions.Statuses all, String map) {
    return all.maps().getOrDefault(map, MapStoreStatus.NONE);
  }

  @Test
  void theStatusIsThatOfAllMembers() {
    refuse("summed", 8);
    String map = StoredGrid.name("summed");

    await()
        .untilAsserted(
            () -> {
              StoreQuestions.Statuses one = grid.questions(1).status(map);
              assertThat(one.silent()).isEmpty();
              assertThat(one.maps()).containsOnlyKeys(map);
              assertThat(of(one, map)).isEqualTo(grid.status("summed"));
              assertThat(of(one, map).dead()).isEqualTo(8);
            });
    assertThat(grid.questions(0).status().maps()).containsKey(map);
    assertThat(grid.questions(0).status("acme/unknown").maps()).isEmpty();
  }

  @Test
  void aDatabaseThatIsBackIsFoundThoughNobodyNeedsIt() {
    grid.table("idle", StoreMode.READ_THROUGH, Duration.ZERO);
    String map = StoredGrid.name("idle");
    database.stop();
    try {
      for (int i = 0; i < 10; i++) {
        Outcome _ = grid.run(i % 2, "idle", new KeyCommand.Read(StoredGrid.bytes("k" + i)));
      }
      await().until(() -> of(grid.questions(0).status(map), map).problem() != null);
    } finally {
      database.restart();
    }
    await().until(() -> of(grid.questions(0).status(), map).problem() == null);
  }

  // ---- texts

  @Test
  void keysAreShortAndPrintable() {
    assertThat(LocalLetters.printable("a\u001b[2Jb\nc\u202ed")).isEqualTo("a?[2Jb?c?d");
    assertThat(LocalLetters.printable("x".repeat(1_000))).hasSize(256);
    assertThat(LocalLetters.printable("\ud83d\ude00".repeat(200))).hasSize(256);
    assertThat(LocalLetters.printable("x" + "\ud83d\ude00".repeat(200))).hasSize(255);
    assertThat(LocalLetters.printable("")).isEmpty();
  }

  @Test
  void numbersHaveOneForm() {
    assertThat(LetterNumber.parse("57-112233445566778899"))
        .hasValue(new LetterNumber(57, 112_233_445_566_778_899L));
    for (String wrong : List.of("", "57", "57-", "-57-1", "57-1 ", "57--1", "a-1")) {
      assertThat(LetterNumber.parse(wrong)).as(wrong).isEmpty();
    }
  }
}
