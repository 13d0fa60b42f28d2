package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers of every kind, on partition threads and beside them, never see part of one value and part
 * of another, nor the value of another key, while writers replace, remove, evict and clear. A value
 * says of itself whose it is and how long.
 */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0} spilling={1}")
@CsvSource({"1, false", "3, false", "2, true"})
final class TornReadTest {
  private static final int KEYS = 60;

  /** Of each reader and writer; more with {@code -Dkvs.test.long=on}. */
  private static final int STEPS =
      System.getProperty("kvs.test.long", "off").equals("on") ? 3_000 : 300;

  private final HdGrid grid;
  private final boolean spilling;

  TornReadTest(int members, boolean spilling) {
    this.spilling = spilling;
    grid = spilling ? SharedGrids.spilling(members) : SharedGrids.of(members);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyValueReadIsWhole(boolean indexed) {
    IMap<String, String> map = grid.map();
    if (indexed) {
      map.addIndex(IndexType.SORTED, "this");
    }
    List<FutureTask<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Random random = new Random(i);
      threads.add(HdGrid.start(() -> write(grid.elsewhere(map), random)));
    }
    IMap<String, String> ofClient = SharedGrids.client(grid).getMap(map.getName());
    threads.add(HdGrid.start(() -> read(map, new Random(10))));
    threads.add(HdGrid.start(() -> read(ofClient, new Random(11))));
    for (FutureTask<Boolean> thread : threads) {
      assertThat(HdGrid.result(thread)).isTrue();
    }
    if (spilling) {
      assertThat(grid.spilled()).isPositive();
    }
    map.destroy();
  }

  private static boolean write(IMap<String, String> map, Random random) {
    for (int i = 0; i < STEPS; i++) {
      String key = "k" + random.nextInt(KEYS);
      switch (random.nextInt(12)) {
        case 0 -> map.delete(key);
        case 1 -> map.evict(key);
        case 2 -> {
          Map<String, String> several = new HashMap<>();
          for (int n = 0; n < KEYS; n++) {
            several.put("k" + n, value("k" + n, random));
          }
          map.putAll(several);
        }
        case 3 -> map.removeAll(Predicates.like("__key", "k" + random.nextInt(10) + "%"));
        case 4 -> {
          if (random.nextInt(20) == 0) {
            map.clear();
          }
        }
        default -> map.set(key, value(key, random));
      }
    }
    return true;
  }

  private static boolean read(IMap<String, String> map, Random random) {
    for (int i = 0; i < STEPS; i++) {
      String key = "k" + random.nextInt(KEYS);
      switch (random.nextInt(9)) {
        case 0 -> {
          Set<String> keys = new HashSet<>(List.of(key, "k1", "k2", "k3"));
          map.getAll(keys).forEach(TornReadTest::assertWhole);
        }
        case 1 -> map.iterator(7).forEachRemaining(e -> assertWhole(e.getKey(), e.getValue()));
        case 2 ->
            map.entrySet(Predicates.between("this", key, key + "~"))
                .forEach(e -> assertWhole(e.getKey(), e.getValue()));
        case 3 -> map.entrySet().forEach(e -> assertWhole(e.getKey(), e.getValue()));
        case 4 -> assertThat(map.aggregate(Aggregators.count())).isBetween(0L, (long) KEYS);
        case 5 -> {
          var view = map.getEntryView(key);
          if (view != null) {
            assertWhole(key, view.getValue());
          }
        }
        case 6 -> assertWhole(key, map.<@Nullable String>executeOnKey(key, Map.Entry::getValue));
        default -> assertWhole(key, map.get(key));
      }
    }
    return true;
  }

  /** The key, how many letters follow, and that many of one letter. */
  private static String value(String key, Random random) {
    int length = random.nextInt(8) == 0 ? random.nextInt(20_000) : random.nextInt(60);
    return key + ":" + length + ":" + String.valueOf((char) ('a' + length % 26)).repeat(length);
  }

  private static void assertWhole(String key, @Nullable String value) {
    if (value == null) {
      return;
    }
    String[] parts = value.split(":", 3);
    int length = Integer.parseInt(parts[1]);
    assertThat(parts[0]).isEqualTo(key);
    assertThat(parts[2])
        .as(key)
        .isEqualTo(String.valueOf((char) ('a' + length % 26)).repeat(length));
  }
}
