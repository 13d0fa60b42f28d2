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
    add(KeyOperation.setWithExpiry(1, "resp", 5 * MILLI, 6 * MILLI, "a", Long.MAX_VALUE));
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
    assertThatThrownBy(() -> KeyOperation.increment(1, "resp", 0, 1, null))
        .hasMessageContaining("no result");
    assertThatThrownBy(() -> setWithExpiry("a", -1, 0, 1)).hasMessageContaining("negative");
    assertThatThrownBy(() -> new KeyOperation(1, "resp", Kind.SET, 0, 1, null, null, 0, null))
        .hasMessageContaining("no value");
    assertThatThrownBy(() -> LinearCheck.check(List.of(), -1, 1)).hasMessageContaining("slack");
  }

  @Test
  void agreesWithASearchOfAllOrders() {
    LinearOracle oracle = new LinearOracle(0);
    int violations = 0;
    int spoiltButRight = 0;
    for (int seed = 0; seed < Integer.getInteger("kvs.histories", 20_000); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      LinearRandom generator = new LinearRandom(random, someKinds(random), random.nextBoolean());
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
  void decidesLongHistoriesOfManyClients() {
    List<Kind> mix = new ArrayList<>(List.of(Kind.values()));
    mix.remove(Kind.INCREMENT);
    mix.addAll(Collections.nCopies(5, Kind.GET));
    mix.addAll(Collections.nCopies(2, Kind.SET));
    assertDecides(mix);
    assertDecides(List.of(Kind.GET, Kind.SET));
    assertDecides(List.of(Kind.GET, Kind.INCREMENT));
    assertDecides(List.of(Kind.GET, Kind.SET_IF_ABSENT, Kind.DELETE));
  }

  private static void assertDecides(List<Kind> kinds) {
    for (int seed = 0; seed < 20; seed++) {
      LinearRandom generator = new LinearRandom(new SplittableRandom(seed), kinds, true);
      List<KeyOperation> large = generator.history(12, 400, 12);
      assertThat(LinearCheck.check(large, 0, STEPS))
          .as("seed %d", seed)
          .isInstanceOf(Verdict.Linearizable.class);
      Collections.shuffle(large, new Random(seed));
      assertThat(LinearCheck.check(large, 0, STEPS))
          .as("seed %d", seed)
          .isInstanceOf(Verdict.Linearizable.class);
      long last = large.stream().mapToLong(KeyOperation::invokedNanos).max().orElseThrow();
      large.add(KeyOperation.get(99, "resp", last - 500, last - 400, "never written"));
      assertThat(LinearCheck.check(large, 0, STEPS))
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

  private void assertLinearizable() {
    assertThat(LinearCheck.check(history, SLACK, STEPS)).isEqualTo(new Verdict.Linearizable());
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
    return KeyOperation.get(++clients, "resp", from * MILLI, to * MILLI, seen);
  }

  private KeyOperation set(String value, long from, long to) {
    return KeyOperation.set(++clients, "resp", from * MILLI, to * MILLI, value);
  }

  private KeyOperation setWithExpiry(String value, long expiry, long from, long to) {
    return KeyOperation.setWithExpiry(
        ++clients, "resp", from * MILLI, to * MILLI, value, expiry * MILLI);
  }

  private KeyOperation delete(@Nullable String result, long from, long to) {
    return KeyOperation.delete(
        ++clients, "http", from * MILLI, to * MILLI, result == null ? "?" : result);
  }

  private KeyOperation setIfAbsent(String value, @Nullable String result, long from, long to) {
    return KeyOperation.setIfAbsent(++clients, "resp", from * MILLI, to * MILLI, value, result);
  }

  private KeyOperation compareAndSet(
      String expected, String value, String result, long from, long to) {
    return KeyOperation.compareAndSet(
        ++clients, "member", from * MILLI, to * MILLI, expected, value, result);
  }

  private KeyOperation getAndSet(String value, @Nullable String seen, long from, long to) {
    return KeyOperation.getAndSet(++clients, "member", from * MILLI, to * MILLI, value, seen);
  }

  private KeyOperation increment(@Nullable String result, long from, long to) {
    return KeyOperation.increment(
        ++clients, "resp", from * MILLI, to * MILLI, result == null ? "?" : result);
  }
}
