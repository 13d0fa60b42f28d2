package io.keyvalueserve.maps;

import static io.keyvalueserve.maps.HdGrid.inAnotherThread;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.TransactionContext;
import com.hazelcast.transaction.TransactionException;
import com.hazelcast.transaction.TransactionOptions;
import com.hazelcast.transaction.TransactionOptions.TransactionType;
import com.hazelcast.transaction.TransactionalMap;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Writes to several keys that happen together or not at all. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}, {1}")
@MethodSource("clustersAndTypes")
final class TransactionTest {
  private final HdGrid grid;
  private final TransactionType type;
  private final IMap<String, String> map;
  private final IMap<String, String> other;

  TransactionTest(int members, TransactionType type) {
    this.grid = SharedGrids.of(members);
    this.type = type;
    this.map = grid.map();
    this.other = grid.elsewhere(map);
  }

  static Stream<Arguments> clustersAndTypes() {
    return Stream.of(1, 3)
        .flatMap(n -> Stream.of(TransactionType.values()).map(type -> Arguments.of(n, type)));
  }

  @Test
  void commitShowsAllWritesAtOnce() {
    map.clear();
    map.putAll(HdGrid.entries(10));
    TransactionContext transaction = begin();
    TransactionalMap<String, String> inside = transaction.getMap(map.getName());
    assertThat(inside.put("k0", "a")).isEqualTo("v0");
    assertThat(inside.putIfAbsent("k1", "b")).isEqualTo("v1");
    assertThat(inside.putIfAbsent("new", "c")).isNull();
    assertThat(inside.replace("k2", "d")).isEqualTo("v2");
    assertThat(inside.replace("k3", "x", "e")).isFalse();
    assertThat(inside.replace("k3", "v3", "e")).isTrue();
    assertThat(inside.remove("k4")).isEqualTo("v4");
    assertThat(inside.remove("k5", "x")).isFalse();
    assertThat(inside.remove("k5", "v5")).isTrue();
    inside.delete("k6");
    inside.set("k7", "f");
    assertThat(inside.put("timed", "g", 1, HOURS)).isNull();
    assertThat(inside.size()).isEqualTo(9);
    assertThat(inside.get("k0")).isEqualTo("a");
    assertThat(inside.containsKey("k4")).isFalse();
    assertThat(inside.keySet()).contains("new", "timed").doesNotContain("k4", "k5", "k6");
    assertThat(inside.values()).contains("a", "c", "d", "e", "f", "g").doesNotContain("v0");
    assertThat(inside.values(Predicates.like("this", "v%"))).hasSize(3);
    FutureTask<@Nullable String> reader = HdGrid.start(() -> other.get("k0"));
    FutureTask<@Nullable String> another = HdGrid.start(() -> other.get("new"));
    if (type == TransactionType.TWO_PHASE) {
      assertThat(HdGrid.result(reader)).isEqualTo("v0");
      assertThat(HdGrid.result(another)).isNull();
    }
    assertThat(other.size()).isEqualTo(10);
    transaction.commitTransaction();
    if (type == TransactionType.ONE_PHASE) { // what it wrote could not be read until now
      assertThat(HdGrid.result(reader)).isEqualTo("a");
      assertThat(HdGrid.result(another)).isEqualTo("c");
    }
    assertThat(other.getAll(other.keySet()))
        .containsOnlyKeys("k0", "k1", "k2", "k3", "k7", "k8", "k9", "new", "timed")
        .containsEntry("k0", "a")
        .containsEntry("k1", "v1")
        .containsEntry("k2", "d")
        .containsEntry("k3", "e")
        .containsEntry("k7", "f")
        .containsEntry("new", "c");
    assertThat(other.getEntryView("timed").getTtl()).isEqualTo(HOURS.toMillis(1));
    assertUnlocked();
  }

  @Test
  void rollbackLeavesNoTrace() {
    map.clear();
    map.putAll(HdGrid.entries(10));
    TransactionContext transaction = begin();
    TransactionalMap<String, String> inside = transaction.getMap(map.getName());
    HdGrid.entries(20).forEach((key, value) -> inside.set(key, "changed"));
    inside.delete("k1");
    transaction.rollbackTransaction();
    assertThat(other.getAll(other.keySet())).isEqualTo(HdGrid.entries(10));
    assertUnlocked();
  }

  @Test
  void whatATransactionWroteIsLockedForOthers() {
    map.set("k", "v");
    map.set("read", "v");
    run(
        inside -> {
          inside.set("k", "w");
          assertThat(inside.getForUpdate("read")).isEqualTo("v");
          assertThat(inAnotherThread(() -> other.tryPut("k", "x", 50, MILLISECONDS))).isFalse();
          assertThat(inAnotherThread(() -> other.tryPut("read", "x", 50, MILLISECONDS))).isFalse();
        });
    assertThat(other.get("k")).isEqualTo("w");
    assertThat(other.tryPut("read", "x", 10_000, MILLISECONDS)).isTrue();
  }

  @Test
  void ofTwoTransactionsOneWaitsAndFailsInTime() {
    map.set("k", "v");
    run(
        inside -> {
          inside.set("k", "w");
          inAnotherThread(
              () -> {
                TransactionContext late =
                    grid.member(grid.size() - 1)
                        .newTransactionContext(
                            new TransactionOptions()
                                .setTransactionType(type)
                                .setTimeout(200, MILLISECONDS));
                late.beginTransaction();
                TransactionalMap<String, String> blocked = late.getMap(map.getName());
                assertThatThrownBy(() -> blocked.set("k", "x"))
                    .isInstanceOf(TransactionException.class);
                late.rollbackTransaction();
                return true;
              });
        });
    assertThat(other.get("k")).isEqualTo("w");
  }

  @Test
  void failsWithTheTask() {
    map.set("k", "v");
    assertThatThrownBy(
            () ->
                grid.member(0)
                    .executeTransaction(
                        options(),
                        context -> {
                          context.getMap(map.getName()).put("k", "w");
                          throw new IllegalStateException("changed my mind");
                        }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(other.get("k")).isEqualTo("v");
    assertUnlocked();
  }

  @Test
  void listenersAndIndexesSeeWhatWasCommitted() {
    IMap<String, Person> people = grid.map();
    people.addIndex(IndexType.HASH, "city");
    Recorder<Person> recorder = new Recorder<>();
    people.addEntryListener(recorder, false);
    TransactionContext transaction = begin();
    TransactionalMap<String, Person> inside = transaction.getMap(people.getName());
    for (int i = 0; i < 20; i++) {
      inside.set("p" + i, Person.of(i));
    }
    assertThat(inside.values(Predicates.equal("city", "city-3"))).hasSize(2);
    assertThat(people.values(Predicates.equal("city", "city-3"))).isEmpty();
    transaction.commitTransaction();
    assertThat(people.values(Predicates.equal("city", "city-3")))
        .containsExactlyInAnyOrder(Person.of(3), Person.of(13));
    await().until(() -> recorder.count("ADDED") == 20);
  }

  private TransactionOptions options() {
    return new TransactionOptions().setTransactionType(type).setTimeout(60, SECONDS);
  }

  private TransactionContext begin() {
    TransactionContext transaction = grid.member(0).newTransactionContext(options());
    transaction.beginTransaction();
    return transaction;
  }

  private void run(Consumer<TransactionalMap<String, String>> task) {
    TransactionContext transaction = begin();
    task.accept(transaction.getMap(map.getName()));
    transaction.commitTransaction();
  }

  private void assertUnlocked() {
    await().until(() -> map.keySet().stream().noneMatch(map::isLocked));
  }
}
