package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.EntryView;
import com.hazelcast.map.IMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What a map tells about an entry besides its value, with statistics per entry on. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class EntryViewTest {
  /** Hazelcast keeps times of entries in seconds. */
  private static final long SECOND = 1_000;

  private final HdGrid grid;

  EntryViewTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void countsReadsAndWritesOfAnEntry() {
    IMap<String, String> map = grid.map(config -> config.setPerEntryStatsEnabled(true));
    IMap<String, String> other = grid.elsewhere(map);
    long before = System.currentTimeMillis() / SECOND * SECOND;
    map.set("k", "a");
    EntryView<String, String> written = view(other);
    assertThat(written.getKey()).isEqualTo("k");
    assertThat(written.getValue()).isEqualTo("a");
    assertThat(written.getHits()).isZero();
    assertThat(written.getVersion()).isZero();
    assertThat(written.getCost()).isPositive();
    assertThat(written.getCreationTime())
        .isBetween(before - SECOND, System.currentTimeMillis() + SECOND);
    assertThat(written.getExpirationTime()).isEqualTo(Long.MAX_VALUE);
    assertThat(written.getTtl()).isEqualTo(Long.MAX_VALUE);
    assertThat(written.getMaxIdle()).isEqualTo(Long.MAX_VALUE);
    for (int i = 0; i < 5; i++) {
      assertThat(other.get("k")).isEqualTo("a");
    }
    map.set("k", "b");
    EntryView<String, String> read = view(map);
    assertThat(read.getHits()).isGreaterThanOrEqualTo(5);
    assertThat(read.getVersion()).isEqualTo(written.getVersion() + 1);
    assertThat(read.getCreationTime()).isEqualTo(written.getCreationTime());
    assertThat(read.getLastUpdateTime()).isGreaterThanOrEqualTo(written.getLastUpdateTime());
    assertThat(read.getLastAccessTime()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void movesItsTimesForward() {
    IMap<String, String> map = grid.map(config -> config.setPerEntryStatsEnabled(true));
    map.set("k", "a");
    EntryView<String, String> first = view(map);
    Awaitility.await()
        .untilAsserted(
            () -> {
              map.set("k", "b");
              assertThat(map.get("k")).isEqualTo("b");
              EntryView<String, String> later = view(map);
              assertThat(later.getLastUpdateTime()).isGreaterThan(first.getLastUpdateTime());
              assertThat(later.getLastAccessTime()).isGreaterThan(first.getCreationTime());
              assertThat(later.getCreationTime()).isEqualTo(first.getCreationTime());
            });
  }

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void costGrowsWithTheValue() {
    IMap<String, String> map = grid.map();
    map.set("k", "a");
    long small = view(map).getCost();
    map.set("k", "a".repeat(10_000));
    assertThat(view(map).getCost()).isGreaterThan(small + 9_000);
  }

  @Test
  void saysWhenAnEntryExpires() {
    IMap<String, String> map = grid.map();
    long before = System.currentTimeMillis();
    map.set("k", "a", 100_250, TimeUnit.MILLISECONDS, 50, TimeUnit.SECONDS);
    long after = System.currentTimeMillis();
    EntryView<String, String> view = view(grid.elsewhere(map));
    assertThat(view.getTtl()).isEqualTo(100_250);
    assertThat(view.getMaxIdle()).isEqualTo(50_000);
    assertThat(view.getExpirationTime()).isBetween(before + 50_000, after + 50_000);
  }

  @Test
  void anAbsentEntryHasNoView() {
    assertThat(grid.map().getEntryView("absent")).isNull();
  }

  private static EntryView<String, String> view(IMap<String, String> map) {
    EntryView<String, String> view = map.getEntryView("k");
    assertThat(view).isNotNull();
    return view;
  }
}
