package io.keyvalueserve.maps;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.MapStoreConfig;
import com.hazelcast.config.MapStoreConfig.InitialLoadMode;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A database behind a map: written at once, read when an entry is missing. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class MapStoreTest {
  private static final int COUNT = 100;

  private final HdGrid grid;

  MapStoreTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void writesThrough() {
    String name = mapName(store -> {});
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(grid.size() - 1).getMap(name);
    map.put("put", "1");
    map.set("set", "2");
    map.putIfAbsent("absent", "3");
    map.replace("set", "4");
    map.putTransient("transient", "5", 0, MILLISECONDS);
    map.setAll(Map.of("all1", "6", "all2", "7"));
    map.<Boolean>executeOnKey(
        "processed",
        entry -> {
          entry.setValue("8");
          return true;
        });
    assertThat(database.rows)
        .isEqualTo(
            Map.of(
                "put", "1", "set", "4", "absent", "3", "all1", "6", "all2", "7", "processed", "8"));
    assertThat(map.remove("put")).isEqualTo("1");
    map.delete("set");
    map.evict("absent");
    assertThat(database.rows).containsOnlyKeys("absent", "all1", "all2", "processed");
    assertThat(map.get("absent")).isEqualTo("3");
    map.clear();
    assertThat(database.rows).isEmpty();
    assertThat(map.get("all1")).isNull();
  }

  @Test
  void readsThroughWhatIsMissing() {
    String name = mapName(store -> {});
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    assertThat(map.size()).isZero();
    database.rows.put("k", "v");
    assertThat(map.get("k")).isEqualTo("v");
    assertThat(map.get("k")).isEqualTo("v");
    assertThat(database.calls("load k")).hasSize(1);
    assertThat(map.get("absent")).isNull();
    assertThat(map.size()).isEqualTo(1);
    database.rows.putAll(Map.of("a", "1", "b", "2"));
    assertThat(map.getAll(Set.of("a", "b", "k", "absent")))
        .isEqualTo(Map.of("a", "1", "b", "2", "k", "v"));
    database.rows.put("old", "v");
    assertThat(map.put("old", "w")).isEqualTo("v");
  }

  @Test
  void aFailureToStoreIsTheCallersAndTheMapKeepsWhatItHad() {
    String name = mapName(store -> {});
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    map.set("k", "v");
    database.fail(1);
    assertThatThrownBy(() -> map.set("k", "w")).hasMessageContaining("down");
    assertThat(map.get("k")).isEqualTo("v");
    database.fail(1);
    assertThatThrownBy(() -> map.remove("k")).hasMessageContaining("down");
    assertThat(map.get("k")).isEqualTo("v");
    assertThat(database.rows).containsEntry("k", "v");
  }

  @Test
  void aMapWhoseExternalStoreIsNullHasNone() {
    IMap<String, String> map = grid.map(config -> config.setMapStoreConfig(null));
    map.set("k", "v");
    assertThat(map.get("k")).isEqualTo("v");
    assertThatThrownBy(() -> map.loadAll(false))
        .hasMessageContaining("First you should configure a map store");
  }

  @ParameterizedTest
  @EnumSource
  void loadsWhatThereIsAtFirst(InitialLoadMode mode) {
    String name =
        grid.mapName(
            config ->
                config.setMapStoreConfig(Database.config(store -> store.setInitialLoadMode(mode))));
    Database.of(name).rows.putAll(HdGrid.entries(COUNT));
    IMap<String, String> map = grid.member(0).getMap(name);
    await().until(() -> map.size() == COUNT);
    assertThat(map.getAll(map.keySet())).isEqualTo(HdGrid.entries(COUNT));
    assertThat(map.keySet(Predicates.equal("this", "v7"))).containsExactly("k7");
  }

  @Test
  void loadsAllOrSomeOnDemand() {
    String name = mapName(store -> {});
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    Recorder<String> recorder = new Recorder<>();
    map.addEntryListener(recorder, true);
    assertThat(map.size()).isZero();
    database.rows.putAll(HdGrid.entries(COUNT));
    map.loadAll(Set.of("k1", "k2"), true);
    await().until(() -> map.size() == 2);
    await().until(() -> recorder.count("LOADED") == 2);
    database.rows.put("k1", "changed");
    map.loadAll(false);
    await().until(() -> map.size() == COUNT);
    assertThat(map.get("k1")).isEqualTo("v1");
    map.loadAll(true);
    await().until(() -> "changed".equals(map.get("k1")));
  }

  @Test
  void aStoreThatKnowsExpiryIsToldAndAsked() {
    String name = grid.mapName(config -> config.setMapStoreConfig(timed(store -> {})));
    Database database = Database.of(name);
    IMap<String, String> map = grid.member(0).getMap(name);
    assertThat(map.size()).isZero();
    long before = System.currentTimeMillis();
    map.set("k", "v", 1, HOURS);
    assertThat(database.expirations.get("k"))
        .isBetween(before + HOURS.toMillis(1), System.currentTimeMillis() + HOURS.toMillis(1));
    map.set("forever", "v");
    assertThat(database.expirations.get("forever")).isEqualTo(Long.MAX_VALUE);
    database.rows.put("loaded", "w");
    long expires = System.currentTimeMillis() + 300_000;
    database.expirations.put("loaded", expires);
    assertThat(map.get("loaded")).isEqualTo("w");
    assertThat(map.getEntryView("loaded").getExpirationTime())
        .isBetween(expires - 1_000, expires + 1_000);
    database.rows.put("brief", "x");
    database.expirations.put("brief", System.currentTimeMillis() + 300);
    map.loadAll(Set.of("brief"), true);
    await().until(() -> map.size() == 3);
    assertThat(map.get("forever")).isEqualTo("v");
  }

  private String mapName(Consumer<MapStoreConfig> settings) {
    return grid.mapName(config -> config.setMapStoreConfig(Database.config(settings)));
  }

  private static MapStoreConfig timed(Consumer<MapStoreConfig> settings) {
    return Database.timed(settings);
  }
}
