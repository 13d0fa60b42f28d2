package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexType;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Maps that hold so much and no more. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class EvictionTest {
  private static final int LIMIT = 260;
  private static final int MANY = 3_000;
  private static final int VALUE_BYTES = 4_096;

  private final HdGrid grid;

  EvictionTest(int members) {
    grid = SharedGrids.of(members);
  }

  private IMap<String, String> map(EvictionPolicy policy, MaxSizePolicy kind, int size) {
    return grid.map(
        config ->
            config.setEvictionConfig(
                new EvictionConfig()
                    .setEvictionPolicy(policy)
                    .setMaxSizePolicy(kind)
                    .setSize(size)));
  }

  @ParameterizedTest
  @EnumSource(
      value = EvictionPolicy.class,
      names = {"LRU", "LFU", "RANDOM"})
  void aMemberHoldsNoMoreThanItsLimit(EvictionPolicy policy) {
    IMap<String, String> map = map(policy, MaxSizePolicy.PER_NODE, LIMIT);
    for (int i = 0; i < MANY; i++) {
      map.set("k" + i, "v");
    }
    // The limit is kept partition by partition, so members with more partitions hold more.
    int most = LIMIT * grid.size() + 2 * HdGrid.PARTITIONS;
    assertThat(map.size()).isBetween(LIMIT / 2, most);
    for (int i = 0; i < grid.size(); i++) {
      var stats = grid.at(i, map).getLocalMapStats();
      assertThat(stats.getOwnedEntryCount()).isLessThan(2L * LIMIT);
    }
  }

  @Test
  void aPartitionHoldsNoMoreThanItsLimit() {
    IMap<String, String> map = map(EvictionPolicy.LRU, MaxSizePolicy.PER_PARTITION, 60);
    for (int i = 0; i < MANY; i++) {
      map.set("k" + i, "v");
    }
    assertThat(map.size()).isBetween(60, 60 * HdGrid.PARTITIONS);
    await()
        .untilAsserted(
            () -> {
              long backups = 0;
              for (int i = 0; i < grid.size(); i++) {
                backups += grid.at(i, map).getLocalMapStats().getBackupEntryCount();
              }
              assertThat(backups).isEqualTo(grid.size() == 1 ? 0 : map.size());
            });
  }

  /** 12 MiB of values go into maps that may take two and a half. */
  @ParameterizedTest
  @CsvSource({"USED_NATIVE_MEMORY_SIZE,2", "USED_NATIVE_MEMORY_PERCENTAGE,1"})
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void aMapTakesNoMoreMemoryThanItsLimit(MaxSizePolicy kind, int size) {
    IMap<String, byte[]> map = values(kind, size);
    fill(map);
    long most = grid.size() * (3L << 20) / VALUE_BYTES;
    assertThat(map.size()).isBetween(1, (int) Math.min(most, MANY));
    map.destroy();
  }

  /** What is free now, less two to six MiB, shall stay free. */
  @ParameterizedTest
  @EnumSource(
      value = MaxSizePolicy.class,
      names = {"FREE_NATIVE_MEMORY_SIZE", "FREE_NATIVE_MEMORY_PERCENTAGE"})
  void aMapLeavesMemoryFree(MaxSizePolicy kind) {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    Assumptions.assumeTrue(grid.size() == 1, "what is free differs from member to member");
    long free = grid.bytesFree();
    int limit =
        kind == MaxSizePolicy.FREE_NATIVE_MEMORY_SIZE
            ? (int) (free >> 20) - 2
            : (int) (free * 100 / (free + grid.bytesInUse())) - 1;
    IMap<String, byte[]> map = values(kind, limit);
    fill(map);
    assertThat(map.size()).isBetween(400, (7 << 20) / VALUE_BYTES);
    assertThat(grid.bytesFree()).isBetween(free - (7L << 20), free);
    map.destroy();
  }

  private IMap<String, byte[]> values(MaxSizePolicy kind, int size) {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    return grid.map(
        config ->
            config
                .setBackupCount(0)
                .setEvictionConfig(
                    new EvictionConfig()
                        .setEvictionPolicy(EvictionPolicy.LRU)
                        .setMaxSizePolicy(kind)
                        .setSize(size)));
  }

  private static void fill(IMap<String, byte[]> map) {
    for (int i = 0; i < MANY; i++) {
      map.set("k" + i, new byte[VALUE_BYTES]);
    }
  }

  @Test
  void withoutAPolicyNothingLeaves() {
    IMap<String, String> map = grid.map();
    map.setAll(HdGrid.entries(MANY));
    assertThat(map.size()).isEqualTo(MANY);
  }

  @Test
  void listenersAndIndexesHearOfEviction() {
    IMap<String, Person> map =
        grid.map(
            config ->
                config.setEvictionConfig(
                    new EvictionConfig()
                        .setEvictionPolicy(EvictionPolicy.LRU)
                        .setMaxSizePolicy(MaxSizePolicy.PER_PARTITION)
                        .setSize(50)));
    map.addIndex(IndexType.HASH, "city");
    Recorder<Person> recorder = new Recorder<>();
    map.addEntryListener(recorder, false);
    for (int i = 0; i < MANY; i++) {
      map.set("p" + i, Person.of(i));
    }
    await().until(() -> recorder.count("EVICTED") == MANY - map.size());
    int indexed = 0;
    for (int i = 0; i < 10; i++) {
      indexed += map.keySet(Predicates.equal("city", "city-" + i)).size();
    }
    assertThat(indexed).isEqualTo(map.size());
  }

  @Test
  void aLockedEntryIsNotEvicted() {
    IMap<String, String> map = map(EvictionPolicy.LRU, MaxSizePolicy.PER_PARTITION, 50);
    map.set("locked", "v");
    map.lock("locked");
    for (int i = 0; i < MANY; i++) {
      map.set("k" + i, "v");
    }
    assertThat(map.containsKey("locked")).isTrue();
    map.unlock("locked");
  }

  @Test
  void whatIsUsedStaysLongerThanWhatIsNot() {
    IMap<String, String> map = map(EvictionPolicy.LFU, MaxSizePolicy.PER_PARTITION, 50);
    for (int i = 0; i < 20; i++) {
      map.set("used" + i, "v");
    }
    for (int i = 0; i < MANY; i++) {
      map.set("k" + i, "v");
      assertThat(map.get("k" + i)).isIn("v", null);
      if (i % 10 == 0) {
        for (int u = 0; u < 20; u++) {
          map.get("used" + u);
        }
      }
    }
    int used = 0;
    for (int i = 0; i < 20; i++) {
      used += map.containsKey("used" + i) ? 1 : 0;
    }
    assertThat(used).isGreaterThan(10);
  }
}
