package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A map does what a plain map does, whatever the order of operations: random ones on both, with
 * values from a few bytes to some kilobytes, compared operation by operation and as a whole. A
 * failure names its seed and step.
 */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0} spilling={1}")
@CsvSource({"1, false", "3, false", "2, true"})
final class MapModelTest {
  /** Of each seed; more with {@code -Dkvs.test.long=on}. */
  private static final int STEPS =
      System.getProperty("kvs.test.long", "off").equals("on") ? 5_000 : 1_000;

  private static final int KEYS = 120;

  private final HdGrid grid;
  private IMap<String, String> map;
  private IMap<String, String> other;
  private final Map<String, String> model = new HashMap<>();
  private boolean readsBackups;

  MapModelTest(int members, boolean spilling) {
    grid = spilling ? SharedGrids.spilling(members) : SharedGrids.of(members);
    map = grid.map();
    other = grid.elsewhere(map);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void doesWhatAPlainMapDoes(long seed) {
    Random random = new Random(seed);
    map.clear();
    model.clear();
    if (seed == 2) {
      map.addIndex(IndexType.SORTED, "this");
    }
    for (int step = 0; step < STEPS; step++) {
      step(random, "seed " + seed + " step " + step);
      if (step % 250 == 0) {
        assertSame("seed " + seed + " step " + step);
      }
    }
    assertSame("seed " + seed);
  }

  private void step(Random random, String as) {
    IMap<String, String> at = random.nextBoolean() ? map : other;
    String key = "k" + random.nextInt(KEYS);
    String value = value(random);
    switch (random.nextInt(20)) {
      case 0, 1 -> assertThat(at.put(key, value)).as(as).isEqualTo(model.put(key, value));
      case 2 -> {
        at.set(key, value);
        model.put(key, value);
      }
      case 3, 4 -> assertThat(at.remove(key)).as(as).isEqualTo(model.remove(key));
      case 5 -> {
        String expected = random.nextBoolean() ? model.get(key) : value;
        if (expected != null) {
          assertThat(at.remove(key, expected)).as(as).isEqualTo(model.remove(key, expected));
        }
      }
      case 6 -> assertThat(at.replace(key, value)).as(as).isEqualTo(model.replace(key, value));
      case 7 -> {
        String expected = random.nextBoolean() ? model.get(key) : value;
        if (expected != null) {
          String next = value(random);
          assertThat(at.replace(key, expected, next))
              .as(as)
              .isEqualTo(model.replace(key, expected, next));
        }
      }
      case 8 ->
          assertThat(at.putIfAbsent(key, value)).as(as).isEqualTo(model.putIfAbsent(key, value));
      case 9 -> {
        at.set(key, value, 1, TimeUnit.HOURS);
        model.put(key, value);
      }
      case 10 ->
          assertThat(at.setTtl(key, random.nextInt(2), TimeUnit.HOURS))
              .as(as)
              .isEqualTo(model.containsKey(key));
      case 11 -> {
        Map<String, String> several = new HashMap<>();
        for (int i = 0; i < 10; i++) {
          several.put("k" + random.nextInt(KEYS), value(random));
        }
        at.putAll(several);
        model.putAll(several);
        if (readsBackups) {
          awaitBackups(several); // Hazelcast does not wait for them here
        }
      }
      case 12 -> {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 10; i++) {
          keys.add("k" + random.nextInt(KEYS));
        }
        Map<String, String> expected = new HashMap<>(model);
        expected.keySet().retainAll(keys);
        assertThat(at.getAll(keys)).as(as).isEqualTo(expected);
      }
      case 13 -> {
        at.executeOnKey(key, new Append("+"));
        model.merge(key, "+", String::concat);
      }
      case 14 -> assertThat(at.evict(key)).as(as).isEqualTo(model.remove(key) != null);
      case 15 -> assertThat(at.containsKey(key)).as(as).isEqualTo(model.containsKey(key));
      case 16 -> {
        if (random.nextInt(30) == 0) {
          at.clear();
          model.clear();
        }
      }
      case 17 -> {
        String letter = String.valueOf((char) ('a' + random.nextInt(26)));
        at.removeAll(Predicates.like("this", letter + "%"));
        model.values().removeIf(v -> v.startsWith(letter));
        if (readsBackups) {
          awaitBackups(); // Hazelcast does not wait for them here
        }
      }
      default -> assertThat(at.get(key)).as(as).isEqualTo(model.get(key));
    }
  }

  private static String value(Random random) {
    int length = random.nextInt(10) == 0 ? random.nextInt(6_000) : random.nextInt(40);
    return String.valueOf((char) ('a' + random.nextInt(26))).repeat(length);
  }

  @Test
  void backupsHoldWhatTheirPrimariesDo() {
    Assumptions.assumeTrue(grid.size() > 1);
    IMap<String, String> everywhere =
        grid.map(config -> config.setBackupCount(grid.size() - 1).setReadBackupData(true));
    map = everywhere;
    other = grid.elsewhere(everywhere);
    readsBackups = true;
    model.clear();
    Random random = new Random(4);
    for (int step = 0; step < STEPS; step++) {
      step(random, "seed 4 step " + step);
    }
    awaitBackups();
    for (int i = 0; i < grid.size(); i++) {
      IMap<String, String> member = grid.at(i, everywhere);
      for (int k = 0; k < KEYS; k++) {
        assertThat(member.get("k" + k)).isEqualTo(model.get("k" + k));
      }
    }
  }

  private void awaitBackups(Map<String, String> values) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(
            () -> {
              for (int i = 0; i < grid.size(); i++) {
                IMap<String, String> member = grid.at(i, map);
                values.forEach((key, value) -> assertThat(member.get(key)).isEqualTo(value));
              }
            });
  }

  private void awaitBackups() {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .untilAsserted(
            () -> {
              for (int i = 0; i < grid.size(); i++) {
                var stats = grid.at(i, map).getLocalMapStats();
                assertThat(stats.getOwnedEntryCount() + stats.getBackupEntryCount())
                    .isEqualTo(model.size());
              }
            });
  }

  private void assertSame(String as) {
    assertThat(other.size()).as(as).isEqualTo(model.size());
    assertThat(other.keySet()).as(as).isEqualTo(model.keySet());
    assertThat(other.getAll(model.keySet())).as(as).isEqualTo(model);
    Map<String, String> iterated = new HashMap<>();
    map.iterator(17)
        .forEachRemaining(
            entry -> assertThat(iterated.put(entry.getKey(), entry.getValue())).as(as).isNull());
    assertThat(iterated).as(as).isEqualTo(model);
    assertThat(map.keySet(Predicates.between("this", "f", "m")))
        .as(as)
        .isEqualTo(
            model.entrySet().stream()
                .filter(e -> e.getValue().compareTo("f") >= 0 && e.getValue().compareTo("m") <= 0)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet()));
  }

  private record Append(String text) implements EntryProcessor<String, String, @Nullable Boolean> {
    @Override
    public @Nullable Boolean process(Map.Entry<String, String> entry) {
      entry.setValue(Objects.requireNonNullElse(entry.getValue(), "") + text);
      return null;
    }
  }
}
