package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Single entries: every way to read, write, compare and remove one, seen from two members. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}, client={1}")
@CsvSource({"1,false", "3,false", "3,true"})
final class MapBasicsTest {
  private final HdGrid grid;
  private final boolean client;
  private IMap<String, String> map;
  private IMap<String, String> other;

  MapBasicsTest(int members, boolean client) {
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
  void putReturnsWhatWasThereAndGetWhatIs() {
    for (int i = 0; i < 50; i++) {
      assertThat(map.put("k" + i, "a" + i)).isNull();
      assertThat(other.put("k" + i, "b" + i)).isEqualTo("a" + i);
      assertThat(map.get("k" + i)).isEqualTo("b" + i);
    }
    assertThat(map.get("absent")).isNull();
    assertThat(other.size()).isEqualTo(50);
  }

  @Test
  void setAndDeleteAnswerNothing() {
    map.set("k", "v");
    assertThat(other.get("k")).isEqualTo("v");
    other.delete("k");
    map.delete("k");
    assertThat(map.containsKey("k")).isFalse();
    assertThat(map.isEmpty()).isTrue();
  }

  @Test
  void removeReturnsTheValueOnce() {
    map.set("k", "v");
    assertThat(other.remove("k")).isEqualTo("v");
    assertThat(other.remove("k")).isNull();
    assertThat(map.size()).isZero();
  }

  @Test
  void removeOfAPairComparesTheValue() {
    map.set("k", "v");
    assertThat(other.remove("k", "w")).isFalse();
    assertThat(other.remove("absent", "v")).isFalse();
    assertThat(map.get("k")).isEqualTo("v");
    assertThat(other.remove("k", "v")).isTrue();
    assertThat(map.get("k")).isNull();
  }

  @Test
  void replaceNeedsAValueThere() {
    assertThat(map.replace("k", "v")).isNull();
    assertThat(map.containsKey("k")).isFalse();
    map.set("k", "v");
    assertThat(other.replace("k", "w")).isEqualTo("v");
    assertThat(map.get("k")).isEqualTo("w");
  }

  @Test
  void replaceOfAPairComparesTheValue() {
    assertThat(map.replace("k", "v", "w")).isFalse();
    map.set("k", "v");
    assertThat(other.replace("k", "x", "w")).isFalse();
    assertThat(other.replace("k", "v", "w")).isTrue();
    assertThat(map.get("k")).isEqualTo("w");
  }

  @Test
  void putIfAbsentKeepsTheFirst() {
    assertThat(map.putIfAbsent("k", "first")).isNull();
    assertThat(other.putIfAbsent("k", "second")).isEqualTo("first");
    assertThat(map.get("k")).isEqualTo("first");
  }

  @Test
  void triesWithATimeout() {
    assertThat(map.tryPut("k", "v", 10, TimeUnit.SECONDS)).isTrue();
    assertThat(other.get("k")).isEqualTo("v");
    assertThat(other.tryRemove("k", 10, TimeUnit.SECONDS)).isTrue();
    assertThat(map.containsKey("k")).isFalse();
  }

  @Test
  void computesInPlace() {
    assertThat(map.computeIfAbsent("k", key -> "of " + key)).isEqualTo("of k");
    assertThat(other.computeIfAbsent("k", key -> "again")).isEqualTo("of k");
    assertThat(other.computeIfPresent("k", (key, value) -> value + "!")).isEqualTo("of k!");
    assertThat(map.merge("k", "?", (old, added) -> old + added)).isEqualTo("of k!?");
    assertThat(map.compute("k", (key, value) -> value == null ? "none" : "all")).isEqualTo("all");
    map.set("l", "x");
    map.replaceAll((key, value) -> key + value);
    assertThat(other.getAll(map.keySet())).containsOnly(entry("k", "kall"), entry("l", "lx"));
  }

  @Test
  void answersLater() {
    assertThat(map.putAsync("k", "a").toCompletableFuture().join()).isNull();
    assertThat(map.setAsync("k", "b").toCompletableFuture().join()).isNull();
    assertThat(other.getAsync("k").toCompletableFuture().join()).isEqualTo("b");
    assertThat(other.removeAsync("k").toCompletableFuture().join()).isEqualTo("b");
    assertThat(other.deleteAsync("k").toCompletableFuture().join()).isFalse();
  }

  @Test
  void holdsKeysAndValuesOfManyTypes() {
    IMap<Object, Object> any = grid.map();
    Map<Object, Object> pairs =
        Map.of(
            1,
            "int",
            1L,
            "long",
            "1",
            "string",
            'c',
            1.5,
            true,
            (byte) 3,
            (short) 4,
            2.5f,
            7.5d,
            new int[] {1, 2, 3}.length,
            "list",
            List.of("a", "b"));
    pairs.forEach(any::set);
    IMap<Object, Object> seen = grid.from(client, any);
    assertThat(seen.size()).isEqualTo(pairs.size());
    pairs.forEach((key, value) -> assertThat(seen.get(key)).isEqualTo(value));
    any.set("bytes", new byte[] {1, 2, 3});
    assertThat(seen.get("bytes")).isEqualTo(new byte[] {1, 2, 3});
    any.set(new byte[] {9}, "by bytes");
    assertThat(seen.get(new byte[] {9})).isEqualTo("by bytes");
  }

  @Test
  void showsItsContentsWhole() {
    Map<String, String> entries = HdGrid.entries(200);
    entries.forEach(map::set);
    assertThat(other.size()).isEqualTo(200);
    assertThat(other.keySet()).containsExactlyInAnyOrderElementsOf(entries.keySet());
    assertThat(other.values()).containsExactlyInAnyOrderElementsOf(entries.values());
    assertThat(other.entrySet()).containsExactlyInAnyOrderElementsOf(entries.entrySet());
    assertThat(other.containsValue("v7")).isTrue();
    assertThat(other.containsValue("w")).isFalse();
    assertThat(other.keySet(Predicates.like("this", "v19%")))
        .containsExactlyInAnyOrder(
            "k19", "k190", "k191", "k192", "k193", "k194", "k195", "k196", "k197", "k198", "k199");
    int local = 0;
    for (int i = 0; i < grid.size(); i++) {
      local += grid.at(i, map).localKeySet().size();
    }
    assertThat(local).isEqualTo(200);
  }

  @Test
  void countsWhatItDid() {
    for (int i = 0; i < 20; i++) {
      map.set("k" + i, "v");
      assertThat(map.get("k" + i)).isEqualTo("v");
    }
    long owned = 0;
    long backups = 0;
    long cost = 0;
    for (int i = 0; i < grid.size(); i++) {
      var stats = grid.at(i, map).getLocalMapStats();
      owned += stats.getOwnedEntryCount();
      backups += stats.getBackupEntryCount();
      cost += stats.getOwnedEntryMemoryCost();
    }
    assertThat(owned).isEqualTo(20);
    assertThat(backups).isEqualTo(grid.size() == 1 ? 0 : 20);
    assertThat(cost).isPositive();
    assertThat(map.getLocalMapStats().getGetOperationCount()).isEqualTo(20);
    assertThat(map.getLocalMapStats().getSetOperationCount()).isEqualTo(20);
  }

  @SuppressWarnings("NullAway") // the point of the test
  @Test
  void refusesNulls() {
    assertThatThrownBy(() -> map.put(null, "v")).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.put("k", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> map.get(null)).isInstanceOf(NullPointerException.class);
  }
}
