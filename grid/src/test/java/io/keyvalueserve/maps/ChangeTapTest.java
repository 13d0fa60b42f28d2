package io.keyvalueserve.maps;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Goal: an open tap is told of every change of its maps, by the owner alone, in their order. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChangeTapTest {
  private static final String MAP = "acme/tapped";
  private static final long MOST_BYTES = 1 << 20;

  private TestGrid grid;
  private IMap<String, String> map;

  @BeforeAll
  void start() {
    grid = new TestGrid(2, 7, config -> {});
  }

  @AfterAll
  void stop() {
    grid.close();
  }

  @BeforeEach
  void empty() {
    map = grid.member(0).getMap(MAP);
    map.clear();
  }

  /** The changes that both members have told. */
  private List<MapChange> changes(Runnable task) {
    List<MapChange> all = new ArrayList<>();
    try (ChangeTap first = grid.maps(0).taps().open(MAP::equals, MOST_BYTES);
        ChangeTap second = grid.maps(1).taps().open(MAP::equals, MOST_BYTES)) {
      task.run();
      grid.maps(0).taps().settle();
      grid.maps(1).taps().settle();
      first.drain(all::add);
      second.drain(all::add);
      assertThat(first.hasOverflowed()).isFalse();
    }
    return all;
  }

  private static List<MapChange.Kind> kinds(List<MapChange> changes) {
    return changes.stream().map(MapChange::kind).toList();
  }

  @Test
  void eachChangeIsToldOnceWithItsTime() {
    long before = System.currentTimeMillis();
    List<MapChange> all =
        changes(
            () -> {
              map.set("k", "1");
              map.set("k", "2");
              map.setTtl("k", 1, TimeUnit.HOURS);
              map.delete("k");
              map.delete("never there");
              grid.member(0).getMap("acme/other").set("k", "not told");
            });
    assertThat(kinds(all))
        .containsExactly(
            MapChange.Kind.PUT, MapChange.Kind.PUT, MapChange.Kind.PUT, MapChange.Kind.REMOVE);
    assertThat(all).extracting(MapChange::stampMillis).isSorted().allMatch(time -> time >= before);
    assertThat(all)
        .allSatisfy(
            change ->
                assertThat(change.stampMillis()).isLessThanOrEqualTo(System.currentTimeMillis()));
    StoredEntry put = requireNonNull(all.get(1).entry());
    StoredEntry expires = requireNonNull(all.get(2).entry());
    assertThat(expires.value()).isEqualTo(put.value());
    assertThat(expires.expiresAtMillis()).isGreaterThan(before);
    assertThat(put.expiresAtMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void clearingAndDestroyingAreTold() {
    map.putAll(Map.of("a", "1", "b", "2", "c", "3"));
    List<MapChange> cleared = changes(map::clear);
    assertThat(cleared).isNotEmpty();
    assertThat(kinds(cleared)).containsAnyOf(MapChange.Kind.CLEAR, MapChange.Kind.REMOVE);
    map.putAll(Map.of("a", "1", "b", "2", "c", "3"));
    List<MapChange> destroyed = changes(map::destroy);
    assertThat(kinds(destroyed)).contains(MapChange.Kind.CLEAR);
    map = grid.member(0).getMap(MAP);
  }

  @Test
  void whatExpiresIsTold() {
    List<MapChange> all =
        changes(
            () -> {
              map.set("brief", "1", 100, TimeUnit.MILLISECONDS);
              await().until(() -> map.get("brief") == null && map.isEmpty());
            });
    assertThat(all.getFirst().kind()).isEqualTo(MapChange.Kind.PUT);
  }

  @Test
  void aTapThatIsFullSaysSo() {
    try (ChangeTap tap = grid.maps(0).taps().open(MAP::equals, 1_000);
        ChangeTap other = grid.maps(1).taps().open(MAP::equals, 1_000)) {
      for (int i = 0; i < 100; i++) {
        map.set("k" + i, "value");
      }
      assertThat(tap.hasOverflowed() || other.hasOverflowed()).isTrue();
      List<MapChange> taken = new ArrayList<>();
      tap.drain(taken::add);
      assertThat(taken.stream().mapToInt(MapChange::bytes).sum()).isLessThanOrEqualTo(1_000);
    }
  }

  @Test
  void aClosedTapIsToldNothing() {
    ChangeTap tap = grid.maps(0).taps().open(MAP::equals, MOST_BYTES);
    tap.close();
    for (int i = 0; i < 20; i++) {
      map.set("k" + i, "value");
    }
    List<MapChange> all = new ArrayList<>();
    tap.drain(all::add);
    assertThat(all).isEmpty();
  }
}
