package io.keyvalueserve.maps;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.aggregation.Aggregators;
import com.hazelcast.core.EntryView;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryExpiredListener;
import com.hazelcast.query.Predicates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that end by themselves: after a time to live, or after a time without use. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class ExpiryTest {
  private static final long BRIEF_MILLIS = 150;

  private final HdGrid grid;

  ExpiryTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void expiresToTheMillisecond() {
    IMap<String, String> map = grid.map();
    for (long ttl : new long[] {60_001, 61_999, 3_600_123}) {
      long before = System.currentTimeMillis();
      map.set("k", "v", ttl, MILLISECONDS);
      long after = System.currentTimeMillis();
      EntryView<String, String> view = grid.elsewhere(map).getEntryView("k");
      assertThat(view.getTtl()).isEqualTo(ttl);
      assertThat(view.getExpirationTime()).isBetween(before + ttl, after + ttl);
    }
  }

  @Test
  void anEntryIsThereUntilItsTimeAndNotAfter() {
    IMap<String, String> map = grid.map();
    map.set("k", "v", 400, MILLISECONDS);
    long expires = map.getEntryView("k").getExpirationTime();
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              boolean there = map.get("k") != null;
              long now = System.currentTimeMillis();
              assertThat(there || now >= expires).as("gone %s ms early", expires - now).isTrue();
              return !there;
            });
    assertThat(System.currentTimeMillis() - expires).as("ms too late").isLessThan(5_000);
  }

  @Test
  void whatHasExpiredIsSeenByNoReader() {
    IMap<String, Person> map = grid.map();
    map.set("stays", Person.of(1));
    for (int i = 0; i < 30; i++) {
      map.set("k" + i, Person.of(i), BRIEF_MILLIS, MILLISECONDS);
    }
    passTo(System.currentTimeMillis() + BRIEF_MILLIS);
    IMap<String, Person> other = grid.elsewhere(map);
    assertThat(other.get("k1")).isNull();
    assertThat(other.containsKey("k2")).isFalse();
    assertThat(other.getAll(Set.of("k3", "stays"))).containsOnlyKeys("stays");
    assertThat(other.keySet()).containsExactly("stays");
    assertThat(other.values()).containsExactly(Person.of(1));
    assertThat(other.entrySet()).hasSize(1);
    assertThat(other.values(Predicates.greaterEqual("age", 0))).hasSize(1);
    assertThat(other.aggregate(Aggregators.count())).isEqualTo(1L);
    assertThat(other.containsValue(Person.of(7))).isFalse();
    assertThat(other.getEntryView("k8")).isNull();
    assertThat(other.remove("k9")).isNull();
    assertThat(other.replace("k10", Person.of(0))).isNull();
    assertThat(other.putIfAbsent("k11", Person.of(0))).isNull();
    assertThat(other.<Boolean>executeOnKey("k12", e -> e.getValue() == null)).isTrue();
    assertThat(other.executeOnEntries(e -> e.getKey())).containsOnlyKeys("stays", "k11");
    assertThat(other.setTtl("k13", 1, HOURS)).isFalse();
  }

  @Test
  void whatHasExpiredIsSweptAwayEverywhere() {
    IMap<String, String> map = grid.map();
    for (int i = 0; i < 100; i++) {
      map.set("k" + i, "v", BRIEF_MILLIS, MILLISECONDS);
    }
    map.set("stays", "v");
    await().untilAsserted(() -> assertThat(grid.held(map)).isEqualTo(grid.size() == 1 ? 1 : 2));
    assertThat(map.size()).isEqualTo(1);
  }

  /** Else it counts and takes memory until expiry removes it. */
  @Test
  void whatHasExpiredAndIsStillThereIsClearedToo() {
    IMap<String, String> map = grid.map();
    for (int i = 0; i < 100; i++) {
      map.set("k" + i, "v", BRIEF_MILLIS, MILLISECONDS);
    }
    map.set("stays", "v");
    passTo(System.currentTimeMillis() + BRIEF_MILLIS);
    map.clear();
    assertThat(grid.owned(map)).isEqualTo(0);
    await().until(() -> grid.held(map) == 0);
  }

  /** However many they are, and however many others there are that do not expire. */
  @Test
  void thousandsThatExpireAtOnceAreGoneWithinSeconds() {
    IMap<Integer, String> map = grid.map();
    List<CompletionStage<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 6_000; i++) {
      writes.add(i % 2 == 0 ? map.setAsync(i, "v", 1, SECONDS) : map.setAsync(i, "v"));
    }
    writes.forEach(write -> write.toCompletableFuture().join());
    int copies = grid.size() == 1 ? 1 : 2;
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(grid.held(map)).isEqualTo(3_000L * copies));
    assertThat(map.size()).isEqualTo(3_000);
  }

  @Test
  void aPlainPutEndsTheTimeToLive() {
    IMap<String, String> map = grid.map();
    map.set("k", "v", BRIEF_MILLIS, MILLISECONDS);
    map.set("k", "w");
    assertThat(map.getEntryView("k").getExpirationTime()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void setTtlShortensLengthensAndEnds() {
    IMap<String, String> map = grid.map();
    assertThat(map.setTtl("k", 1, HOURS)).isFalse();
    map.set("k", "v", 1, HOURS);
    long version = map.getEntryView("k").getVersion();
    long before = System.currentTimeMillis();
    assertThat(map.setTtl("k", 2, HOURS)).isTrue();
    EntryView<String, String> view = map.getEntryView("k");
    assertThat(view.getExpirationTime())
        .isBetween(before + HOURS.toMillis(2), System.currentTimeMillis() + HOURS.toMillis(2));
    assertThat(view.getVersion()).isGreaterThanOrEqualTo(version);
    assertThat(map.setTtl("k", 0, HOURS)).isTrue();
    assertThat(map.getEntryView("k").getExpirationTime()).isEqualTo(Long.MAX_VALUE);
    assertThat(map.setTtl("k", BRIEF_MILLIS, MILLISECONDS)).isTrue();
    assertThat(map.get("k")).isIn("v", null);
    await().until(() -> map.get("k") == null);
  }

  @Test
  void theConfigurationGivesTimeToLive() {
    IMap<String, String> map = grid.map(config -> config.setTimeToLiveSeconds(1));
    map.set("k", "v");
    map.set("own", "v", 1, HOURS);
    assertThat(map.getEntryView("k").getTtl()).isEqualTo(1_000);
    await().until(() -> map.get("k") == null);
    assertThat(map.get("own")).isEqualTo("v");
  }

  @Test
  void readingKeepsAnIdleEntryAlive() {
    IMap<String, String> map = grid.map(config -> config.setMaxIdleSeconds(2));
    map.set("read", "v");
    map.set("idle", "v");
    map.set("own", "v", 0, SECONDS, 1, HOURS);
    await()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              assertThat(map.get("read")).isEqualTo("v");
              return map.size() == 2; // the idle one was swept away
            });
    assertThat(map.get("own")).isEqualTo("v");
  }

  @Test
  void theEarlierOfTimeToLiveAndIdleTimeCounts() {
    IMap<String, String> map = grid.map();
    map.set("k", "v", 1, SECONDS, 1, HOURS);
    map.set("l", "v", 1, HOURS, 1, SECONDS);
    await().until(map::isEmpty);
  }

  @Test
  void listenersHearOfExpiryWithTheValueThatWas() {
    IMap<String, String> map = grid.map();
    Queue<String> expired = new ConcurrentLinkedQueue<>();
    map.addEntryListener(
        (EntryExpiredListener<String, String>)
            event -> expired.add(event.getKey() + "=" + event.getOldValue()),
        true);
    map.set("a", "1", BRIEF_MILLIS, MILLISECONDS);
    map.set("b", "2", BRIEF_MILLIS, MILLISECONDS);
    map.set("c", "3");
    await().until(() -> expired.size() >= 2);
    assertThat(List.copyOf(expired)).containsExactlyInAnyOrder("a=1", "b=2");
  }

  /** Evicting all takes with it what has expired meanwhile, which is not the same. */
  @Test
  void whatHasExpiredIsToldOnceWhoeverFindsIt() {
    IMap<String, String> map = grid.map();
    Queue<String> expired = new ConcurrentLinkedQueue<>();
    map.addEntryListener(
        (EntryExpiredListener<String, String>) event -> expired.add(event.getKey()), true);
    map.set("read", "v", 1, MILLISECONDS);
    map.set("written", "v", 1, MILLISECONDS);
    map.set("evicted", "v", 1, MILLISECONDS);
    map.set("stays", "v");
    passTo(System.currentTimeMillis() + 2);
    assertThat(map.get("read")).isNull();
    map.set("written", "w");
    map.evictAll();
    map.set("end", "v", 1, MILLISECONDS);
    await().until(() -> expired.contains("end") && expired.size() >= 4);
    assertThat(expired).containsExactlyInAnyOrder("read", "written", "evicted", "end");
  }

  /** Who reads without an operation removes nothing, and so tells nobody. */
  @Test
  void whatSomebodyListensForIsReadByTheWriterWhenItHasExpired() {
    String key = grid.keyOwnedBy(0);
    IMap<String, String> heard = grid.map();
    heard.addEntryListener((EntryExpiredListener<String, String>) event -> {}, false);
    IMap<String, String> unheard = grid.map();
    awaitExpiredAs(LocalMap.NOT_NOW, heard, key);
    awaitExpiredAs(LocalMap.MISSING, unheard, key);
  }

  /** Tries again if the entry was swept away at that very moment. */
  private void awaitExpiredAs(int expected, IMap<String, String> map, String key) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              map.set(key, "v");
              assertThat(grid.containsAtOnce(0, map, key)).isEqualTo(1);
              map.set(key, "v", 1, MILLISECONDS);
              passTo(System.currentTimeMillis() + 2);
              return grid.containsAtOnce(0, map, key) == expected;
            });
  }

  @Test
  void whatExpiresAfterAllThatHazelcastCanTellNeverDoes() {
    IMap<String, String> map = grid.map();
    long secondsToNever = Integer.MAX_VALUE - 1;
    map.set("ttl", "v", secondsToNever, SECONDS);
    map.set("idle", "v", 0, SECONDS, secondsToNever, SECONDS);
    map.set("set", "v", 1, HOURS);
    assertThat(map.setTtl("set", secondsToNever, SECONDS)).isTrue();
    map.set("later", "v", 50 * 365, TimeUnit.DAYS);
    for (String key : List.of("ttl", "idle", "set")) {
      assertThat(grid.elsewhere(map).getEntryView(key).getExpirationTime())
          .as(key)
          .isEqualTo(Long.MAX_VALUE);
    }
    assertThat(map.getEntryView("later").getExpirationTime()).isLessThan(Long.MAX_VALUE);
  }

  @Test
  void otherWritesTakeATimeToLiveToo() {
    IMap<String, String> map = grid.map();
    map.put("put", "v", 1, HOURS);
    map.putIfAbsent("absent", "v", 2, HOURS);
    map.putTransient("transient", "v", 3, HOURS);
    map.setAsync("set", "v", 4, HOURS).toCompletableFuture().join();
    map.putAsync("async", "v", 5, HOURS).toCompletableFuture().join();
    assertThat(map.getEntryView("put").getTtl()).isEqualTo(HOURS.toMillis(1));
    assertThat(map.getEntryView("absent").getTtl()).isEqualTo(HOURS.toMillis(2));
    assertThat(map.getEntryView("transient").getTtl()).isEqualTo(HOURS.toMillis(3));
    assertThat(map.getEntryView("set").getTtl()).isEqualTo(HOURS.toMillis(4));
    assertThat(map.getEntryView("async").getTtl()).isEqualTo(HOURS.toMillis(5));
  }

  private static void passTo(long millis) {
    await().pollInterval(Duration.ofMillis(1)).until(() -> System.currentTimeMillis() >= millis);
  }
}
