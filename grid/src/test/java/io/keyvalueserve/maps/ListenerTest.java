package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What listeners hear, in which order, and with which values. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class ListenerTest {
  private final HdGrid grid;
  private final Recorder<String> recorder = new Recorder<>();
  private IMap<String, String> map;
  private IMap<String, String> other;

  ListenerTest(int members) {
    grid = SharedGrids.of(members);
    map = grid.map();
    other = grid.elsewhere(map);
  }

  @BeforeEach
  void mapOfItsOwn() {
    map = grid.map();
    other = grid.elsewhere(map);
  }

  @Test
  void hearsEveryChangeOfAKeyInOrderWithValues() {
    map.addEntryListener(recorder, true);
    other.put("k", "a");
    other.put("k", "b");
    other.replace("k", "c");
    other.remove("k");
    other.set("k", "d");
    other.evict("k");
    assertHeard(
        "ADDED k null -> a",
        "UPDATED k a -> b",
        "UPDATED k b -> c",
        "REMOVED k c -> null",
        "ADDED k null -> d",
        "EVICTED k d -> null");
  }

  @Test
  void hearsKeysOnlyWhenValuesAreNotAskedFor() {
    map.addEntryListener(recorder, false);
    other.put("k", "a");
    other.put("k", "b");
    other.delete("k");
    assertHeard("ADDED k null -> null", "UPDATED k null -> null", "REMOVED k null -> null");
  }

  @Test
  void hearsOfOneKey() {
    map.addEntryListener(recorder, "k", true);
    other.set("l", "x");
    other.set("k", "a");
    assertHeard("ADDED k null -> a");
  }

  @Test
  void hearsOfWhatAPredicateHolds() {
    map.addEntryListener(recorder, Predicates.like("this", "a%"), true);
    other.set("k", "apple");
    other.set("k", "banana");
    other.set("l", "blueberry");
    other.set("l", "avocado");
    other.remove("l");
    assertHeard(
        "ADDED k null -> apple", "UPDATED l blueberry -> avocado", "REMOVED l avocado -> null");
  }

  @Test
  void hearsOfTheWholeMap() {
    map.addEntryListener(recorder, true);
    map.putAll(HdGrid.entries(10));
    await().until(() -> recorder.count("ADDED") == 10);
    other.clear();
    await().until(() -> recorder.count("CLEAR_ALL") == 1);
    map.putAll(HdGrid.entries(7));
    other.evictAll();
    await().until(() -> recorder.count("EVICT_ALL") == 1);
    assertThat(recorder.events()).contains("CLEAR_ALL 10", "EVICT_ALL 7");
  }

  @Test
  void hearsOfBulkWritesAndProcessors() {
    map.addEntryListener(recorder, true);
    other.putAll(Map.of("k", "a"));
    other.set("k", "b"); // setAll would not know what was there
    other.executeOnKey("k", entry -> entry.setValue("c"));
    other.executeOnEntries(entry -> entry.setValue(entry.getValue() + "d"));
    other.<Boolean>executeOnKey(
        "k",
        entry -> {
          entry.setValue(null);
          return true;
        });
    other.setAll(Map.of("m", "y"));
    other.set("l", "x", 100, TimeUnit.MILLISECONDS);
    assertHeard(
        "ADDED k null -> a",
        "UPDATED k a -> b",
        "UPDATED k b -> c",
        "UPDATED k c -> cd",
        "REMOVED k cd -> null",
        "ADDED m null -> y",
        "ADDED l null -> x",
        "EXPIRED l x -> null");
  }

  @Test
  void aLocalListenerHearsWhatItsMemberOwns() {
    map.addLocalEntryListener(recorder);
    for (int i = 0; i < grid.size(); i++) {
      other.set(grid.keyOwnedBy(i), "v");
    }
    String mine = grid.keyOwnedBy(0);
    other.set(mine, "w");
    assertHeard("ADDED " + mine + " null -> v", "UPDATED " + mine + " v -> w");
  }

  @Test
  void isSilentOnceRemoved() {
    UUID id = map.addEntryListener(recorder, true);
    other.set("k", "a");
    await().until(() -> recorder.count("ADDED") == 1);
    assertThat(map.removeEntryListener(id)).isTrue();
    assertThat(map.removeEntryListener(id)).isFalse();
    Recorder<String> after = new Recorder<>();
    map.addEntryListener(after, true);
    other.set("k", "b");
    await().until(() -> after.count("UPDATED") == 1);
    assertThat(recorder.events()).hasSize(1);
  }

  @Test
  void aClientHearsTheSame() {
    HazelcastInstance client = SharedGrids.client(grid);
    IMap<String, String> seen = client.getMap(map.getName());
    seen.addEntryListener(recorder, true);
    map.put("k", "a");
    other.put("k", "b");
    seen.remove("k");
    assertHeard("ADDED k null -> a", "UPDATED k a -> b", "REMOVED k b -> null");
  }

  @Test
  void aQueryCacheFollowsTheMap() {
    map.putAll(HdGrid.entries(20));
    var cache = map.getQueryCache("cache", Predicates.like("this", "v1%"), true);
    await().until(() -> cache.size() == 11);
    other.set("new", "v1-new");
    other.remove("k1");
    other.set("k10", "w");
    await()
        .untilAsserted(
            () -> {
              assertThat(cache.get("new")).isEqualTo("v1-new");
              assertThat(cache.containsKey("k1")).isFalse();
              assertThat(cache.containsKey("k10")).isFalse();
              assertThat(cache.size()).isEqualTo(10);
            });
    cache.destroy();
  }

  private void assertHeard(String... events) {
    await().until(() -> recorder.events().size() >= events.length);
    assertThat(byKey(recorder.events())).isEqualTo(byKey(List.of(events)));
  }

  /** Events of one key keep their order; those of two keys have none. */
  private static Map<String, List<String>> byKey(List<String> events) {
    return events.stream().collect(Collectors.groupingBy(event -> event.split(" ", 3)[1]));
  }
}
