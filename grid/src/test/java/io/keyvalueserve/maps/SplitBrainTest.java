package io.keyvalueserve.maps;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.Config;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MergePolicyConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.spi.merge.DiscardMergePolicy;
import com.hazelcast.spi.merge.HigherHitsMergePolicy;
import com.hazelcast.spi.merge.LatestUpdateMergePolicy;
import com.hazelcast.spi.merge.PassThroughMergePolicy;
import com.hazelcast.spi.merge.PutIfAbsentMergePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two halves of a cluster lose sight of each other ({@link SplitLink}), are both written to, and
 * become one again. The smaller half then merges its entries into the larger by the policies of
 * Hazelcast's that are configured.
 */
final class SplitBrainTest {
  private static final Duration TWO_SECONDS_OF_STAMPS = Duration.ofMillis(2_100);

  private final SplitLink link = new SplitLink();

  @Test
  void halvesBecomeOneByTheMapsMergePolicies() {
    try (HdGrid grid = new HdGrid(3, this::settings)) {
      HazelcastInstance larger = grid.member(0);
      HazelcastInstance smaller = grid.member(2);
      List<String> maps = List.of("latest", "hits", "absent", "pass", "discard");
      maps.forEach(map -> larger.getMap(map).putAll(HdGrid.entries(50)));
      IMap<String, Person> people = larger.getMap("people");
      for (int i = 0; i < 100; i++) {
        people.set("p" + i, Person.of(i));
      }
      grid.awaitSafe();
      link.cut(grid, smaller);
      link.awaitSplit(grid, smaller);
      maps.forEach(
          map -> assertThat(smaller.getMap(map).entrySet()).hasSize(50)); // backups, promoted

      for (String map : maps) {
        larger.getMap(map).set("first there", "larger");
        smaller.getMap(map).set("first here", "smaller");
      }
      letStampsPass();
      for (String map : maps) {
        IMap<String, String> there = larger.getMap(map);
        IMap<String, String> here = smaller.getMap(map);
        there.set("first here", "larger");
        here.set("first there", "smaller");
        there.set("only there", "larger");
        here.set("only here", "smaller", 1, HOURS);
      }
      IMap<String, String> hits = smaller.getMap("hits");
      for (int i = 0; i < 10; i++) {
        assertThat(hits.get("first here")).isEqualTo("smaller");
        assertThat(larger.getMap("hits").get("first there")).isEqualTo("larger");
      }
      IMap<String, Person> split = smaller.getMap("people");
      for (int i = 100; i < 150; i++) {
        split.set("p" + i, Person.of(i));
      }
      split.set("p3", new Person("moved", 3, "elsewhere", true));
      Recorder<String> recorder = new Recorder<>();
      larger.<String, String>getMap("pass").addEntryListener(recorder, true);

      link.heal(grid);
      assertMerged(larger, "latest", "larger", "smaller", "smaller");
      assertMerged(larger, "hits", "smaller", "larger", "smaller");
      assertMerged(larger, "absent", "larger", "larger", "smaller");
      assertMerged(larger, "pass", "smaller", "smaller", "smaller");
      assertMerged(larger, "discard", "larger", "larger", null);
      maps.forEach(map -> assertThat(smaller.getMap(map).getAll(Set.of("k1", "k49"))).hasSize(2));
      await().until(() -> recorder.count("MERGED") >= 2);
      assertThat(people.size()).isEqualTo(150);
      assertThat(people.values(Predicates.equal("city", "elsewhere"))).hasSize(1);
      assertThat(people.values(Predicates.equal("city", "city-3"))).hasSize(14);
      assertThat(smaller.getMap("people").values(Predicates.sql("age >= 0"))).hasSize(150);
      assertThat(larger.getMap("pass").getEntryView("only here").getTtl())
          .isEqualTo(HOURS.toMillis(1));
    }
  }

  /** What the larger half sees in the end; {@code firstHere} was written last over there. */
  private static void assertMerged(
      HazelcastInstance member,
      String name,
      String firstHere,
      String firstThere,
      @Nullable String onlyHere) {
    IMap<String, String> map = member.getMap(name);
    await()
        .untilAsserted(
            () -> {
              assertThat(map.get("first here")).as(name).isEqualTo(firstHere);
              assertThat(map.get("first there")).as(name).isEqualTo(firstThere);
              assertThat(map.get("only here")).as(name).isEqualTo(onlyHere);
              assertThat(map.get("only there")).as(name).isEqualTo("larger");
              assertThat(map.size()).as(name).isEqualTo(onlyHere == null ? 53 : 54);
            });
  }

  /** Hazelcast stamps entries with seconds: what is to be later must be so by more than one. */
  private static void letStampsPass() {
    long until = System.currentTimeMillis() + TWO_SECONDS_OF_STAMPS.toMillis();
    await().until(() -> System.currentTimeMillis() > until);
  }

  private void settings(Config config) {
    link.configure(config);
    addMap(config, "latest", LatestUpdateMergePolicy.class);
    addMap(config, "hits", HigherHitsMergePolicy.class);
    addMap(config, "absent", PutIfAbsentMergePolicy.class);
    addMap(config, "pass", PassThroughMergePolicy.class);
    addMap(config, "discard", DiscardMergePolicy.class);
    addMap(config, "people", PassThroughMergePolicy.class);
    config
        .getMapConfig("people")
        .addIndexConfig(new IndexConfig(IndexType.HASH, "city"))
        .addIndexConfig(new IndexConfig(IndexType.SORTED, "age"));
  }

  private static void addMap(Config config, String name, Class<?> policy) {
    config.addMapConfig(
        HdGrid.mapConfig(
            name,
            map ->
                map.setPerEntryStatsEnabled(true)
                    .setBackupCount(2)
                    .setMergePolicyConfig(new MergePolicyConfig(policy.getName(), 100))));
  }
}
