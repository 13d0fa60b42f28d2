package io.keyvalueserve.maps;

import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import io.keyvalueserve.engine.Batches;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.HashOperation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: after a split a large collection is, as a whole, what the side that wrote it last made of
 * it. Method: three members in this process, the third is cut off; both sides write.
 */
final class LargeCollectionsMergeTest {
  private static final int ELEMENTS = 2_000;
  private static final String MAP = "acme/merged";

  private final SplitLink link = new SplitLink();

  @Test
  void eachCollectionIsWholeAsItsLastWriteLeftIt() {
    try (HdGrid grid = new HdGrid(3, this::settings)) {
      HazelcastInstance smaller = grid.member(2);
      for (int i = 0; i < 5; i++) {
        fill(grid.keys(0, "acme", "merged"), "k" + i);
      }
      grid.awaitSafe();
      link.cut(grid, smaller);
      link.awaitSplit(grid, smaller);
      KeyMap there = grid.keys(0, "acme", "merged");
      KeyMap here = grid.keys(2, "acme", "merged");

      set(there, "k0", "older");
      set(here, "k1", "older");
      remove(here, "k2");
      set(there, "k3", "older");
      set(here, "k4", "only here");
      pass();
      set(here, "k0", "newer");
      set(there, "k1", "newer");
      set(there, "k2", "newer");
      remove(here, "k3");
      fill(here, "new here");
      fill(there, "new there");

      link.heal(grid);
      for (int i = 0; i < 3; i++) {
        KeyMap map = grid.keys(i, "acme", "merged");
        await()
            .untilAsserted(
                () -> {
                  assertThat(field(map, "k0")).isEqualTo("Entry newer");
                  assertThat(field(map, "k1")).isEqualTo("Entry newer");
                  assertThat(field(map, "k2")).isEqualTo("Entry newer");
                  assertThat(field(map, "k4")).isEqualTo("Entry only here");
                  assertThat(all(map, "k3")).isZero();
                  for (String key : List.of("k0", "k1", "k2", "k4")) {
                    assertThat(all(map, key)).as(key).isEqualTo(2 * (ELEMENTS + 1));
                  }
                  assertThat(all(map, "new here")).isEqualTo(2 * ELEMENTS);
                  assertThat(all(map, "new there")).isEqualTo(2 * ELEMENTS);
                });
      }
      for (String key : List.of("k0", "k1", "k2", "k4", "new here", "new there")) {
        set(there, key, "after");
        assertThat(field(here, key)).isEqualTo("Entry after");
        remove(here, key);
      }
      if (System.getProperty("kvs.test.flaky", "off").equals("on")) { // docs/flaky.md
        await().untilAsserted(() -> assertThat(pages(grid)).isZero());
      }
    }
  }

  private static long pages(HdGrid grid) {
    return grid.held(grid.member(0).getMap(HiddenMaps.pagesOf(MAP)));
  }

  private static Outcome run(KeyMap map, String key, HashOperation operation, Arguments arguments) {
    return Batches.run(
        map,
        new KeyCommand.OnCollection(
            utf8(key), operation, arguments, KeyCommand.MOST_COLLECTION_BYTES));
  }

  private static void fill(KeyMap map, String key) {
    List<byte[]> texts = new ArrayList<>();
    for (int i = 0; i < ELEMENTS; i++) {
      texts.add(utf8("field-" + i));
      texts.add(utf8("value-" + i));
    }
    assertThat(run(map, key, HashOperation.SET, Arguments.of(texts)))
        .isEqualTo(new Outcome.IntegerResult(ELEMENTS));
  }

  private static void set(KeyMap map, String key, String value) {
    assertThat(run(map, key, HashOperation.SET, Arguments.of(utf8("own"), utf8(value))))
        .isInstanceOf(Outcome.IntegerResult.class);
  }

  private static void remove(KeyMap map, String key) {
    assertThat(Batches.texts(map, new KeyCommand.Remove(utf8(key), false)))
        .containsExactly("Applied");
  }

  private static String field(KeyMap map, String key) {
    return Batches.text(run(map, key, HashOperation.GET, Arguments.of(utf8("own"))));
  }

  private static int all(KeyMap map, String key) {
    Outcome all = run(map, key, HashOperation.ALL, Arguments.NONE);
    assertThat(all).isInstanceOf(Outcome.Elements.class);
    return ((Outcome.Elements) all).elements().size();
  }

  private static void pass() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now + 1) {
      Thread.onSpinWait();
    }
  }

  private void settings(Config config) {
    link.configure(config);
    config.addMapConfig(
        HdGrid.mapConfig(
            MAP,
            map ->
                map.setBackupCount(2)
                    .setMergePolicyConfig(
                        new MergePolicyConfig(LastWriteMergePolicy.class.getName(), 100))));
  }
}
