package io.keyvalueserve.maps;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.core.Offloadable;
import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.ExtendedMapEntry;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that runs where the entry is. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class EntryProcessorTest {
  private static final AtomicInteger BACKUP_RUNS = new AtomicInteger();

  private final HdGrid grid;
  private IMap<String, Integer> map;

  EntryProcessorTest(int members) {
    grid = SharedGrids.of(members);
    map = grid.map();
  }

  @BeforeEach
  void mapOfItsOwn() {
    map = grid.map();
    for (int i = 0; i < 100; i++) {
      map.set("k" + i, i);
    }
  }

  @Test
  void changesAnEntryAndAnswers() {
    assertThat(map.executeOnKey("k5", new Add(10))).isEqualTo(5);
    assertThat(grid.elsewhere(map).get("k5")).isEqualTo(15);
  }

  @Test
  void makesAnEntryThatWasNotThere() {
    assertThat(map.executeOnKey("new", new Add(3))).isNull();
    assertThat(map.get("new")).isEqualTo(3);
    assertThat(map.size()).isEqualTo(101);
  }

  @Test
  void removesByNull() {
    assertThat(map.<Boolean>executeOnKey("k5", EntryProcessorTest::remove)).isTrue();
    assertThat(map.<Boolean>executeOnKey("absent", EntryProcessorTest::remove)).isTrue();
    assertThat(map.containsKey("k5")).isFalse();
    assertThat(map.size()).isEqualTo(99);
    map.executeOnEntries(EntryProcessorTest::remove, Predicates.lessThan("this", 50));
    assertThat(map.size()).isEqualTo(50);
    map.executeOnEntries(EntryProcessorTest::remove);
    assertThat(grid.elsewhere(map).isEmpty()).isTrue();
  }

  private static Boolean remove(Map.Entry<String, Integer> entry) {
    entry.setValue(null);
    return true;
  }

  @Test
  void runsOnSeveralKeys() {
    Map<String, Integer> old = map.executeOnKeys(Set.of("k1", "k2", "new"), new Add(100));
    assertThat(old).containsEntry("k1", 1).containsEntry("k2", 2);
    assertThat(map.getAll(Set.of("k1", "k2", "new")))
        .isEqualTo(Map.of("k1", 101, "k2", 102, "new", 100));
  }

  @Test
  void runsOnAllEntriesAndOnThoseOfAPredicate() {
    assertThat(map.executeOnEntries(new Add(1_000))).hasSize(100);
    assertThat(map.values()).allSatisfy(value -> assertThat(value).isGreaterThanOrEqualTo(1_000));
    assertThat(map.executeOnEntries(new Add(1_000), Predicates.lessThan("this", 1_010)))
        .hasSize(10);
    assertThat(map.values(Predicates.greaterEqual("this", 2_000))).hasSize(10);
  }

  @Test
  void findsEntriesByAnIndexAndKeepsItRight() {
    IMap<String, Person> people = grid.map();
    people.addIndex(IndexType.SORTED, "age");
    for (int i = 0; i < 200; i++) {
      people.set("p" + i, Person.of(i));
    }
    EntryProcessor<String, Person, Integer> birthday =
        entry -> {
          Person p = entry.getValue();
          entry.setValue(new Person(p.name(), p.age() + 100, p.city(), p.active()));
          return p.age();
        };
    assertThat(people.executeOnEntries(birthday, Predicates.between("age", 10, 19)).values())
        .hasSize(20)
        .allSatisfy(age -> assertThat(age).isBetween(10, 19));
    assertThat(people.keySet(Predicates.between("age", 10, 19))).isEmpty();
    assertThat(people.keySet(Predicates.between("age", 110, 119))).hasSize(20);
  }

  @Test
  void setsATimeToLive() {
    map.<Boolean>executeOnKey(
        "k1",
        entry -> {
          ((ExtendedMapEntry<String, Integer>) entry).setValue(7, 2, HOURS);
          return true;
        });
    assertThat(map.get("k1")).isEqualTo(7);
    assertThat(map.getEntryView("k1").getTtl()).isEqualTo(HOURS.toMillis(2));
    map.set("timed", 1, 1, HOURS);
    long expires = map.getEntryView("timed").getExpirationTime();
    map.<Boolean>executeOnKey(
        "timed",
        entry -> {
          ((ExtendedMapEntry<String, Integer>) entry).setValueWithoutChangingExpiryTime(7);
          return true;
        });
    assertThat(map.getEntryView("timed").getValue()).isEqualTo(7);
    assertThat(map.getEntryView("timed").getExpirationTime()).isEqualTo(expires);
  }

  @Test
  void runsOnBackupsToo() {
    BACKUP_RUNS.set(0);
    map.executeOnKeys(Set.of("k1", "k2", "k3"), new Add(1));
    int expected = grid.size() == 1 ? 0 : 3;
    await().untilAsserted(() -> assertThat(BACKUP_RUNS).hasValue(expected));
  }

  @Test
  void anotherThreadMayDoTheWork() {
    assertThat(map.executeOnKey("k1", new Offloaded())).startsWith("hz.").isNotEmpty();
    assertThat(map.get("k1")).isEqualTo(1_001);
    assertThat(map.isLocked("k1")).isFalse();
    for (int i = 0; i < 10; i++) {
      map.executeOnKey("k1", new Offloaded());
    }
    assertThat(map.get("k1")).isEqualTo(11_001);
  }

  @Test
  void oneThatOnlyReadsMayRunWhileTheKeyIsLocked() {
    map.lock("k1");
    assertThat(HdGrid.inAnotherThread(() -> map.executeOnKey("k1", new Reading()))).isEqualTo(1);
    assertThat(HdGrid.inAnotherThread(() -> map.executeOnKey("k1", new OffloadedReading())))
        .isEqualTo(1);
    map.unlock("k1");
    assertThat(map.executeOnEntries(new Reading())).hasSize(100);
  }

  @Test
  void oneThatOnlyReadsMustNotWrite() {
    assertThatThrownBy(() -> map.executeOnKey("k1", new WritingThoughReadOnly()))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(map.get("k1")).isEqualTo(1);
  }

  @Test
  void aFailureIsTheCallersAndChangesNothing() {
    assertThatThrownBy(
            () ->
                map.<Boolean>executeOnKey(
                    "k1",
                    entry -> {
                      entry.setValue(99);
                      throw new IllegalStateException("of the processor");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(map.get("k1")).isEqualTo(1);
  }

  @Test
  void answersLater() {
    assertThat(map.submitToKey("k1", new Add(1)).toCompletableFuture().join()).isEqualTo(1);
    assertThat(map.submitToKeys(Set.of("k1", "k2"), new Add(1)).toCompletableFuture().join())
        .isEqualTo(Map.of("k1", 2, "k2", 2));
  }

  @Test
  void countsExactlyUnderContention() {
    map.set("counter", 0);
    IMap<String, Integer> other = grid.elsewhere(map);
    var one = HdGrid.start(() -> add(map));
    var two = HdGrid.start(() -> add(other));
    assertThat(HdGrid.result(one) && HdGrid.result(two)).isTrue();
    assertThat(map.get("counter")).isEqualTo(400);
  }

  private static boolean add(IMap<String, Integer> map) {
    for (int i = 0; i < 200; i++) {
      map.executeOnKey("counter", new Add(1));
    }
    return true;
  }

  /** Adds to a number, from zero if there is none, and answers what was there. */
  private record Add(int amount) implements EntryProcessor<String, Integer, @Nullable Integer> {
    @Override
    public @Nullable Integer process(Map.Entry<String, Integer> entry) {
      Integer old = entry.getValue();
      entry.setValue(old == null ? amount : old + amount);
      return old;
    }

    @Override
    public EntryProcessor<String, Integer, @Nullable Integer> getBackupProcessor() {
      return new AddOnBackup(amount);
    }
  }

  private record AddOnBackup(int amount)
      implements EntryProcessor<String, Integer, @Nullable Integer> {
    @Override
    public @Nullable Integer process(Map.Entry<String, Integer> entry) {
      BACKUP_RUNS.incrementAndGet();
      Integer old = entry.getValue();
      entry.setValue(old == null ? amount : old + amount);
      return old;
    }
  }

  private static final class Offloaded
      implements EntryProcessor<String, Integer, String>, Offloadable {
    @Override
    public String process(Map.Entry<String, Integer> entry) {
      entry.setValue(entry.getValue() + 1_000);
      return Thread.currentThread().getName();
    }

    @Override
    public String getExecutorName() {
      return OFFLOADABLE_EXECUTOR;
    }
  }

  private static class Reading implements EntryProcessor<String, Integer, Integer>, ReadOnly {
    @Override
    public Integer process(Map.Entry<String, Integer> entry) {
      return entry.getValue();
    }

    @Override
    public @Nullable EntryProcessor<String, Integer, Integer> getBackupProcessor() {
      return null;
    }
  }

  private static final class OffloadedReading extends Reading implements Offloadable {
    @Override
    public String getExecutorName() {
      return OFFLOADABLE_EXECUTOR;
    }
  }

  private static final class WritingThoughReadOnly extends Reading {
    @Override
    public Integer process(Map.Entry<String, Integer> entry) {
      return entry.setValue(99);
    }
  }
}
