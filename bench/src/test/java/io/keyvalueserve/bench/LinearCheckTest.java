package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.bench.KeyOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: each way to break linearizability is found, and nothing else. Method: small histories
 * written by hand, then random ones, each compared with a search that tries every order.
 */
class LinearCheckTest {
  private static final long MILLI = 1_000_000;
  private static final long SLACK = 5 * MILLI;
  private static final long STEPS = 200_000;

  /** Of each mix of operations; 20 with {@code -Dkvs.test.long=on}. */
  private static final int LONG_HISTORIES =
      System.getProperty("kvs.test.long", "off").equals("on") ? 20 : 4;

  private final List<KeyOperation> history = new ArrayList<>();
  private int clients;

  @Test
  void acceptsAnEmptyHistoryAndOneWithoutAnswers() {
    assertLinearizable();
    add(set("a", 0, 1).unanswered());
    add(get(null, 0, 1).unanswered());
    assertLinearizable();
  }

  @Test
  void acceptsConcurrentOperationsInAnyOrder() {
    add(set("a", 0, 10));
    add(set("b", 0, 10));
    add(get("b", 1, 2));
    add(get("a", 3, 4));
    add(get("a", 11, 12));
    assertLinearizable();
  }

  @Test
  void treatsOperationsThatMeetAtOneMomentAsConcurrent() {
    add(set("a", 0, 1));
    add(get(null, 1, 2));
    assertLinearizable();
  }

  @Test
  void findsAStaleRead() {
    add(set("a", 0, 1));
    add(set("b", 2, 3));
    add(get("a", 4, 5));
    assertViolation()
        .isEqualTo(
            """
            2 of 3 operations fit an order:
              0.000..1.000 ms, client 1, resp: SET a: acknowledged
              2.000..3.000 ms, client 2, resp: SET b: acknowledged
            The key then holds b.
            None of these can follow:
              4.000..5.000 ms, client 3, resp: GET: saw a\
            """);
  }

  @Test
  void findsThatTwoReadsSeeTheNewValueAndThenTheOldOne() {
    add(set("a", 0, 1));
    add(set("b", 2, 10));
    add(get("b", 3, 4));
    add(get("a", 5, 6));
    assertViolation().contains("GET: saw a");
  }

  @Test
  void findsALostWrite() {
    add(set("a", 0, 1));
    add(get(null, 2, 3));
    assertViolation().contains("The key then holds a.").contains("GET: saw no value");
  }

  @Test
  void findsAValueThatNobodyWrote() {
    add(set("a", 0, 1));
    add(get("b", 0, 1));
    assertViolation().contains("GET: saw b");
  }

  @Test
  void findsADeletedValueThatIsBack() {
    add(set("a", 0, 1));
    add(delete("1", 2, 3));
    add(get("a", 4, 5));
    assertViolation().contains("The key then holds no value.");
  }

  @Test
  void findsThatOneValueWasDeletedTwice() {
    add(set("a", 0, 1));
    add(delete("1", 2, 5));
    add(delete("1", 2, 5));
    assertViolation().contains("DELETE: removed a value");
  }

  @Test
  void findsADeleteThatMissedAValue() {
    add(set("a", 0, 1));
    add(delete("0", 2, 3));
    assertViolation().contains("DELETE: found no value");
  }

  @Test
  void acceptsADeleteThatDoesNotTellWhatItRemoved() {
    add(delete("?", 0, 1));
    add(set("a", 2, 3));
    add(delete("?", 4, 5));
    add(get(null, 6, 7));
    assertLinearizable();
    add(get("a", 8, 9));
    assertViolation().contains("GET: saw a");
  }

  @Test
  void findsANumberThatTwoIncrementsReturned() {
    add(increment("1", 0, 5));
    add(increment("1", 0, 5));
    assertViolation().contains("The key then holds 1.").contains("INCREMENT: returned 1");
  }

  @Test
  void findsALostIncrement() {
    add(increment("1", 0, 1));
    add(increment("2", 2, 3));
    add(get("1", 4, 5));
    assertViolation().contains("The key then holds 2.");
  }

  @Test
  void findsAnIncrementThatCountsTwice() {
    add(increment("1", 0, 1));
    add(increment("3", 2, 3));
    assertViolation().contains("INCREMENT: returned 3");
  }

  @Test
  void acceptsThatAnIncrementWithoutAnswerCountsOnce() {
    add(increment("1", 0, 1));
    add(increment(null, 0, 1).unanswered());
    add(get("1", 2, 3));
    add(increment("3", 4, 5));
    assertLinearizable();
    add(increment("5", 6, 7));
    assertViolation().contains("INCREMENT: returned 5");
  }

  @Test
  void findsThatTextOrTheGreatestNumberWasIncremented() {
    add(set("07", 0, 1));
    add(increment("8", 2, 3));
    assertViolation().contains("The key then holds 07.");
    history.clear();
    add(set(Long.toString(Long.MAX_VALUE), 0, 1));
    add(increment(Long.toString(Long.MIN_VALUE), 2, 3));
    assertViolation().contains("INCREMENT");
  }

  @Test
  void findsThatTwoClientsSetAnAbsentKey() {
    add(setIfAbsent("a", "1", 0, 5));
    add(setIfAbsent("b", "1", 0, 5));
    assertViolation().contains("SET_IF_ABSENT b: found no value and wrote");
  }

  @Test
  void findsThatNobodyCouldSetAnAbsentKey() {
    add(setIfAbsent("a", "0", 0, 5));
    add(setIfAbsent("b", "0", 0, 5));
    assertViolation().contains("SET_IF_ABSENT a: found a value");
  }

  @Test
  void findsThatAWrongValueWasReplaced() {
    add(set("a", 0, 1));
    add(compareAndSet("b", "c", "1", 2, 3));
    assertViolation().contains("COMPARE_AND_SET b to c: replaced the value");
  }

  @Test
  void findsThatARightValueWasNotReplaced() {
    add(set("a", 0, 1));
    add(compareAndSet("a", "c", "0", 2, 3));
    assertViolation().contains("COMPARE_AND_SET a to c: found no such value");
  }

  @Test
  void findsThatTwoClientsReplacedTheSameValue() {
    add(set("a", 0, 1));
    add(compareAndSet("a", "b", "1", 2, 5));
    add(compareAndSet("a", "c", "1", 2, 5));
    assertViolation().contains("The key then holds b.");
  }

  @Test
  void findsThatTwoClientsTookTheSameValue() {
    add(set("a", 0, 1));
    add(getAndSet("b", "a", 2, 5));
    add(getAndSet("c", "a", 2, 5));
    assertViolation().contains("GET_AND_SET c: saw a");
  }

  @Test
  void acceptsAGetAndSetThatDoesNotTellTheOldValue() {
    add(getAndSet("b", "?", 0, 1));
    add(get("b", 2, 3));
    assertLinearizable();
    add(get(null, 4, 5));
    assertViolation().contains("GET_AND_SET b: acknowledged, result unknown");
  }

  @Test
  void findsAValueAfterItsExpiry() {
    add(setWithExpiry("a", 100, 10, 20));
    add(get("a", 125, 126));
    assertLinearizable();
    add(get("a", 126, 127));
    assertViolation().contains("The key then holds a, which expires at 95.000 ms to 115.000 ms.");
  }

  @Test
  void findsAValueThatIsGoneEarly() {
    add(setWithExpiry("a", 100, 10, 20));
    add(get(null, 104, 105));
    assertLinearizable();
    history.removeLast();
    add(get(null, 103, 104));
    assertViolation().contains("GET: saw no value");
  }

  @Test
  void findsAnExpiredValueThatIsBack() {
    add(setWithExpiry("a", 100, 10, 20));
    add(get("a", 106, 107));
    add(get(null, 108, 109));
    assertLinearizable();
    add(get("a", 110, 111));
    assertViolation().contains("The key then holds no value.");
  }

  @Test
  void findsThatAReadOverlapsTheExpiryButALaterOneEndsBeforeIt() {
    add(setWithExpiry("a", 100, 0, 1));
    add(get("a", 90, 91));
    add(get(null, 92, 96));
    add(set("b", 92, 96));
    add(get("b", 92, 94));
    assertViolation().contains("GET: saw no value");
  }

  @Test
  void decidesOtherOperationsByExpiry() {
    add(setWithExpiry("a", 100, 0, 1));
    add(setIfAbsent("b", "0", 2, 3));
    add(compareAndSet("x", "b", "0", 2, 3));
    add(delete("0", 96, 97));
    add(setWithExpiry("c", 100, 100, 101));
    add(setIfAbsent("d", "1", 196, 197));
    add(setWithExpiry("e", 100, 200, 201));
    add(getAndSet("f", null, 296, 297));
    add(get("f", 900, 901));
    assertLinearizable();
    history.clear();
    add(setWithExpiry("a", 100, 0, 1));
    add(setIfAbsent("b", "1", 2, 3));
    assertViolation().contains("SET_IF_ABSENT b");
    history.clear();
    add(setWithExpiry("a", 100, 0, 1));
    add(setIfAbsent("b", "0", 107, 108));
    assertViolation().contains("SET_IF_ABSENT b");
    history.clear();
    add(setWithExpiry("a", 100, 0, 1));
    add(delete("1", 107, 108));
    assertViolation().contains("DELETE");
    history.clear();
    add(setWithExpiry("a", 100, 0, 1));
    add(compareAndSet("a", "b", "1", 107, 108));
    assertViolation().contains("COMPARE_AND_SET");
  }

  @Test
  void knowsThatAPlainWriteEndsTheExpiry() {
    add(setWithExpiry("a", 100, 0, 1));
    add(set("b", 2, 3));
    add(get("b", 900, 901));
    assertLinearizable();
    add(get(null, 902, 903));
    assertViolation().contains("The key then holds b.");
  }

  @Test
  void leavesOpenWhetherAReplacedValueExpires() {
    add(setWithExpiry("7", 100, 0, 1));
    add(increment("8", 2, 3));
    add(compareAndSet("8", "9", "1", 4, 5));
    add(get("9", 900, 901));
    add(get(null, 902, 903));
    assertLinearizable();
    history.add(3, get(null, 50, 51));
    assertViolation().contains("9, which expires at 95.000 ms or later or never.");
  }

  @Test
  void takesAnExpiryWithoutAnswerForOneThatMayComeLate() {
    add(setWithExpiry("a", 100, 0, 1).unanswered());
    add(get("a", 900, 901));
    add(get(null, 902, 903));
    assertLinearizable();
  }

  @Test
  void takesExpiriesWithoutAnswerInAnyOrder() {
    add(setWithExpiry("a", 1000, 0, 1).unanswered());
    add(setWithExpiry("a", 10, 1, 2).unanswered());
    add(get("a", 3, 4));
    add(get(null, 20, 21));
    add(get("a", 22, 23));
    assertLinearizable();
    add(get(null, 24, 25));
    assertViolation().contains("GET: saw no value");
  }

  @Test
  void acceptsATimeToLiveWithoutEnd() {
    add(KeyOperations.setWithExpiry(1, "resp", 5 * MILLI, 6 * MILLI, "a", Long.MAX_VALUE));
    add(get("a", 900, 901));
    assertLinearizable();
    add(get(null, 902, 903));
    assertViolation().contains("GET: saw no value");
  }

  @Test
  void findsThatAWriteWithoutAnswerIsUndoneAfterItWasSeen() {
    add(set("a", 0, 1));
    add(set("b", 2, 3).unanswered());
    add(get("b", 4, 5));
    add(get("a", 6, 7));
    assertViolation().contains("2.000..never ms, client 2, resp: SET b: not answered");
  }

  @Test
  void acceptsAnOldWriteWithoutAnswerOnceButNotTwice() {
    add(set("old", 0, 1).unanswered());
    add(set("a", 2, 3));
    add(get("a", 4, 5));
    add(get("old", 6, 7));
    assertLinearizable();
    add(set("b", 8, 9));
    add(get("b", 10, 11));
    add(get("old", 12, 13));
    assertViolation().contains("The key then holds b.").contains("GET: saw old");
  }

  @Test
  void findsThatAWriteTakesEffectBeforeItsCall() {
    add(set("a", 0, 1));
    add(get("b", 2, 3));
    add(set("b", 4, 5).unanswered());
    assertViolation().contains("GET: saw b").doesNotContain("SET b");
  }

  @Test
  void usesEachOfSeveralWritesWithoutAnswerOnce() {
    for (long i = 0; i < 3; i++) {
      add(delete(null, 0, 1).unanswered());
      add(set("a", 2 + 10 * i, 3 + 10 * i));
      add(get(null, 4 + 10 * i, 5 + 10 * i));
    }
    assertLinearizable();
    add(set("a", 40, 41));
    add(get(null, 42, 43));
    assertViolation().contains("GET: saw no value");
  }

  @Test
  void acceptsThatASeenWriteWithoutAnswerIsUndoneOnce() {
    add(set("a", 0, 1));
    add(set("b", 2, 3).unanswered());
    add(get("b", 4, 5));
    add(get("a", 6, 7));
    assertUndone();
    add(get("b", 8, 9));
    assertViolationDespiteUndo()
        .isEqualTo(
            """
            4 of 5 operations fit an order:
              0.000..1.000 ms, client 1, resp: SET a: acknowledged
              2.000..never ms, client 2, resp: SET b: not answered
              4.000..5.000 ms, client 3, resp: GET: saw b
              (changes without answer undone: 1)
              6.000..7.000 ms, client 4, resp: GET: saw a
            The key then holds a.
            None of these can follow:
              8.000..9.000 ms, client 5, resp: GET: saw b\
            """);
    add(get("a", 10, 11));
    assertViolationDespiteUndo();
  }

  @Test
  void findsThatAWriteWithAnAnswerIsUndone() {
    add(set("a", 0, 1));
    add(set("b", 2, 3));
    add(get("b", 4, 5));
    add(get("a", 6, 7));
    assertViolationDespiteUndo().contains("The key then holds b.").doesNotContain("undo");
  }

  @Test
  void findsThatAnUndoReachesBackBehindAnAnswer() {
    add(set("a", 0, 1));
    add(set("b", 2, 3).unanswered());
    add(get("b", 4, 5));
    add(set("c", 6, 7));
    add(get("c", 8, 9));
    add(get("a", 10, 11));
    assertViolationDespiteUndo();
    history.removeLast();
    add(set("d", 10, 11).unanswered());
    add(get("d", 12, 13));
    add(get("c", 14, 15));
    assertUndone();
    add(get("b", 16, 17));
    assertViolationDespiteUndo();
  }

  @Test
  void endsUndosWithEachKindOfAcknowledgedChange() {
    assertEndsUndos(true, set("7", 6, 7));
    assertEndsUndos(true, setWithExpiry("7", 900, 6, 7));
    assertEndsUndos(true, getAndSet("7", "5", 6, 7));
    assertEndsUndos(true, getAndSet("7", "?", 6, 7));
    assertEndsUndos(true, compareAndSet("5", "7", "1", 6, 7));
    assertEndsUndos(true, compareAndSet("5", "5", "1", 6, 7));
    assertEndsUndos(true, increment("6", 6, 7));
    assertEndsUndos(true, delete("1", 6, 7));
    assertEndsUndos(false, compareAndSet("3", "7", "0", 6, 7));
    assertEndsUndos(false, setIfAbsent("7", "0", 6, 7));
    assertEndsUndos(false, setIfAbsent("7", "?", 6, 7));
    // The undo may come first, and then nothing is replaced.
    assertEndsUndos(false, compareAndSet("5", "7", "?", 6, 7));
    assertEndsUndos(false, get("5", 6, 7));
  }

  /** A write without answer is seen, then an operation takes effect, then the write is gone. */
  private void assertEndsUndos(boolean ends, KeyOperation operation) {
    history.clear();
    add(set("4", 0, 1));
    add(set("5", 2, 3).unanswered());
    add(get("5", 4, 5), operation, get("4", 8, 9));
    if (ends) {
      assertViolationDespiteUndo();
    } else {
      assertUndone();
    }
  }

  @Test
  void acceptsThatADeleteWithoutAnswerIsUndone() {
    add(set("a", 0, 1));
    add(delete(null, 2, 3).unanswered());
    add(delete("0", 4, 5));
    add(delete("?", 6, 7));
    add(get(null, 8, 9));
    add(get("a", 10, 11));
    assertUndone();
    history.add(5, setIfAbsent("b", "1", 8, 9));
    history.set(4, get("b", 10, 11));
    assertViolationDespiteUndo();
  }

  @Test
  void acceptsThatSeveralWritesWithoutAnswerAreUndoneOneByOne() {
    add(increment("1", 0, 1));
    for (int i = 0; i < 3; i++) {
      add(increment(null, 2, 3).unanswered());
    }
    add(get("4", 4, 5));
    add(get("3", 6, 7));
    add(get("1", 8, 9));
    assertUndone();
    add(increment("2", 10, 11));
    assertUndone();
    add(get("3", 12, 13));
    assertViolationDespiteUndo();
  }

  @Test
  void keepsTheExpiryOfAValueThatIsBack() {
    add(setWithExpiry("a", 100, 0, 1));
    add(set("b", 2, 3).unanswered());
    add(get("b", 4, 5));
    add(get("a", 90, 91));
    add(get(null, 100, 101));
    assertUndone();
    history.set(3, get("a", 107, 108));
    assertViolationDespiteUndo();
    history.set(3, get(null, 90, 91));
    assertViolationDespiteUndo();
  }

  @Test
  void triesEachStateToWhichAnUndoMayReturn() {
    add(set("a", 0, 10));
    add(set("c", 0, 10));
    add(set("b", 11, 12).unanswered());
    add(get("b", 13, 14));
    add(get("a", 15, 16));
    assertUndone();
    history.set(4, get("c", 15, 16));
    assertUndone();
    add(get("a", 17, 18));
    assertViolationDespiteUndo();
  }

  @Test
  void keepsAnUnseenWriteThatWouldComeTooLateAfterAnUndo() {
    add(setWithExpiry("a", 100, 0, 1));
    add(compareAndSet("a", "b", "1", 2, 3).unanswered());
    add(set("c", 4, 5).unanswered());
    add(get("c", 150, 151));
    add(get("b", 160, 161));
    assertUndone();
  }

  @Test
  void looksForAnEarlyUndoBeforeALateRead() {
    add(setWithExpiry("a", 100, 0, 20));
    add(set("b", 30, 31).unanswered());
    add(get("b", 40, 50));
    add(get("a", 110, 140));
    add(set("b", 100, 150));
    add(get("b", 130, 160));
    assertUndone();
  }

  @Test
  void showsTheLastOperationsOfMany() {
    for (long i = 0; i < 50; i++) {
      add(set("v" + i, 2 * i, 2 * i + 1));
    }
    add(get("v3", 200, 201));
    assertViolation()
        .startsWith("50 of 51 operations fit an order:\n  ... 30 operations\n  60.000..61.000 ms")
        .contains("The key then holds v49.");
  }

  @Test
  void saysThatItDoesNotKnowAfterTooManySteps() {
    for (int i = 0; i < 20; i++) {
      add(set("v" + i, 0, 10));
    }
    add(get("none", 11, 12));
    assertThat(LinearCheck.check(history, SLACK, 10)).isEqualTo(new Verdict.Undecided(10));
  }

  @Test
  void refusesOperationsThatMakeNoSense() {
    assertThatThrownBy(() -> get("a", 2, 1)).hasMessageContaining("before it is invoked");
    assertThatThrownBy(() -> delete("2", 0, 1)).hasMessageContaining("neither 1 nor 0");
    assertThatThrownBy(() -> setIfAbsent("a", null, 0, 1)).hasMessageContaining("neither 1 nor 0");
    assertThatThrownBy(() -> KeyOperations.increment(1, "resp", 0, 1, null))
        .hasMessageContaining("no result");
    assertThatThrownBy(() -> setWithExpiry("a", -1, 0, 1)).hasMessageContaining("negative");
    assertThatThrownBy(() -> new KeyOperation(1, "resp", Kind.SET, 0, 1, null, null, 0, null))
        .hasMessageContaining("no value");
    assertThatThrownBy(() -> LinearCheck.check(List.of(), -1, 1)).hasMessageContaining("slack");
  }

  @Test
  void agreesWithASearchOfAllOrders() {
    LinearOracle oracle = new LinearOracle(0, false);
    int violations = 0;
    int spoiltButRight = 0;
    for (int seed = 0; seed < Integer.getInteger("kvs.histories", 20_000); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LinearRandom generator =
          new LinearRandom(random, someKinds(random), random.nextBoolean(), false);
      int size = 1 + random.nextInt(7);
      List<KeyOperation> small =
          generator.history(1 + random.nextInt(4), size, random.nextInt(1 + size / 2));
      assertThat(LinearCheck.check(small, 0, STEPS))
          .as("seed %d: %s", seed, small)
          .isInstanceOf(Verdict.Linearizable.class);
      generator.spoil(small);
      if (random.nextBoolean()) {
        forget(small, random.nextInt(small.size()));
      }
      if (random.nextInt(4) == 0) {
        generator.shorten(small);
      }
      boolean right = oracle.isLinearizable(small);
      assertThat(LinearCheck.check(small, 0, STEPS))
          .as("seed %d: %s", seed, small)
          .isInstanceOf(right ? Verdict.Linearizable.class : Verdict.Violation.class);
      violations += right ? 0 : 1;
      spoiltButRight += right ? 1 : 0;
    }
    assertThat(violations).isGreaterThan(2_000);
    assertThat(spoiltButRight).isGreaterThan(2_000);
  }

  @Test
  void agreesWithASearchOfAllOrdersThatUndoesWrites() {
    LinearOracle oracle = new LinearOracle(0, true);
    int violations = 0;
    int spoiltButRight = 0;
    int onlyByUndo = 0;
    for (int seed = 0; seed < Integer.getInteger("kvs.histories", 20_000); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LinearRandom generator =
          new LinearRandom(random, someKinds(random), random.nextBoolean(), true);
      int size = 2 + random.nextInt(5);
      List<KeyOperation> small =
          generator.history(1 + random.nextInt(4), size, random.nextInt(1 + size / 2));
      assertThat(checkUndoing(small, 0))
          .as("seed %d: %s", seed, small)
          .isInstanceOf(Verdict.Linearizable.class);
      onlyByUndo += LinearCheck.check(small, 0, STEPS) instanceof Verdict.Violation ? 1 : 0;
      generator.spoil(small);
      if (random.nextBoolean()) {
        forget(small, random.nextInt(small.size()));
      }
      if (random.nextInt(4) == 0) {
        generator.shorten(small);
      }
      if (random.nextBoolean()) {
        small = generator.guesses(size);
      }
      boolean right = oracle.isLinearizable(small);
      assertThat(checkUndoing(small, 0))
          .as("seed %d: %s", seed, small)
          .isInstanceOf(right ? Verdict.Linearizable.class : Verdict.Violation.class);
      if (LinearCheck.check(small, 0, STEPS) instanceof Verdict.Linearizable) {
        assertThat(right).as("seed %d: %s", seed, small).isTrue();
      } else {
        onlyByUndo += right ? 1 : 0;
      }
      violations += right ? 0 : 1;
      spoiltButRight += right ? 1 : 0;
    }
    assertThat(violations).isGreaterThan(2_000);
    assertThat(spoiltButRight).isGreaterThan(2_000);
    assertThat(onlyByUndo).isGreaterThan(200);
  }

  @Test
  void acceptsAllThatIsLinearizableAlsoIfWritesMayBeUndone() {
    int linearizable = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LinearRandom generator =
          new LinearRandom(random, someKinds(random), random.nextBoolean(), false);
      List<KeyOperation> history = generator.history(4, 30, random.nextInt(8));
      if (random.nextBoolean()) {
        generator.spoil(history);
      }
      if (LinearCheck.check(history, 0, STEPS) instanceof Verdict.Linearizable) {
        assertThat(checkUndoing(history, 0))
            .as("seed %d: %s", seed, history)
            .isInstanceOf(Verdict.Linearizable.class);
        linearizable++;
      }
    }
    assertThat(linearizable).isGreaterThan(1_000);
  }

  @Test
  void decidesLongHistoriesOfManyClients() {
    for (UnknownWrites unknownWrites : UnknownWrites.values()) {
      List<Kind> mix = new ArrayList<>(List.of(Kind.values()));
      mix.remove(Kind.INCREMENT);
      mix.addAll(Collections.nCopies(5, Kind.GET));
      mix.addAll(Collections.nCopies(2, Kind.SET));
      assertDecides(mix, unknownWrites);
      assertDecides(List.of(Kind.GET, Kind.SET), unknownWrites);
      assertDecides(List.of(Kind.GET, Kind.INCREMENT), unknownWrites);
      assertDecides(List.of(Kind.GET, Kind.SET_IF_ABSENT, Kind.DELETE), unknownWrites);
    }
  }

  private static void assertDecides(List<Kind> kinds, UnknownWrites unknownWrites) {
    boolean undoes = unknownWrites == UnknownWrites.MAY_BE_UNDONE;
    long steps = undoes ? 2 * STEPS : STEPS;
    for (int seed = 0; seed < LONG_HISTORIES; seed++) {
      LinearRandom generator = new LinearRandom(new SplittableRandom(seed), kinds, true, undoes);
      List<KeyOperation> large = generator.history(12, 400, 12);
      assertThat(LinearCheck.check(large, 0, steps, unknownWrites))
          .as("seed %d", seed)
          .isInstanceOf(Verdict.Linearizable.class);
      Collections.shuffle(large, new Random(seed));
      assertThat(LinearCheck.check(large, 0, steps, unknownWrites))
          .as("seed %d", seed)
          .isInstanceOf(Verdict.Linearizable.class);
      long last = large.stream().mapToLong(KeyOperation::invokedNanos).max().orElseThrow();
      large.add(KeyOperations.get(99, "resp", last - 500, last - 400, "never written"));
      assertThat(LinearCheck.check(large, 0, steps, unknownWrites))
          .as("seed %d", seed)
          .isInstanceOf(Verdict.Violation.class);
    }
  }

  private static List<Kind> someKinds(SplittableRandom random) {
    Kind[] all = Kind.values();
    List<Kind> kinds = new ArrayList<>();
    int count = 1 + random.nextInt(all.length);
    for (int i = 0; i < count; i++) {
      kinds.add(all[random.nextInt(all.length)]);
    }
    kinds.add(Kind.GET);
    return kinds;
  }

  private static void forget(List<KeyOperation> history, int place) {
    history.set(place, history.get(place).unanswered());
  }

  private static Verdict checkUndoing(List<KeyOperation> history, long slackNanos) {
    return LinearCheck.check(history, slackNanos, STEPS, UnknownWrites.MAY_BE_UNDONE);
  }

  /** Only undone writes explain the history. */
  private void assertUndone() {
    assertViolation();
    assertThat(checkUndoing(history, SLACK)).isEqualTo(new Verdict.Linearizable());
  }

  private AbstractStringAssert<?> assertViolationDespiteUndo() {
    assertViolation();
    Verdict verdict = checkUndoing(history, SLACK);
    assertThat(verdict).isInstanceOf(Verdict.Violation.class);
    return assertThat(((Verdict.Violation) verdict).text());
  }

  private void assertLinearizable() {
    assertThat(LinearCheck.check(history, SLACK, STEPS)).isEqualTo(new Verdict.Linearizable());
    assertThat(checkUndoing(history, SLACK)).isEqualTo(new Verdict.Linearizable());
  }

  private AbstractStringAssert<?> assertViolation() {
    Verdict verdict = LinearCheck.check(history, SLACK, STEPS);
    assertThat(verdict).isInstanceOf(Verdict.Violation.class);
    return assertThat(((Verdict.Violation) verdict).text());
  }

  private void add(KeyOperation... operations) {
    history.addAll(Arrays.asList(operations));
  }

  private KeyOperation get(@Nullable String seen, long from, long to) {
    return KeyOperations.get(++clients, "resp", from * MILLI, to * MILLI, seen);
  }

  private KeyOperation set(String value, long from, long to) {
    return KeyOperations.set(++clients, "resp", from * MILLI, to * MILLI, value);
  }

  private KeyOperation setWithExpiry(String value, long expiry, long from, long to) {
    return KeyOperations.setWithExpiry(
        ++clients, "resp", from * MILLI, to * MILLI, value, expiry * MILLI);
  }

  private KeyOperation delete(@Nullable String result, long from, long to) {
    return KeyOperations.delete(
        ++clients, "http", from * MILLI, to * MILLI, result == null ? "?" : result);
  }

  private KeyOperation setIfAbsent(String value, @Nullable String result, long from, long to) {
    return KeyOperations.setIfAbsent(++clients, "resp", from * MILLI, to * MILLI, value, result);
  }

  private KeyOperation compareAndSet(
      String expected, String value, String result, long from, long to) {
    return KeyOperations.compareAndSet(
        ++clients, "member", from * MILLI, to * MILLI, expected, value, result);
  }

  private KeyOperation getAndSet(String value, @Nullable String seen, long from, long to) {
    return KeyOperations.getAndSet(++clients, "member", from * MILLI, to * MILLI, value, seen);
  }

  private KeyOperation increment(@Nullable String result, long from, long to) {
    return KeyOperations.increment(
        ++clients, "resp", from * MILLI, to * MILLI, result == null ? "?" : result);
  }
}
