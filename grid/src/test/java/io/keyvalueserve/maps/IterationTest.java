package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Iterators fetch a page at a time and keep a cursor on the member, while the tables below them
 * grow and shrink. Whatever is in the map from beginning to end is seen; nothing is seen that never
 * was there.
 */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class IterationTest {
  private static final int STABLE = 600;
  private static final int PASSING = 4_000;

  private final HdGrid grid;

  IterationTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void seesEveryEntryOnceWhateverThePageSize() {
    Map<String, String> entries = HdGrid.entries(STABLE);
    IMap<String, String> map = grid.map();
    map.putAll(entries);
    for (int page : new int[] {1, 7, 100, 10_000}) {
      List<Map.Entry<String, String>> seen = new ArrayList<>();
      map.iterator(page).forEachRemaining(seen::add);
      assertThat(seen).containsExactlyInAnyOrderElementsOf(entries.entrySet());
    }
    List<Map.Entry<String, String>> seen = new ArrayList<>();
    for (Map.Entry<String, String> entry : map) {
      seen.add(entry);
    }
    assertThat(seen).hasSize(STABLE);
  }

  @Test
  void anIteratorOverNothingEnds() {
    assertThat(grid.map().iterator(10).hasNext()).isFalse();
  }

  @Test
  void losesNothingWhileTheMapGrows() {
    IMap<String, String> map = grid.map();
    map.putAll(HdGrid.entries(STABLE));
    Set<String> seen = new HashSet<>();
    Iterator<Map.Entry<String, String>> iterator = map.iterator(10);
    for (int i = 0; iterator.hasNext(); i++) {
      seen.add(iterator.next().getKey());
      if (i < STABLE && i % 4 == 0) {
        map.setAll(passing(i, i + 4));
      }
    }
    assertThat(seen).containsAll(HdGrid.entries(STABLE).keySet());
    assertThat(map.keySet()).containsAll(seen);
  }

  @Test
  void losesNothingWhileTheMapShrinks() {
    IMap<String, String> map = grid.map();
    map.putAll(HdGrid.entries(STABLE));
    map.setAll(passing(0, PASSING));
    Set<String> seen = new HashSet<>();
    Iterator<Map.Entry<String, String>> iterator = map.iterator(50);
    for (int i = 0; iterator.hasNext(); i++) {
      String key = iterator.next().getKey();
      seen.add(key);
      if (i % 100 == 0) {
        int from = i / 100 * 400;
        if (from < PASSING) {
          map.removeAll(
              Predicates.in("__key", passing(from, from + 400).keySet().toArray(new String[0])));
        }
      }
    }
    assertThat(seen).containsAll(HdGrid.entries(STABLE).keySet());
    Set<String> known = new HashSet<>(HdGrid.entries(STABLE).keySet());
    known.addAll(passing(0, PASSING).keySet());
    assertThat(known).containsAll(seen);
  }

  @Test
  void removesThroughTheIterator() {
    IMap<String, String> map = grid.map();
    map.putAll(HdGrid.entries(STABLE));
    Iterator<Map.Entry<String, String>> iterator = map.iterator(25);
    while (iterator.hasNext()) {
      if (iterator.next().getKey().endsWith("7")) {
        iterator.remove();
      }
    }
    assertThat(map.keySet())
        .hasSize(STABLE - STABLE / 10)
        .allSatisfy(key -> assertThat(key).doesNotEndWith("7"));
  }

  @Test
  void aClientIteratesToo() {
    Map<String, String> entries = HdGrid.entries(STABLE);
    String name = grid.mapName(config -> {});
    IMap<String, String> map = SharedGrids.client(grid).getMap(name);
    map.putAll(entries);
    List<Map.Entry<String, String>> seen = new ArrayList<>();
    map.iterator(13).forEachRemaining(seen::add);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(entries.entrySet());
  }

  private static Map<String, String> passing(int from, int to) {
    Map<String, String> passing = new HashMap<>();
    for (int i = from; i < to; i++) {
      passing.put("passing" + i, "p");
    }
    return passing;
  }
}
