package io.keyvalueserve.maps.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.LocalIndexStats;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import com.hazelcast.sql.SqlResult;
import com.hazelcast.sql.SqlRow;
import io.keyvalueserve.grid.space.TestGrid;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** What becomes of indexes off the heap as members, maps, entries, and memory come and go. */
class MapIndexTest {
  private static final int PARTITIONS = 13;

  /** More entries than {@link #SMALL_BYTES} take. */
  private static final int EVICTING = 12_000;

  private static final int SMALL_BYTES = 8 << 20;

  /** How long entries move within a range; longer with {@code -Dkvs.test.long=on}. */
  private static final int MOVING_SECONDS =
      System.getProperty("kvs.test.long", "off").equals("on") ? 30 : 1;

  @Test
  void givesAllMemoryBack() {
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {})) {
      HazelcastInstance member = grid.member(0);
      long before = -1;
      for (int round = 0; round < 5; round++) {
        IMap<String, Row> map = member.getMap("map");
        fill(map, 2_000, new Random(round));
        map.addIndex(IndexType.SORTED, "number");
        map.addIndex(IndexType.HASH, "city");
        fill(map, 2_000, new Random(-round));
        LocalIndexStats stats = map.getLocalMapStats().getIndexStats().values().iterator().next();
        assertThat(stats.getMemoryCost()).isPositive();
        if (round % 2 == 0) {
          map.evictAll();
          assertThat(map.keySet(Predicates.greaterEqual("number", -100))).isEmpty();
          fill(map, 100, new Random(round));
        } else {
          map.clear();
        }
        map.destroy();
        member.getMap("other").set("key", "value");
        grid.maps(0).heap().trim();
        long after = grid.maps(0).usedBytes();
        assertThat(before == -1 || before == after)
            .describedAs("before=%d after=%d", before, after)
            .isTrue();
        before = after;
      }
    }
  }

  @Test
  void aComparisonInACompositeIndexFindsNoNulls() {
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {})) {
      IMap<String, Row> map = grid.member(0).getMap("map");
      map.addIndex(new IndexConfig(IndexType.SORTED, "flag", "real", "text"));
      Random random = new Random(1);
      for (@Nullable Double real : new @Nullable Double[] {null, -5.0, 0.0, 5.0}) {
        for (boolean flag : List.of(true, false)) {
          Row row = Row.random(random);
          row.flag = flag;
          row.real = real;
          row.text = "text";
          map.set(flag + " " + real, row);
        }
      }
      Predicate<String, Row> flag = Predicates.equal("flag", true);
      assertThat(map.keySet(Predicates.and(flag, Predicates.lessEqual("real", 0.0))))
          .containsExactlyInAnyOrder("true -5.0", "true 0.0");
      assertThat(map.keySet(Predicates.and(flag, Predicates.lessThan("real", 0.0))))
          .containsExactly("true -5.0");
      assertThat(map.keySet(Predicates.and(flag, Predicates.greaterThan("real", -5.0))))
          .containsExactlyInAnyOrder("true 0.0", "true 5.0");
      assertThat(map.keySet(Predicates.and(flag, Predicates.equal("real", null))))
          .containsExactly("true null");
      assertThat(map.keySet(flag)).hasSize(4);
    }
  }

  @Test
  void followsPartitionsThatMove() {
    try (TestGrid grid = new TestGrid(2, PARTITIONS, config -> {})) {
      IMap<String, Row> map = grid.member(0).getMap("map");
      map.addIndex(IndexType.SORTED, "number");
      map.addIndex(IndexType.HASH, "city");
      fill(map, 3_000, new Random(1));
      sameAsWithoutIndex(map);
      HazelcastInstance _ = grid.join();
      awaitSafe(grid, 3);
      sameAsWithoutIndex(map);
      fill(map, 3_000, new Random(2));
      grid.terminate(1);
      awaitSafe(grid, 2);
      sameAsWithoutIndex(map);
      sameAsWithoutIndex(grid.member(1).getMap("map"));
      grid.shutDown(1);
      awaitSafe(grid, 1);
      sameAsWithoutIndex(map);
    }
  }

  @Test
  void anEntryThatMovesWithinARangeIsFoundOnce() throws InterruptedException {
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {})) {
      IMap<String, Integer> map = grid.member(0).getMap("map");
      map.addIndex(IndexType.SORTED, "this");
      for (int i = 0; i < 200; i++) {
        map.set("key-" + i, i % 10);
      }
      AtomicBoolean stop = new AtomicBoolean();
      List<Thread> writers = new ArrayList<>();
      for (int w = 0; w < 2; w++) {
        Random random = new Random(w);
        writers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      while (!stop.get()) {
                        map.set("key-" + random.nextInt(200), random.nextInt(10));
                      }
                    }));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOVING_SECONDS);
      while (System.nanoTime() < end) {
        assertThat(map.values(Predicates.between("this", 0, 9))).hasSize(200);
        assertThat(map.keySet(Predicates.greaterEqual("this", 0))).hasSize(200);
        assertThat(map.values(Predicates.equal("this", 3))).allMatch(value -> value == 3);
      }
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
  }

  @Test
  void findsWhatWasWrittenThoughMemoryIsFull() {
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {}, SMALL_BYTES)) {
      IMap<String, Row> map = grid.member(0).getMap("map");
      map.addIndex(IndexType.SORTED, "number");
      map.addIndex(IndexType.HASH, "city");
      Random random = new Random(3);
      int tried = 0;
      for (int refused = 0; refused < 200; tried++) {
        try {
          map.set("key-" + tried, Row.random(random));
        } catch (RuntimeException e) {
          refused++;
        }
      }
      sameAsWithoutIndex(map);
      for (int i = 0; i < tried * 3 / 4; i++) {
        map.delete("key-" + i);
      }
      sameAsWithoutIndex(map);
      for (int i = 0; i < 500; i++) {
        map.set("key-" + i, Row.random(random));
      }
      sameAsWithoutIndex(map);
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void followsEntriesThatAreEvictedAsMemoryIsFull() {
    try (TestGrid grid =
        new TestGrid(
            1,
            PARTITIONS,
            config -> {
              MapConfig evicting = new MapConfig("evicting");
              evicting.getEvictionConfig().setEvictionPolicy(EvictionPolicy.LRU);
              config.addMapConfig(evicting);
            },
            SMALL_BYTES)) {
      IMap<String, Row> map = grid.member(0).getMap("evicting");
      map.addIndex(IndexType.SORTED, "number");
      map.addIndex(IndexType.HASH, "city");
      Random random = new Random(6);
      for (int i = 0; i < EVICTING; i++) {
        map.set("key-" + i, Row.random(random));
      }
      assertThat(map.size()).isLessThan(EVICTING);
      sameAsWithoutIndex(map);
      map.clear();
      assertThat(map.keySet(Predicates.greaterEqual("number", -100))).isEmpty();
    }
  }

  @Test
  void valuesWithoutOrderedBytesMoveTheIndexToTheHeap() {
    try (TestGrid grid = new TestGrid(1, PARTITIONS, config -> {})) {
      IMap<Integer, Level> map = grid.member(0).getMap("map");
      map.addIndex(IndexType.SORTED, "this");
      for (int i = 0; i < 500; i++) {
        map.set(i, new Level(i % 50));
      }
      assertThat(map.keySet(Predicates.between("this", new Level(10), new Level(19)))).hasSize(100);
      map.clear();
      assertThat(map.keySet(Predicates.between("this", new Level(0), new Level(99)))).isEmpty();
    }
  }

  /** A type of a user's. */
  record Level(int level) implements Comparable<Level>, Serializable {
    @Override
    public int compareTo(Level other) {
      return Integer.compare(level, other.level);
    }
  }

  @Test
  void sqlWalksIndexes() {
    try (TestGrid grid =
        new TestGrid(
            2,
            PARTITIONS,
            config -> {
              config.getJetConfig().setEnabled(true);
              for (String name : List.of("plain", "indexed")) {
                config.addMapConfig(new MapConfig(name));
              }
              config
                  .getMapConfig("indexed")
                  .addIndexConfig(new IndexConfig(IndexType.SORTED, "number").setName("by-number"))
                  .addIndexConfig(new IndexConfig(IndexType.SORTED, "city", "number"))
                  .addIndexConfig(new IndexConfig(IndexType.HASH, "text"));
            })) {
      HazelcastInstance member = grid.member(0);
      for (String map : List.of("plain", "indexed")) {
        fill(member.getMap(map), 3_000, new Random(4));
        member
            .getSql()
            .execute(
                "CREATE MAPPING \""
                    + map
                    + "\" (__key VARCHAR, number INT, city VARCHAR, text VARCHAR) TYPE IMap OPTIONS"
                    + " ('keyFormat'='varchar', 'valueFormat'='java', 'valueJavaClass'='"
                    + Row.class.getName()
                    + "')")
            .close();
      }
      for (String question :
          List.of(
              "SELECT number FROM %s ORDER BY number",
              "SELECT number FROM %s ORDER BY number DESC",
              "SELECT number FROM %s ORDER BY number DESC LIMIT 50",
              "SELECT __key FROM %s WHERE number = 7",
              "SELECT __key FROM %s WHERE number BETWEEN -3 AND 9",
              "SELECT __key FROM %s WHERE number > 20 OR number < -20",
              "SELECT __key FROM %s WHERE number IN (1, 2, 3)",
              "SELECT city, number FROM %s WHERE city = 'city-3' ORDER BY number",
              "SELECT city, number FROM %s WHERE city = 'city-3' AND number > 0 ORDER BY number",
              "SELECT city FROM %s WHERE city > 'city-2' AND city <= 'city-6' ORDER BY city DESC",
              "SELECT __key FROM %s WHERE city IS NULL",
              "SELECT __key FROM %s WHERE text = 'name-a3'",
              "SELECT city, COUNT(*), SUM(number) FROM %s WHERE number >= 0 GROUP BY city")) {
        List<String> expected = rows(member, question.formatted("plain"));
        List<String> found = rows(member, question.formatted("indexed"));
        if (!question.contains("ORDER")) {
          expected.sort(null);
          found.sort(null);
        }
        assertThat(found).describedAs(question).isEqualTo(expected).isNotEmpty();
      }
      for (String scanned :
          List.of(
              "SELECT number FROM indexed ORDER BY number DESC",
              "SELECT __key FROM indexed WHERE number = 7",
              "SELECT __key FROM indexed WHERE text = 'name-a3'")) {
        assertThat(rows(member, "EXPLAIN PLAN FOR " + scanned).toString()).contains("IndexScan");
      }
    }
  }

  private static List<String> rows(HazelcastInstance member, String question) {
    List<String> rows = new ArrayList<>();
    try (SqlResult result = member.getSql().execute(question)) {
      for (SqlRow row : result) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < row.getMetadata().getColumnCount(); i++) {
          values.add(row.getObject(i));
        }
        rows.add(values.toString());
      }
    }
    return rows;
  }

  private static void fill(IMap<String, Row> map, int count, Random random) {
    Map<String, Row> batch = new HashMap<>();
    for (int i = 0; i < count; i++) {
      batch.put("key-" + i, Row.random(random));
    }
    map.setAll(batch);
  }

  private static void sameAsWithoutIndex(IMap<String, Row> map) {
    Map<String, Row> all = new HashMap<>();
    map.forEach(all::put);
    Set<String> found = map.keySet(Predicates.greaterEqual("number", -100));
    assertThat(found).hasSize(all.size()); // none twice
    assertThat(new HashSet<>(found)).isEqualTo(all.keySet());
    for (int number = -30; number < 30; number += 7) {
      int wanted = number;
      assertThat(new TreeSet<>(map.keySet(Predicates.equal("number", number))))
          .isEqualTo(keys(all, row -> row.number == wanted));
      String city = "city-" + Math.abs(number % 8);
      assertThat(new TreeSet<>(map.keySet(Predicates.equal("city", city))))
          .isEqualTo(keys(all, row -> city.equals(row.city)));
    }
  }

  private static Set<String> keys(Map<String, Row> all, java.util.function.Predicate<Row> wanted) {
    Set<String> keys = new TreeSet<>();
    all.forEach(
        (key, row) -> {
          if (wanted.test(row)) {
            keys.add(key);
          }
        });
    return keys;
  }

  private static void awaitSafe(TestGrid grid, int members) {
    await()
        .until(
            () ->
                grid.member(0).getCluster().getMembers().size() == members
                    && grid.member(0).getPartitionService().isClusterSafe());
  }
}
