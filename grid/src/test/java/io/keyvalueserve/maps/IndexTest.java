package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.MapServiceContext;
import com.hazelcast.query.LocalIndexStats;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.query.impl.IndexRegistry;
import com.hazelcast.query.impl.QueryContext;
import com.hazelcast.query.impl.predicates.IndexAwarePredicate;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** That indexes are used, and follow entries that come and go by ways other than put. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class IndexTest {
  private final HdGrid grid;

  IndexTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void aQueryUsesTheIndexThatTheConfigurationGives() {
    IMap<String, Person> map =
        grid.map(
            config ->
                config
                    .addIndexConfig(new IndexConfig(IndexType.HASH, "city").setName("by-city"))
                    .addIndexConfig(new IndexConfig(IndexType.SORTED, "age").setName("by-age")));
    for (int i = 0; i < 300; i++) {
      map.set("p" + i, Person.of(i));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(map.values(Predicates.equal("city", "city-" + i))).hasSize(30);
      assertThat(map.values(Predicates.between("age", i, i + 9))).hasSize(30);
    }
    for (int i = 0; i < grid.size(); i++) {
      var stats = grid.at(i, map).getLocalMapStats();
      assertThat(stats.getIndexedQueryCount()).isEqualTo(20);
      assertThat(stats.getIndexStats()).containsOnlyKeys("by-city", "by-age");
      assertThat(stats(i, map, "by-city").getQueryCount()).isEqualTo(10);
    }
    long inserted = 0;
    for (int i = 0; i < grid.size(); i++) {
      inserted += stats(i, map, "by-age").getInsertCount();
    }
    assertThat(inserted).isEqualTo(300);
  }

  private LocalIndexStats stats(int member, IMap<?, ?> map, String index) {
    return Objects.requireNonNull(
        grid.at(member, map).getLocalMapStats().getIndexStats().get(index));
  }

  @Test
  void valuesThatDoNotCompareAreInTheMapAndInNoIndex() {
    IMap<String, Object> map =
        grid.map(
            config ->
                config
                    .addIndexConfig(new IndexConfig(IndexType.HASH, "this"))
                    .addIndexConfig(new IndexConfig(IndexType.SORTED, "this", "__key")));
    map.addIndex(IndexType.SORTED, "this");
    for (int i = 0; i < 100; i++) {
      map.set("bytes-" + i, new byte[] {1});
    }
    map.set("leaves", 6);
    map.set("leaves", new byte[] {6});
    map.set("comes", new byte[] {7});
    map.set("comes", 7);
    map.set("number", 5);
    map.delete("bytes-1");
    assertThat(map.size()).isEqualTo(102);
    assertThat(map.keySet(Predicates.greaterEqual("this", 0)))
        .containsExactlyInAnyOrder("comes", "number");
    assertThat(map.keySet(Predicates.equal("this", 6))).isEmpty();
    assertThat(map.keySet(Predicates.equal("this", "7"))).containsExactly("comes");
    assertThat(map.keySet(Predicates.equal("this", null))).isEmpty();
    assertThat(
            map.keySet(
                Predicates.and(Predicates.equal("this", 7), Predicates.equal("__key", "comes"))))
        .containsExactly("comes");
  }

  @Test
  void forgetsWhatExpired() {
    IMap<String, Person> map = indexed();
    for (int i = 0; i < 50; i++) {
      map.set("p" + i, Person.of(i), 100, TimeUnit.MILLISECONDS);
    }
    map.set("stays", Person.of(3));
    await().until(() -> map.size() == 1);
    assertThat(map.keySet(Predicates.equal("city", "city-3"))).containsExactly("stays");
    assertThat(map.keySet(Predicates.lessThan("age", 100))).containsExactly("stays");
  }

  @Test
  void followsBulkWritesAndRemovalByPredicate() {
    IMap<String, Person> map = indexed();
    Map<String, Person> people = new HashMap<>();
    for (int i = 0; i < 200; i++) {
      people.put("p" + i, Person.of(i));
    }
    map.putAll(people);
    assertThat(map.keySet(Predicates.equal("city", "city-3"))).hasSize(20);
    map.removeAll(Predicates.equal("city", "city-3"));
    assertThat(map.keySet(Predicates.equal("city", "city-3"))).isEmpty();
    assertThat(map.keySet(Predicates.greaterEqual("age", 0))).hasSize(180);
    map.setAll(people);
    assertThat(map.keySet(Predicates.equal("city", "city-3"))).hasSize(20);
  }

  @Test
  void startsAnewWithTheMap() {
    String name =
        grid.mapName(config -> config.addIndexConfig(new IndexConfig(IndexType.SORTED, "age")));
    for (int round = 0; round < 3; round++) {
      IMap<String, Person> map = grid.member(0).getMap(name);
      assertThat(map.values(Predicates.greaterEqual("age", 0))).isEmpty();
      for (int i = 0; i < 100; i++) {
        map.set("p" + i, Person.of(i + round));
      }
      assertThat(map.values(Predicates.lessThan("age", 50))).hasSize(50);
      map.destroy();
    }
  }

  @Test
  void indexesTheKey() {
    IMap<Integer, String> map = grid.map();
    map.addIndex(IndexType.SORTED, "__key");
    for (int i = 0; i < 200; i++) {
      map.set(i, "v" + i);
    }
    assertThat(map.keySet(Predicates.between("__key", 50, 59))).hasSize(10);
    map.remove(55);
    assertThat(map.values(Predicates.between("__key", 50, 59))).hasSize(9).doesNotContain("v55");
  }

  @Test
  void indexesTheValueItself() {
    IMap<String, Integer> map = grid.map();
    map.addIndex(IndexType.HASH, "this");
    for (int i = 0; i < 200; i++) {
      map.set("k" + i, i % 10);
    }
    assertThat(map.keySet(Predicates.equal("this", 3))).hasSize(20);
  }

  @Test
  void aBitmapIndexIsNotForNativeMaps() {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    IMap<String, Person> map = grid.map();
    assertThatThrownBy(() -> map.addIndex(IndexType.BITMAP, "city"))
        .hasMessageContaining("BITMAP indexes are not supported by NATIVE storage");
  }

  /** Hazelcast's own puts all entries with their values into a set before the first is used. */
  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // as Hazelcast's own
  void whatEitherOfTwoIndexesFindsIsWalkedThrough() {
    IMap<String, Person> map = indexed();
    for (int i = 0; i < 500; i++) {
      map.set("p" + i, Person.of(i));
    }
    Predicate<String, Person> either =
        Predicates.or(Predicates.equal("city", "city-3"), Predicates.lessThan("age", 50));
    assertThat(map.keySet(either)).hasSize(275);
    assertThat(map.aggregate(Aggregators.count(), either)).isEqualTo(275);
    assertThat(map.values(Predicates.and(either, Predicates.greaterEqual("age", 43)))).hasSize(60);
    MapService service = TestGrid.nodeEngine(grid.member(0)).getService(MapService.SERVICE_NAME);
    MapServiceContext context = service.getMapServiceContext();
    IndexRegistry indexes = context.getMapContainer(map.getName()).getGlobalIndexRegistry();
    Predicate optimized = context.getQueryOptimizer().optimize(either, indexes);
    QueryContext question = new QueryContext(indexes, IndexRegistry.SKIP_PARTITIONS_COUNT_CHECK);
    Object found = ((IndexAwarePredicate) optimized).filter(question);
    assertThat(found.getClass().getSimpleName()).isEqualTo("EntryUnion");
  }

  @Test
  void survivesManyWritersAndQueries() {
    IMap<String, Person> map = indexed();
    var writer = HdGrid.start(() -> write(map, 0));
    var another = HdGrid.start(() -> write(grid.elsewhere(map), 1));
    while (!writer.isDone() || !another.isDone()) {
      assertThat(map.values(Predicates.equal("city", "city-3")))
          .allSatisfy(person -> assertThat(person.city()).isEqualTo("city-3"));
      assertThat(map.values(Predicates.between("age", 10, 20)))
          .allSatisfy(person -> assertThat(person.age()).isBetween(10, 20));
    }
    assertThat(HdGrid.result(writer) && HdGrid.result(another)).isTrue();
    for (int i = 0; i < 10; i++) {
      String city = "city-" + i;
      assertThat(map.keySet(Predicates.equal("city", city)))
          .containsExactlyInAnyOrderElementsOf(
              map.entrySet().stream()
                  .filter(entry -> city.equals(entry.getValue().city()))
                  .map(Map.Entry::getKey)
                  .toList());
    }
  }

  private static boolean write(IMap<String, Person> map, int parity) {
    for (int i = 0; i < 1_500; i++) {
      String key = "p" + (i % 100 * 2 + parity);
      if (i % 5 == 0) {
        map.delete(key);
      } else {
        map.set(key, Person.of(i));
      }
    }
    return true;
  }

  private IMap<String, Person> indexed() {
    IMap<String, Person> map = grid.map();
    map.addIndex(IndexType.HASH, "city");
    map.addIndex(IndexType.SORTED, "age");
    return map;
  }
}
