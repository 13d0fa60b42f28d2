package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Many entries in one call. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}, client={1}")
@CsvSource({"1,false", "3,false", "3,true"})
final class BulkTest {
  private static final int COUNT = 500;

  private final HdGrid grid;
  private final boolean client;
  private final Map<String, String> entries = HdGrid.entries(COUNT);
  private IMap<String, String> map;
  private IMap<String, String> other;

  BulkTest(int members, boolean client) {
    this.grid = SharedGrids.of(members);
    this.client = client;
    map = grid.map();
    other = grid.from(client, map);
  }

  @BeforeEach
  void mapOfItsOwn() {
    map = grid.map();
    other = grid.from(client, map);
  }

  @Test
  void putAllThenGetAll() {
    map.putAll(entries);
    assertThat(other.getAll(entries.keySet())).isEqualTo(entries);
    assertThat(other.getAll(Set.of("k1", "absent"))).isEqualTo(Map.of("k1", "v1"));
    assertThat(other.getAll(Set.of())).isEmpty();
  }

  @Test
  void putAllReplaces() {
    map.putAll(entries);
    Map<String, String> longer = new HashMap<>();
    entries.forEach((key, value) -> longer.put(key, value.repeat(20)));
    other.putAll(longer);
    assertThat(map.getAll(entries.keySet())).isEqualTo(longer);
    assertThat(map.size()).isEqualTo(COUNT);
  }

  @Test
  void setAllAndItsLaterForms() {
    map.setAll(entries);
    assertThat(other.size()).isEqualTo(COUNT);
    other.setAllAsync(Map.of("k0", "x", "new", "y")).toCompletableFuture().join();
    assertThat(map.get("k0")).isEqualTo("x");
    map.putAllAsync(Map.of("k0", "z")).toCompletableFuture().join();
    assertThat(other.get("k0")).isEqualTo("z");
    assertThat(other.size()).isEqualTo(COUNT + 1);
  }

  @Test
  void removeAllByPredicate() {
    map.putAll(entries);
    other.removeAll(Predicates.like("this", "v1%"));
    entries.keySet().removeIf(key -> key.startsWith("k1"));
    assertThat(map.getAll(map.keySet())).isEqualTo(entries);
    map.removeAll(Predicates.alwaysTrue());
    assertThat(other.isEmpty()).isTrue();
  }

  @Test
  void clearLeavesNothingAndTheMapUsable() {
    map.putAll(entries);
    other.clear();
    assertThat(map.isEmpty()).isTrue();
    assertThat(map.entrySet()).isEmpty();
    assertThat(map.get("k1")).isNull();
    map.putAll(entries);
    assertThat(other.entrySet()).containsExactlyInAnyOrderElementsOf(entries.entrySet());
  }

  @Test
  void evictRemovesOne() {
    map.putAll(entries);
    assertThat(other.evict("k1")).isTrue();
    assertThat(other.evict("k1")).isFalse();
    assertThat(map.containsKey("k1")).isFalse();
    assertThat(map.size()).isEqualTo(COUNT - 1);
  }

  @Test
  void evictAllRemovesAll() {
    map.putAll(entries);
    other.evictAll();
    assertThat(map.size()).isZero();
    map.putAll(entries);
    assertThat(other.size()).isEqualTo(COUNT);
  }

  @Test
  void growsAndShrinksManyTimes() {
    for (int round = 0; round < 10; round++) {
      map.setAll(entries);
      assertThat(map.size()).isEqualTo(COUNT);
      for (String key : entries.keySet()) {
        assertThat(map.remove(key)).isEqualTo(entries.get(key));
      }
      assertThat(map.isEmpty()).isTrue();
    }
  }
}
