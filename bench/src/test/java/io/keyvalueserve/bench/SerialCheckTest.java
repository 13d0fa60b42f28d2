package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.bench.ListTransaction.Append;
import io.keyvalueserve.bench.ListTransaction.Outcome;
import io.keyvalueserve.bench.ListTransaction.Read;
import io.keyvalueserve.bench.ListTransaction.Step;
import io.keyvalueserve.bench.SerialAnomaly.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: each way to break the order of transactions is found and named, and nothing else is.
 * Method: small histories written by hand; then random ones that were carried out one after the
 * other, as they are and with one fault in each.
 */
class SerialCheckTest {
  private static final long MILLI = 1_000_000;

  /** 5,000 with {@code -Dkvs.test.long=on}. */
  private static final int RANDOM_HISTORIES =
      System.getProperty("kvs.test.long", "off").equals("on") ? 5_000 : 200;

  private final List<ListTransaction> history = new ArrayList<>();

  private static Step r(String key, long... elements) {
    List<Long> all = new ArrayList<>();
    for (long element : elements) {
      all.add(element);
    }
    return new Read(key, all);
  }

  private static Step a(String key, long element) {
    return new Append(key, element);
  }

  private void done(long fromMillis, long toMillis, Step... steps) {
    add(Outcome.DONE, fromMillis, toMillis, steps);
  }

  private void add(Outcome outcome, long fromMillis, long toMillis, Step... steps) {
    history.add(
        new ListTransaction(
            history.size() + 1,
            "test",
            fromMillis * MILLI,
            toMillis * MILLI,
            outcome,
            List.of(steps)));
  }

  private List<Kind> kinds() {
    return SerialCheck.check(history).stream().map(SerialAnomaly::kind).toList();
  }

  private String textOfOne(Kind kind) {
    List<SerialAnomaly> found = SerialCheck.check(history);
    assertThat(found).extracting(SerialAnomaly::kind).containsExactly(kind);
    assertThat(found.getFirst().isViolation()).isEqualTo(kind != Kind.SEEN_AND_GONE);
    return found.getFirst().toString();
  }

  // ---- nothing is wrong

  @Test
  void acceptsAnEmptyHistoryAndSerialOnes() {
    assertThat(kinds()).isEmpty();
    done(0, 1, r("x"), a("x", 1), r("x", 1), a("y", 2));
    done(2, 3, r("x", 1), r("y", 2), a("x", 3));
    done(4, 5, r("x", 1, 3), r("y", 2));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void acceptsConcurrentTransactionsInEitherOrder() {
    done(0, 10, a("x", 1), a("y", 2));
    done(0, 10, r("x", 3), r("y"), a("y", 4));
    done(0, 10, a("x", 3));
    done(11, 12, r("x", 3, 1), r("y", 4, 2));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void acceptsTransactionsThatMeetAtOneMomentInEitherOrder() {
    done(0, 5, a("x", 1));
    done(5, 6, r("x"));
    done(6, 7, r("x", 1));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void acceptsThatAnUnknownTransactionTakesEffectLateOrNever() {
    add(Outcome.UNKNOWN, 0, 1, a("x", 1), a("y", 2));
    add(Outcome.UNKNOWN, 0, 1, a("x", 3));
    add(Outcome.NOT_DONE, 0, 1, r("x"), a("x", 4));
    done(5, 6, r("x"), r("y"));
    done(7, 8, r("x", 1), r("y", 2));
    assertThat(kinds()).isEmpty();
  }

  // ---- each anomaly

  @Test
  void findsContradictingOrdersOfWrites() {
    done(0, 9, a("x", 1), a("y", 2));
    done(0, 9, a("x", 3), a("y", 4));
    done(10, 11, r("x", 1, 3));
    done(10, 11, r("y", 4, 2));
    assertThat(textOfOne(Kind.WRITE_CYCLE))
        .contains("in x,")
        .contains("in y,")
        .contains("T1 is before T2")
        .contains("T2 is before T1")
        .contains("client 1")
        .contains("client 2");
  }

  @Test
  void findsWhatARefusedTransactionWrote() {
    add(Outcome.NOT_DONE, 0, 1, a("x", 1));
    done(2, 3, r("x", 1));
    assertThat(textOfOne(Kind.ABORTED)).contains("1 is in x");
  }

  @Test
  void findsTheMiddleOfATransaction() {
    done(0, 9, a("x", 1), a("x", 2));
    done(0, 9, r("x", 1));
    done(10, 11, r("x", 1, 2));
    assertThat(kinds()).contains(Kind.INTERMEDIATE);
  }

  @Test
  void findsAHalf() {
    done(0, 9, a("x", 1), a("y", 2));
    done(0, 9, r("x", 1), r("y"));
    done(10, 11, r("x", 1), r("y", 2));
    assertThat(textOfOne(Kind.HALF)).contains("did not find");
  }

  @Test
  void findsAHalfOfATransactionWithUnknownOutcome() {
    add(Outcome.UNKNOWN, 0, 1, a("x", 1), a("y", 2));
    done(10, 11, r("x", 1));
    done(12, 13, r("y"));
    assertThat(textOfOne(Kind.STALE)).contains("T1").contains("it was answered before");
  }

  @Test
  void findsTransactionsThatSeeEachOther() {
    done(0, 9, a("x", 1), r("y", 2));
    done(0, 9, a("y", 2), r("x", 1));
    assertThat(textOfOne(Kind.INFORMATION_CYCLE)).contains("as the last element");
  }

  @Test
  void findsAnOldStateBesideANewOne() {
    done(0, 9, a("x", 1), a("y", 2));
    done(0, 9, r("y", 2), a("z", 3));
    done(0, 9, r("z", 3), r("x"));
    done(10, 11, r("x", 1));
    assertThat(textOfOne(Kind.SINGLE_CYCLE)).contains("T3").doesNotContain("T4");
  }

  @Test
  void findsAWriteSkew() {
    done(0, 9, r("x"), a("y", 1));
    done(0, 9, r("y"), a("x", 2));
    done(10, 11, r("x", 2), r("y", 1));
    assertThat(textOfOne(Kind.WRITE_SKEW)).contains("did not find").doesNotContain("T3");
  }

  @Test
  void holdsAnUnknownTransactionThatWasSeenToWhatItHadRead() {
    done(0, 9, r("x"), a("y", 1));
    add(Outcome.UNKNOWN, 0, 9, r("y"), a("x", 2));
    assertThat(kinds()).isEmpty();
    done(10, 11, r("x", 2), r("y", 1));
    assertThat(textOfOne(Kind.WRITE_SKEW)).contains("not answered");
  }

  @Test
  void findsTheUpdateThatWasLostBetweenReadAndWrite() {
    done(0, 9, r("x"), a("x", 1));
    done(0, 9, r("x"), a("x", 2));
    done(10, 11, r("x", 1, 2));
    assertThat(kinds()).containsExactly(Kind.SINGLE_CYCLE);
  }

  @Test
  void findsAStaleRead() {
    done(0, 1, a("x", 1));
    done(2, 3, r("x"));
    done(4, 5, r("x", 1));
    assertThat(textOfOne(Kind.STALE))
        .contains("T1 is before T2")
        .contains("it was answered before T2 was sent");
  }

  @Test
  void findsAStaleReadBehindMany() {
    done(0, 1, a("x", 1));
    for (int i = 0; i < 50; i++) {
      done(2 + i, 2 + i, a("other", 100 + i));
    }
    done(90, 91, r("x"));
    done(92, 93, r("x", 1));
    assertThat(textOfOne(Kind.STALE)).doesNotContain("T3");
  }

  @Test
  void findsThatTransactionsOnDifferentKeysContradictTheTimes() {
    done(0, 1, a("x", 1));
    done(2, 3, a("y", 2));
    done(0, 9, r("y", 2), r("x"));
    done(10, 11, r("x", 1));
    assertThat(kinds()).containsExactly(Kind.STALE);
  }

  @Test
  void findsALostAppend() {
    done(0, 1, a("x", 1));
    done(0, 1, a("x", 2));
    done(2, 3, r("x", 1));
    assertThat(textOfOne(Kind.LOST)).contains("2 is not in x");
  }

  @Test
  void doesNotMissAnAppendThatNobodyLookedFor() {
    done(0, 5, a("x", 1));
    done(0, 5, r("x"));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void findsDuplicatesAndElementsOfNobodyAndOfOtherKeys() {
    done(0, 1, a("x", 1));
    done(2, 3, r("x", 1, 1));
    done(2, 3, r("x", 1, 7));
    done(2, 3, r("y", 1));
    assertThat(kinds()).containsExactly(Kind.DUPLICATE, Kind.NEVER_WRITTEN, Kind.NEVER_WRITTEN);
  }

  @Test
  void findsListsThatContradictEachOther() {
    done(0, 9, a("x", 1));
    done(0, 9, a("x", 2));
    done(0, 9, r("x", 1, 2));
    done(0, 9, r("x", 2));
    assertThat(textOfOne(Kind.INCOMPATIBLE)).contains("place 1 of x is 2 in one, and 1");
  }

  @Test
  void tellsWhatWasSeenAndIsGoneFromAViolation() {
    add(Outcome.UNKNOWN, 0, 1, a("x", 1));
    done(0, 9, a("x", 2));
    done(0, 5, r("x", 1));
    done(10, 11, r("x", 2));
    assertThat(textOfOne(Kind.SEEN_AND_GONE)).contains("not answered");
  }

  @Test
  void doesNotLetAWriteDependOnWhatIsGone() {
    add(Outcome.UNKNOWN, 0, 1, a("x", 1));
    done(0, 9, a("x", 2));
    done(0, 5, r("x", 1), a("y", 3));
    done(10, 11, r("x", 2));
    assertThat(kinds()).contains(Kind.INCOMPATIBLE);
  }

  @Test
  void findsATransactionThatDoesNotSeeItself() {
    done(0, 1, a("x", 1), r("x"));
    done(2, 3, r("x", 1), r("x", 1));
    assertThat(textOfOne(Kind.INTERNAL)).contains("at x");
  }

  @Test
  void findsATransactionThatReadsTwoStates() {
    done(0, 9, a("x", 1));
    done(0, 9, r("x"), r("x", 1));
    assertThat(textOfOne(Kind.INTERNAL)).contains("it had read [] before");
  }

  @Test
  void refusesTwoAppendsOfOneNumber() {
    done(0, 1, a("x", 1));
    done(0, 1, a("y", 1));
    assertThatThrownBy(this::kinds).isInstanceOf(IllegalArgumentException.class);
  }

  // ---- random histories

  /** Damage that is done to a history. */
  enum Fault {
    /** Two neighbours in a list that was read change places. */
    SWAPPED_ELEMENTS,

    /** An element before the last one is missing in a list. */
    DROPPED_ELEMENT,

    /** All reads after an acknowledged append do not have it. */
    LOST_APPEND,

    /** A transaction that was seen is said to be refused. */
    REFUSED,

    /** A read has what it would have had before the last transaction that returned. */
    OLD_STATE
  }

  @Test
  void acceptsRandomHistoriesThatWereSerial() {
    for (int seed = 0; seed < RANDOM_HISTORIES; seed++) {
      history.clear();
      serial(new SplittableRandom(seed));
      assertThat(SerialCheck.check(history)).as("seed %d", seed).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsOneFaultInARandomHistory(Fault fault) {
    int broken = 0;
    for (int seed = 0; seed < RANDOM_HISTORIES; seed++) {
      history.clear();
      SplittableRandom random = new SplittableRandom(seed);
      serial(random);
      if (mutate(fault, random)) {
        broken++;
        assertThat(SerialCheck.check(history)).as("seed %d", seed).isNotEmpty();
      }
    }
    assertThat(broken).isGreaterThan(RANDOM_HISTORIES / 2);
  }

  /**
   * Carries transactions out one after the other, each at a moment between its call and its answer.
   * Calls and answers of many overlap. At last each list is read twice, so that no change of one
   * read leaves a history that could have been.
   */
  private void serial(SplittableRandom random) {
    Map<String, List<Long>> state = new HashMap<>();
    int keys = 1 + random.nextInt(5);
    long element = 0;
    int count = 5 + random.nextInt(60);
    for (int i = 0; i < count; i++) {
      boolean known = random.nextInt(8) != 0;
      boolean happens = known || random.nextBoolean();
      List<Step> steps = new ArrayList<>();
      int length = 1 + random.nextInt(4);
      Map<String, List<Long>> next = new HashMap<>(state);
      for (int s = 0; s < length; s++) {
        String key = "k" + random.nextInt(keys);
        List<Long> list = next.getOrDefault(key, List.of());
        if (random.nextBoolean()) {
          steps.add(new Read(key, list));
        } else {
          List<Long> longer = new ArrayList<>(list);
          longer.add(++element);
          next.put(key, longer);
          steps.add(new Append(key, element));
        }
      }
      if (happens) {
        state = next;
      }
      long moment = 100L * i;
      long before = moment - random.nextLong(250);
      long after = moment + random.nextLong(250);
      boolean refused = !happens && random.nextBoolean();
      if (!known && random.nextBoolean()) {
        steps.removeIf(Read.class::isInstance);
      }
      Outcome outcome = known ? Outcome.DONE : refused ? Outcome.NOT_DONE : Outcome.UNKNOWN;
      history.add(new ListTransaction(i, "test", before, after, outcome, steps));
    }
    for (int read = 0; read < 2 * keys; read++) {
      String key = "k" + read / 2;
      long moment = 100L * (count + 10 + read);
      List<Step> all = List.of(new Read(key, state.getOrDefault(key, List.of())));
      history.add(new ListTransaction(99, "test", moment, moment, Outcome.DONE, all));
    }
    Collections.shuffle(history, new Random(random.nextLong()));
  }

  /** Makes a history wrong; returns whether it has something to make wrong. */
  private boolean mutate(Fault fault, SplittableRandom random) {
    return switch (fault) {
      case SWAPPED_ELEMENTS ->
          changeRead(
              random,
              2,
              list -> {
                List<Long> other = new ArrayList<>(list);
                Collections.swap(other, list.size() - 1, list.size() - 2);
                return other;
              });
      case DROPPED_ELEMENT ->
          changeRead(
              random,
              2,
              list -> {
                List<Long> other = new ArrayList<>(list);
                other.remove(list.size() - 2);
                return other;
              });
      case LOST_APPEND -> {
        ListTransaction victim = drawSeen(random);
        if (victim == null || !victim.isDone()) {
          yield false;
        }
        long lost = victim.appends().getFirst().element();
        history.replaceAll(each -> each.equals(victim) ? each : withoutElement(each, lost));
        yield true;
      }
      case REFUSED -> {
        ListTransaction victim = drawSeen(random);
        if (victim == null) {
          yield false;
        }
        history.set(
            history.indexOf(victim),
            new ListTransaction(
                victim.client(),
                victim.door(),
                victim.invokedNanos(),
                victim.returnedNanos(),
                Outcome.NOT_DONE,
                victim.steps()));
        yield true;
      }
      case OLD_STATE -> {
        long last = history.stream().mapToLong(ListTransaction::returnedNanos).max().orElse(0);
        List<Long> list = List.of();
        String key = "";
        for (ListTransaction each : history) {
          if (each.client() == 99 && each.steps().getFirst() instanceof Read read) {
            boolean longer = read.elements().size() > list.size();
            list = longer ? read.elements() : list;
            key = longer ? read.key() : key;
          }
        }
        if (list.isEmpty()) {
          yield false;
        }
        Step stale = new Read(key, list.subList(0, list.size() - 1));
        history.add(
            new ListTransaction(100, "test", last + 1, last + 2, Outcome.DONE, List.of(stale)));
        yield true;
      }
    };
  }

  /** A transaction that appended, and whose last element is in the last read of its key. */
  private @Nullable ListTransaction drawSeen(SplittableRandom random) {
    List<ListTransaction> seen = new ArrayList<>();
    List<Long> present = new ArrayList<>();
    for (ListTransaction each : history) {
      if (each.client() == 99 && each.steps().getFirst() instanceof Read read) {
        present.addAll(read.elements());
      }
    }
    for (ListTransaction each : history) {
      if (!each.appends().isEmpty() && present.contains(each.appends().getFirst().element())) {
        seen.add(each);
      }
    }
    return seen.isEmpty() ? null : seen.get(random.nextInt(seen.size()));
  }

  private static ListTransaction withoutElement(ListTransaction from, long element) {
    List<Step> steps = new ArrayList<>();
    for (Step step : from.steps()) {
      if (step instanceof Read read) {
        List<Long> rest = new ArrayList<>(read.elements());
        rest.remove(element);
        steps.add(new Read(read.key(), rest));
      } else {
        steps.add(step);
      }
    }
    return new ListTransaction(
        from.client(),
        from.door(),
        from.invokedNanos(),
        from.returnedNanos(),
        from.outcome(),
        steps);
  }

  private interface Change {
    List<Long> of(List<Long> list);
  }

  /** Changes one read of a transaction that was acknowledged. */
  private boolean changeRead(SplittableRandom random, int shortest, Change change) {
    List<Integer> candidates = new ArrayList<>();
    for (int i = 0; i < history.size(); i++) {
      ListTransaction each = history.get(i);
      if (each.isDone()
          && each.steps().getFirst() instanceof Read read
          && read.elements().size() >= shortest) {
        candidates.add(i);
      }
    }
    if (candidates.isEmpty()) {
      return false;
    }
    int drawn = candidates.get(random.nextInt(candidates.size()));
    ListTransaction from = history.get(drawn);
    List<Step> steps = new ArrayList<>(from.steps());
    Read read = (Read) steps.getFirst();
    steps.set(0, new Read(read.key(), change.of(read.elements())));
    history.set(
        drawn,
        new ListTransaction(
            from.client(),
            from.door(),
            from.invokedNanos(),
            from.returnedNanos(),
            from.outcome(),
            steps));
    return true;
  }
}
