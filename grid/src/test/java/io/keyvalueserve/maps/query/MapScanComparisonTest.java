package io.keyvalueserve.maps.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import io.keyvalueserve.engine.query.Condition;
import io.keyvalueserve.grid.space.TestGrid;
import io.keyvalueserve.maps.predicate.PredicateConditions;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a scan finds what Hazelcast's predicates find. Method: random values of each form, in maps
 * without and with indexes; random predicates, to Hazelcast's own engine and to scans of all
 * members.
 */
class MapScanComparisonTest {
  private static final int PARTITIONS = 5;
  private static final int KEYS = 200;
  private static final int QUESTIONS = Integer.getInteger("kvs.questions", 25);

  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private int timesCounted;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void findsWhatPredicatesFind(int members) {
    try (TestGrid grid = new TestGrid(members, PARTITIONS, MapScanComparisonTest::configure)) {
      for (Values values : Values.values()) {
        IMap<String, Object> plain = grid.member(0).getMap(values + "-plain");
        IMap<String, Object> indexed = grid.member(0).getMap(values + "-indexed");
        addIndexes(indexed);
        for (int i = 0; i < KEYS; i++) {
          Object value = values.make(random);
          plain.set("key-" + i, value);
          indexed.set("key-" + i, value);
        }
        Questions questions = new Questions(values, random);
        for (int i = 0; i < QUESTIONS; i++) {
          Predicate<String, Object> predicate = questions.predicate(2);
          String what = "seed=" + seed + " " + values + " " + predicate;
          Set<String> expected;
          try {
            expected = new TreeSet<>(plain.keySet(predicate));
          } catch (RuntimeException e) {
            continue; // it makes no sense to Hazelcast either
          }
          Condition condition = PredicateConditions.of(predicate);
          if (condition != null) {
            for (IMap<String, Object> map : List.of(plain, indexed)) {
              assertThat(found(grid, members, map, condition))
                  .describedAs("%s map=%s", what, map.getName())
                  .isEqualTo(expected);
            }
          }
        }
      }
    }
    assertThat(timesCounted).isPositive();
  }

  private static void configure(Config config) {
    config.getSerializationConfig().setCheckClassDefErrors(true);
  }

  private static void addIndexes(IMap<String, Object> map) {
    map.addIndex(new IndexConfig(IndexType.SORTED, "age"));
    map.addIndex(new IndexConfig(IndexType.HASH, "size"));
    map.addIndex(new IndexConfig(IndexType.SORTED, "name"));
    map.addIndex(new IndexConfig(IndexType.SORTED, "tags[any]"));
    map.addIndex(new IndexConfig(IndexType.SORTED, "flag", "real"));
    map.addIndex(new IndexConfig(IndexType.HASH, "home.zip"));
  }

  private Set<String> found(
      TestGrid grid, int members, IMap<String, Object> map, Condition condition) {
    Set<String> keys = new TreeSet<>();
    BitSet all = new BitSet();
    all.set(0, PARTITIONS);
    BitSet left = (BitSet) all.clone();
    for (int i = 0; i < members; i++) {
      MapScan scan = MapScan.of(grid.maps(i), map.getName(), condition, List.of());
      ScanPosition position = ScanPosition.begin(all);
      int before = keys.size();
      while (!position.isDone()) {
        position =
            scan.run(
                position,
                row -> {
                  String key =
                      Objects.requireNonNull(
                          TestGrid.nodeEngine(grid.member(0))
                              .getSerializationService()
                              .toObject(row.key()));
                  assertThat(keys.add(key)).describedAs("twice: %s", key).isTrue();
                  return true;
                },
                1_000_000_000L);
      }
      left.and(position.left());
      long counted = scan.count(scan.readable());
      if (counted >= 0) {
        assertThat(counted).describedAs("%s", condition).isEqualTo(keys.size() - before);
        timesCounted++;
      }
    }
    assertThat(left.isEmpty()).isTrue();
    return keys;
  }
}
