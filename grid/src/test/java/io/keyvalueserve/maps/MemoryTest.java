package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.map.IMap;
import io.keyvalueserve.grid.space.TestGrid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** What becomes of the memory: given back, counted, and never more than there is. */
final class MemoryTest {
  private static final int PARTITIONS = 13;
  private static final long MEMORY_BYTES = 24 << 20;
  private static final int VALUE_BYTES = 4_000;
  private static final int MORE_THAN_FITS = 10_000;

  private TestGrid grid = new TestGrid(0, PARTITIONS, config -> {});

  private NativeMaps start(int members) {
    grid =
        new TestGrid(
            members,
            PARTITIONS,
            config -> config.setProperty("hazelcast.operation.thread.count", "2"),
            MEMORY_BYTES);
    return grid.maps(0);
  }

  @AfterEach
  void stop() {
    grid.close();
  }

  private IMap<Integer, byte[]> map(String name, EvictionConfig eviction) {
    grid.member(0)
        .getConfig()
        .addMapConfig(
            new MapConfig(name)
                .setBackupCount(0)
                .setInMemoryFormat(InMemoryFormat.NATIVE)
                .setEvictionConfig(eviction));
    return grid.member(0).getMap(name);
  }

  private static EvictionConfig none() {
    return new EvictionConfig()
        .setEvictionPolicy(EvictionPolicy.NONE)
        .setMaxSizePolicy(MaxSizePolicy.PER_NODE);
  }

  private static EvictionConfig lru(MaxSizePolicy policy, int size) {
    return new EvictionConfig()
        .setEvictionPolicy(EvictionPolicy.LRU)
        .setMaxSizePolicy(policy)
        .setSize(size);
  }

  private static void takeAndFree(NativeMaps maps, long bytes) {
    List<Long> blocks = new ArrayList<>();
    try {
      for (long taken = 0; taken < bytes; taken += VALUE_BYTES) {
        blocks.add(maps.heap().allocate(0, VALUE_BYTES));
      }
    } finally {
      blocks.forEach(block -> maps.heap().free(0, block, VALUE_BYTES));
    }
  }

  @Test
  void whatWasMadeRoomForAsItWasExpectedIsGivenBackToWhatComes() {
    NativeMaps maps = start(1);
    IMap<Integer, byte[]> map = map("expected", none());
    for (int i = 0; i < 1_000; i++) {
      map.set(i, new byte[10]);
    }
    long used = MEMORY_BYTES - maps.freeBytes();
    maps.pending().expect(1_000, () -> true);
    assertThat(maps.freeBytes()).isLessThan((MEMORY_BYTES - used) / 2);
    int[] attempts = {0};
    maps.pending()
        .load(
            () -> {
              attempts[0]++;
              takeAndFree(maps, (MEMORY_BYTES - used) / 2);
            });
    assertThat(attempts[0]).isEqualTo(2);
    for (int i = 0; i < 1_000; i++) {
      assertThat(map.get(i)).hasSize(10);
    }
  }

  @Test
  void isWhereItBeganAfterAHundredMaps() {
    NativeMaps maps = start(1);
    long before = used(maps);
    for (int round = 0; round < 100; round++) {
      IMap<Integer, byte[]> map = map("map-" + round, none());
      for (int i = 0; i < 200; i++) {
        map.set(i, new byte[i]);
      }
      assertThat(used(maps)).isGreaterThan(before);
      map.destroy();
    }
    await().untilAsserted(() -> assertThat(used(maps)).isEqualTo(before));
    maps.heap().trim();
    assertThat(maps.heap().blocks().limbo()).isZero();
  }

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void isCountedByMap() {
    NativeMaps maps = start(2);
    Map<Integer, byte[]> entries = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      entries.put(i, new byte[1_000]);
    }
    grid.member(0).<Integer, byte[]>getMap("counted").putAll(entries);
    await().until(() -> grid.member(0).getPartitionService().isClusterSafe());
    NativeMapUsage first = usage(maps, "counted");
    NativeMapUsage second = usage(grid.maps(1), "counted");
    assertThat(first.primaryEntries() + second.primaryEntries()).isEqualTo(500);
    assertThat(first.backupEntries()).isEqualTo(second.primaryEntries());
    assertThat(first.bytes()).isBetween(500 * 1_000L, 500 * 1_200L);
  }

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void thatIsFullRefusesWritesAndDamagesNothing() {
    NativeMaps maps = start(1);
    IMap<Integer, byte[]> map = map("full", none());
    int written = fill(map);
    assertThat(written).isBetween(3_000, MORE_THAN_FITS - 1);
    assertThat(maps.usedBytes()).isLessThanOrEqualTo(maps.capacityBytes());
    assertThat(map.size()).isEqualTo(written);
    for (int i = 0; i < written; i++) {
      assertThat(map.get(i)).hasSize(VALUE_BYTES);
    }
    for (int i = 0; i < written / 2; i++) {
      map.delete(i);
    }
    map.set(-1, new byte[VALUE_BYTES]);
    assertThat(map.get(-1)).hasSize(VALUE_BYTES);
  }

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void thatIsFullIsTakenFromMapsThatMayEvict() {
    start(1);
    IMap<Integer, byte[]> cache = map("cache", lru(MaxSizePolicy.PER_NODE, 1_000_000));
    for (int i = 0; i < MORE_THAN_FITS; i++) {
      cache.set(i, new byte[VALUE_BYTES]);
    }
    assertThat(cache.size()).isLessThan(MORE_THAN_FITS);
    IMap<Integer, byte[]> kept = map("kept", none());
    for (int i = 0; i < 2_000; i++) {
      kept.set(i, new byte[VALUE_BYTES]);
    }
    assertThat(kept.size()).isEqualTo(2_000);
  }

  @Test
  void keepsWithinALimitInBytesWhateverTheSizes() {
    NativeMaps maps = start(1);
    IMap<Integer, byte[]> map = map("limited", lru(MaxSizePolicy.USED_NATIVE_MEMORY_SIZE, 4));
    for (int i = 0; i < 20_000; i++) {
      map.set(i, new byte[i < 10_000 ? 100 : 4_000]);
    }
    assertThat(usage(maps, "limited").bytes()).isBetween(3L << 20, (4L << 20) + 200_000);
  }

  @Test
  void leavesFreeWhatAMapIsToLeaveFree() {
    NativeMaps maps = start(1);
    IMap<Integer, byte[]> map = map("modest", lru(MaxSizePolicy.FREE_NATIVE_MEMORY_PERCENTAGE, 50));
    for (int i = 0; i < 6_000; i++) {
      map.set(i, new byte[VALUE_BYTES]);
    }
    assertThat(maps.freeBytes()).isGreaterThan(maps.capacityBytes() * 4 / 10);
    assertThat(map.size()).isGreaterThan(1_000);
  }

  private static int fill(IMap<Integer, byte[]> map) {
    for (int i = 0; i < MORE_THAN_FITS; i++) {
      int key = i;
      try {
        map.set(key, new byte[VALUE_BYTES]);
      } catch (HazelcastException e) {
        assertThat(e).hasMessageContaining("out of memory");
        assertThatThrownBy(() -> map.set(key, new byte[VALUE_BYTES]))
            .isInstanceOf(HazelcastException.class);
        assertThat(map.containsKey(key)).isFalse();
        return i;
      }
    }
    return MORE_THAN_FITS;
  }

  private static long used(NativeMaps maps) {
    maps.heap().trim();
    return maps.usedBytes();
  }

  private static NativeMapUsage usage(NativeMaps maps, String map) {
    List<NativeMapUsage> found =
        maps.usage().stream().filter(each -> each.map().equals(map)).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
