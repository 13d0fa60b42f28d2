package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * A member whose memory is full refuses the write that asked for more, by an error that says why,
 * and keeps what it has; when room is made, writes go on.
 */
final class FullMemoryTest {
  private static final int VALUE_BYTES = 1 << 20;
  private static final int MORE_THAN_FIT = 1_000;

  @Test
  @DisabledIfSystemProperty(
      named = "kvs.test.spill",
      matches = "on",
      disabledReason = "measures memory, which values leave")
  void refusesTheWriteAndKeepsTheRest() {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    try (HdGrid grid = HdGrid.start(1)) {
      long before = grid.bytesInUse();
      IMap<String, byte[]> map = grid.map();
      int fitted = fill(map);
      assertThat(fitted).isBetween(100, MORE_THAN_FIT - 1);
      assertWhole(map, fitted);
      assertThat(refused(() -> map.set("k0", new byte[4 * VALUE_BYTES]))).isTrue();
      assertThat(map.get("k0")).hasSize(VALUE_BYTES);
      assertThat(refused(() -> map.putAll(Map.of("a", bytes(1), "b", bytes(2))))).isTrue();
      IMap<String, byte[]> ofClient = clientOf(grid).getMap(map.getName());
      assertThat(refused(() -> ofClient.set("new", bytes(1)))).isTrue();

      IMap<String, byte[]> late = grid.map();
      assertThat(refused(() -> late.set("k", bytes(7)))).isTrue();

      for (int i = 0; i < 20; i++) {
        map.delete("k" + i);
      }
      for (int i = 0; i < 10; i++) {
        map.set("k" + i, bytes(i));
      }
      assertThat(map.get("k9")).isEqualTo(bytes(9));
      late.set("k", bytes(7));
      assertThat(late.get("k")).isEqualTo(bytes(7));
      late.destroy();
      map.destroy();
      await().untilAsserted(() -> assertThat(grid.bytesInUse()).isEqualTo(before));
    }
  }

  @Test
  void smallEntriesAndIndexesStayWhole() {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    try (HdGrid grid = HdGrid.start(2)) {
      IMap<String, byte[]> ballast = grid.map(config -> config.setBackupCount(1));
      IMap<String, Person> people =
          grid.map(config -> config.addIndexConfig(new IndexConfig(IndexType.HASH, "city")));
      for (int i = 0; i < 100; i++) {
        people.set("p" + i, Person.of(i));
      }
      int fitted = fill(ballast);
      int added = 100;
      while (added < 300_000 && !refused(people, added)) {
        added++;
      }
      assertThat(people.size()).isGreaterThanOrEqualTo(added);
      int indexed =
          IntStream.range(0, 10)
              .map(i -> people.keySet(Predicates.equal("city", "city-" + i)).size())
              .sum();
      assertThat(indexed).isEqualTo(people.size());
      assertWhole(ballast, fitted);
      ballast.destroy();
      grid.awaitSafe();
      people.set("after", Person.of(1));
      assertThat(people.get("after")).isEqualTo(Person.of(1));
    }
  }

  private static boolean refused(IMap<String, Person> people, int i) {
    return refused(() -> people.set("p" + i, Person.of(i)));
  }

  private static HazelcastInstance clientOf(HdGrid grid) {
    return grid.client(config -> {});
  }

  /** Returns how many entries fitted; they have the keys k0, k1 and so on. */
  private static int fill(IMap<String, byte[]> map) {
    for (int i = 0; i < MORE_THAN_FIT; i++) {
      String key = "k" + i;
      byte[] value = bytes(i);
      if (refused(() -> map.set(key, value))) {
        return i;
      }
    }
    return MORE_THAN_FIT;
  }

  private static boolean refused(Runnable write) {
    try {
      write.run();
      return false;
    } catch (RuntimeException e) {
      assertThat(e).hasStackTraceContaining("memory");
      return true;
    }
  }

  private static void assertWhole(IMap<String, byte[]> map, int count) {
    assertThat(map.keySet())
        .containsAll(IntStream.range(0, count).mapToObj(i -> "k" + i).collect(Collectors.toSet()));
    for (int i = 0; i < count; i += 10) {
      assertThat(map.get("k" + i)).isEqualTo(bytes(i));
    }
  }

  private static byte[] bytes(int i) {
    byte[] bytes = new byte[VALUE_BYTES];
    bytes[0] = (byte) i;
    bytes[VALUE_BYTES - 1] = (byte) i;
    return bytes;
  }
}
