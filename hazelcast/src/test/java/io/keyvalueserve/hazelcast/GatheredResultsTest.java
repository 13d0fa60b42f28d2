package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.QueryResultSizeExceededException;
import com.hazelcast.projection.Projections;
import com.hazelcast.query.PagingPredicate;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.grid.WaitingLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the result of a query takes a bounded part of each member's heap, whatever it asks for, and
 * leaves nothing behind. Method: a real client asks for more than may be gathered and for less; of
 * a member that is alone, and of one of three.
 */
@Timeout(240)
class GatheredResultsTest {
  private static final long HEAP_BYTES = 6 << 20;
  private static final int LENGTH = 20_000;
  private static final int ENTRIES = 200;

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  abstract static class Results {
    private final List<DoorMember> members = new ArrayList<>();
    private final HazelcastInstance acme;
    private final HazelcastInstance globex;
    private final IMap<Integer, String> large;
    private final IMap<Integer, String> small;

    Results(int count) {
      WaitingLimit limit =
          new WaitingLimit(WaitingLimit.USUAL.requests(), WaitingLimit.USUAL.bytes(), HEAP_BYTES);
      for (int i = 0; i < count; i++) {
        members.add(
            new DoorMember(
                i == 0 ? List.of() : List.of("127.0.0.1:" + members.getFirst().member.memberPort()),
                limit));
      }
      acme = members.getLast().client("acme");
      globex = members.getLast().client("globex");
      large = acme.getMap("large");
      small = globex.getMap("small");
    }

    @BeforeAll
    void fill() {
      for (int i = 0; i < ENTRIES; i++) {
        large.set(i, i + "x".repeat(LENGTH));
        small.set(i, "v" + i);
      }
    }

    @AfterAll
    void stop() {
      acme.shutdown();
      globex.shutdown();
      members.reversed().forEach(DoorMember::close);
    }

    @AfterEach
    void nothingIsLeft() {
      for (DoorMember each : members) {
        for (String tenant : List.of("acme", "globex")) {
          await()
              .atMost(Duration.ofSeconds(30))
              .untilAsserted(
                  () -> assertThat(each.member.temporaryBytes(DoorMember.number(tenant))).isZero());
        }
      }
    }

    private void assertBounded(ThrowingCallable query) {
      assertThatThrownBy(query)
          .isInstanceOf(QueryResultSizeExceededException.class)
          .hasMessageContaining("too large for the Java heap")
          .hasMessageContaining("ask for less with a predicate");
      assertThat(small.values()).as("another tenant").hasSize(ENTRIES);
    }

    @Test
    void wholeMapsAreBounded() {
      assertBounded(large::values);
      assertBounded(large::entrySet);
      assertThat(large.keySet()).hasSize(ENTRIES);
    }

    @Test
    void predicatesAreBoundedByWhatTheyFind() {
      Predicate<Integer, String> most = Predicates.greaterEqual("__key", 5);
      assertBounded(() -> large.values(most));
      assertBounded(() -> large.entrySet(most));
      assertThat(large.keySet(most)).hasSize(ENTRIES - 5);
      assertThat(large.values(Predicates.lessThan("__key", 5)))
          .hasSize(5)
          .allSatisfy(value -> assertThat(value).hasSizeGreaterThan(LENGTH));
    }

    @Test
    void projectionsAreBoundedByWhatTheyReturn() {
      assertBounded(() -> large.project(Projections.singleAttribute("this")));
      assertThat(large.<Integer>project(Projections.singleAttribute("__key"))).hasSize(ENTRIES);
    }

    @Test
    void aggregationsAreBoundedByWhatTheyKeep() {
      assertBounded(() -> large.aggregate(Aggregators.distinct("this")));
      assertThat(
              large.aggregate(Aggregators.<Map.Entry<Integer, String>, Integer>distinct("__key")))
          .hasSize(ENTRIES);
      assertThat(large.aggregate(Aggregators.count())).isEqualTo(ENTRIES);
      assertThat(
              large.aggregate(
                  Aggregators.<Map.Entry<Integer, String>, String>comparableMax("this")))
          .startsWith("9x");
    }

    @Test
    void pagesHoldNoMoreThanTheirEntries() {
      PagingPredicate<Integer, String> pages = Predicates.pagingPredicate(2);
      List<Integer> seen = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        seen.addAll(large.keySet(pages));
        pages.nextPage();
      }
      assertThat(seen).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 20).boxed().toList());
      assertBounded(() -> large.values(Predicates.pagingPredicate(ENTRIES)));
    }

    @Test
    void indexesAreBoundedByWhatTheyFind() {
      IMap<Integer, String> indexed = acme.getMap("indexed");
      indexed.addIndex(IndexType.SORTED, "__key");
      for (int i = 0; i < ENTRIES; i++) {
        indexed.set(i, i + "x".repeat(LENGTH));
      }
      assertBounded(() -> indexed.values(Predicates.greaterEqual("__key", 5)));
      assertThat(indexed.values(Predicates.lessThan("__key", 5))).hasSize(5);
      assertBounded(
          () ->
              indexed.aggregate(Aggregators.distinct("this"), Predicates.greaterEqual("__key", 5)));
      indexed.destroy();
    }

    @Test
    void transactionsAreBounded() {
      TransactionContext transaction = acme.newTransactionContext();
      transaction.beginTransaction();
      assertBounded(() -> transaction.getMap("large").values());
      transaction.rollbackTransaction();
    }

    @Test
    void readsOfManyKeysAreBoundedAndIterationsGoOn() {
      IMap<String, String> map = acme.getMap("bulk");
      Set<String> keys = keysOfOnePartition(6);
      keys.forEach(key -> map.set(key, key + "x".repeat(10 * LENGTH)));
      assertThatThrownBy(() -> map.getAll(keys))
          .isInstanceOf(QueryResultSizeExceededException.class)
          .hasMessageContaining("ask for fewer keys at a time");
      assertThat(map.getAll(Set.copyOf(keys.stream().limit(2).toList()))).hasSize(2);
      Set<String> seen = new HashSet<>();
      map.iterator(100).forEachRemaining(entry -> seen.add(entry.getKey()));
      assertThat(seen).isEqualTo(keys);
      map.destroy();
    }

    private Set<String> keysOfOnePartition(int count) {
      return IntStream.iterate(0, i -> i + 1)
          .mapToObj(i -> "k" + i)
          .filter(key -> Messages.partition(Messages.data(key)) == 0)
          .limit(count)
          .collect(Collectors.toSet());
    }

    @Test
    void manyQueriesAtOnceAreBoundedTogether() {
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(
            Thread.startVirtualThread(
                () -> {
                  for (int n = 0; n < 3; n++) {
                    assertThatThrownBy(large::values)
                        .isInstanceOf(QueryResultSizeExceededException.class);
                  }
                }));
      }
      for (int i = 0; i < 10; i++) {
        assertThat(small.entrySet()).hasSize(ENTRIES);
        for (DoorMember each : members) {
          assertThat(each.member.temporaryBytes(DoorMember.number("acme")))
              .isLessThanOrEqualTo(HEAP_BYTES);
        }
      }
      for (Thread each : all) {
        await().atMost(Duration.ofSeconds(60)).until(() -> !each.isAlive());
      }
    }
  }

  @Nested
  class OfOneMember extends Results {
    OfOneMember() {
      super(1);
    }
  }

  @Nested
  class OfOneOfThree extends Results {
    OfOneOfThree() {
      super(3);
    }
  }
}
