package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.map.IMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A database behind a map that is written later, by another thread; what waits to be written must
 * not be lost to readers. That it survives its member, {@link PromotionTest} says.
 */
@ExtendWith(SharedGrids.class)
final class WriteBehindTest {
  private static final int COUNT = 100;

  private final HdGrid grid = SharedGrids.of(3);

  @Test
  void writesBehindAndOnlyTheLastOfMany() {
    String name = mapName(store -> store.setWriteDelaySeconds(2).setWriteCoalescing(true));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    for (int i = 0; i < 50; i++) {
      map.set("k", "v" + i);
    }
    map.set("gone", "x");
    map.delete("gone");
    await().until(() -> "v49".equals(database.rows.get("k")));
    assertThat(database.calls("store k ")).hasSizeLessThan(10);
    await().until(() -> database.calls("delete gone").size() == 1);
    assertThat(database.rows).containsOnlyKeys("k");
  }

  @Test
  void writesBehindEveryChangeInOrderWithoutCoalescing() {
    String name = mapName(store -> store.setWriteDelaySeconds(1).setWriteCoalescing(false));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    for (int i = 0; i < 20; i++) {
      map.set("k", "v" + i);
    }
    await().until(() -> database.calls("store k ").size() == 20);
    for (int i = 0; i < 20; i++) {
      assertThat(database.calls("store k ").get(i)).isEqualTo("store k v" + i);
    }
  }

  @Test
  void whatIsNotYetWrittenIsStillReadAfterEviction() {
    String name = mapName(store -> store.setWriteDelaySeconds(600).setWriteCoalescing(true));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    map.setAll(HdGrid.entries(COUNT));
    map.set("k1", "changed");
    map.delete("k2");
    database.fail(Integer.MAX_VALUE); // an eviction has what it evicts written soon
    HdGrid.entries(COUNT).keySet().forEach(map::evict);
    assertThat(map.size()).isZero();
    assertThat(database.rows).isEmpty();
    assertThat(map.get("k1")).isEqualTo("changed");
    assertThat(map.get("k2")).isNull();
    assertThat(map.get("k3")).isEqualTo("v3");
    database.fail(0);
    map.flush();
    assertThat(database.rows).hasSize(COUNT - 1).containsEntry("k1", "changed");
  }

  @Test
  void triesAgainWhenTheDatabaseWasDown() {
    String name = mapName(store -> store.setWriteDelaySeconds(1));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    database.fail(2);
    map.set("k", "v");
    await().until(() -> "v".equals(database.rows.get("k")));
    assertThat(database.calls("failed store k v")).hasSize(2);
  }

  private String mapName(Consumer<MapStoreConfig> settings) {
    return grid.mapName(config -> config.setMapStoreConfig(Database.config(settings)));
  }
}
