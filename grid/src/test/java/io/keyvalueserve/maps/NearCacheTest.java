package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of entries near the reader, on a member and on a client. */
final class NearCacheTest {
  private static final int COUNT = 100;

  /** Who reads through a near cache. */
  enum Reader {
    MEMBER,
    CLIENT
  }

  private static HdGrid grid;
  private static HazelcastInstance client;

  @BeforeAll
  static void start() {
    grid = HdGrid.start(2);
    grid.configure(
        "near-*", config -> config.setNearCacheConfig(nearCache().setCacheLocalEntries(true)));
    grid.configure(
        "brief-*", config -> config.setNearCacheConfig(brief().setCacheLocalEntries(true)));
    client =
        grid.client(
            config -> {
              config.addNearCacheConfig(nearCache().setName("near-*"));
              config.addNearCacheConfig(brief().setName("brief-*"));
            });
  }

  @AfterAll
  static void stop() {
    grid.close();
  }

  private static NearCacheConfig nearCache() {
    return new NearCacheConfig().setInMemoryFormat(InMemoryFormat.BINARY);
  }

  private static NearCacheConfig brief() {
    return nearCache().setTimeToLiveSeconds(1).setInvalidateOnChange(false);
  }

  private static IMap<String, String> reading(Reader reader, String map) {
    return (reader == Reader.MEMBER ? grid.member(0) : client).getMap(map + "-" + reader);
  }

  private static long hits(IMap<String, String> map) {
    return map.getLocalMapStats().getNearCacheStats().getHits();
  }

  @ParameterizedTest
  @EnumSource
  void secondReadsAreServedNearby(Reader reader) {
    IMap<String, String> map = reading(reader, "near-hits");
    map.putAll(HdGrid.entries(COUNT));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < COUNT; i++) {
        assertThat(map.get("k" + i)).isEqualTo("v" + i);
      }
    }
    assertThat(hits(map)).isGreaterThanOrEqualTo(COUNT);
    assertThat(map.getLocalMapStats().getNearCacheStats().getOwnedEntryCount()).isPositive();
    assertThat(map.getAll(Set.of("k1", "k2", "absent"))).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void writesByOthersInvalidate(Reader reader) {
    IMap<String, String> map = reading(reader, "near-written");
    IMap<String, String> writer = grid.member(1).getMap(map.getName());
    writer.putAll(HdGrid.entries(COUNT));
    for (int i = 0; i < COUNT; i++) {
      assertThat(map.get("k" + i)).isEqualTo("v" + i);
    }
    writer.set("k1", "set");
    writer.delete("k2");
    writer.replace("k3", "replaced");
    writer.<Boolean>executeOnKey(
        "k4",
        entry -> {
          entry.setValue("processed");
          return true;
        });
    writer.evict("k5");
    await().untilAsserted(() -> assertThat(map.get("k1")).isEqualTo("set"));
    await().untilAsserted(() -> assertThat(map.get("k2")).isNull());
    await().untilAsserted(() -> assertThat(map.get("k3")).isEqualTo("replaced"));
    await().untilAsserted(() -> assertThat(map.get("k4")).isEqualTo("processed"));
    await().untilAsserted(() -> assertThat(map.get("k5")).isNull());
    writer.clear();
    await().untilAsserted(() -> assertThat(map.get("k6")).isNull());
  }

  @ParameterizedTest
  @EnumSource
  void ownWritesAreReadAtOnce(Reader reader) {
    IMap<String, String> map = reading(reader, "near-own");
    for (int i = 0; i < COUNT; i++) {
      map.set("k", "v" + i);
      assertThat(map.get("k")).isEqualTo("v" + i);
    }
    map.delete("k");
    assertThat(map.get("k")).isNull();
  }

  /** This one is not told of changes, so only its own time to live ends what it holds. */
  @ParameterizedTest
  @EnumSource
  void whatIsNearbyExpires(Reader reader) {
    IMap<String, String> map = reading(reader, "brief");
    IMap<String, String> writer = grid.member(1).getMap(map.getName());
    writer.set("k", "old");
    assertThat(map.get("k")).isEqualTo("old");
    writer.set("k", "new");
    await().untilAsserted(() -> assertThat(map.get("k")).isEqualTo("new"));
    assertThat(map.getLocalMapStats().getNearCacheStats()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredEntryIsNotServedFromNearby(Reader reader) {
    IMap<String, String> map = reading(reader, "near-expiring");
    grid.member(1).<String, String>getMap(map.getName()).set("k", "v", 300, TimeUnit.MILLISECONDS);
    assertThat(map.get("k")).isIn("v", null);
    await().untilAsserted(() -> assertThat(map.get("k")).isNull());
  }
}
