package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.spi.exception.DistributedObjectDestroyedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a map: nothing of it is left, and its name is free for another. */
@ExtendWith(SharedGrids.class)
@ParameterizedClass(name = "members={0}")
@ValueSource(ints = {1, 3})
final class DestroyTest {
  private final HdGrid grid;

  DestroyTest(int members) {
    grid = SharedGrids.of(members);
  }

  @Test
  void aMapOfTheSameNameBeginsEmpty() {
    String name = grid.mapName(config -> {});
    for (int round = 0; round < 5; round++) {
      IMap<String, String> map = grid.member(0).getMap(name);
      assertThat(map.size()).isZero();
      map.putAll(HdGrid.entries(200));
      map.lock("k1");
      map.set("brief", "v", 1, TimeUnit.HOURS);
      assertThat(grid.elsewhere(map).size()).isEqualTo(201);
      grid.elsewhere(map).destroy();
    }
    IMap<String, String> last = grid.member(0).getMap(name);
    assertThat(last.isEmpty()).isTrue();
    assertThat(last.isLocked("k1")).isFalse();
    assertThat(last.getLocalMapStats().getOwnedEntryCount()).isZero();
    assertThat(last.getLocalMapStats().getOwnedEntryMemoryCost())
        .as("bytes of empty tables")
        .isLessThan(256L * HdGrid.PARTITIONS);
  }

  @Test
  void destroyingUnderLoadEndsWithTheLastWrite() {
    String name = grid.mapName(config -> {});
    var writer =
        HdGrid.start(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                try {
                  grid.member(0).getMap(name).set("k" + i % 100, "v" + i);
                } catch (DistributedObjectDestroyedException e) {
                  // As it may be: the map went while it was made.
                }
              }
              return true;
            });
    while (!writer.isDone()) {
      try {
        grid.member(grid.size() - 1).getMap(name).destroy();
      } catch (DistributedObjectDestroyedException e) {
        // By the other.
      }
    }
    assertThat(HdGrid.result(writer)).isTrue();
    IMap<String, String> map = grid.member(0).getMap(name);
    assertThat(map.getAll(map.keySet())).hasSize(map.size());
    map.destroy();
  }

  @Test
  void fillingAndDestroyingManyTimesLeavesNothing() {
    String name = grid.mapName(config -> {});
    fillAndDestroy(name, 0); // what is kept for the next map is kept from now on
    long before = bytesWithout(name);
    assertThat(before > 0).isEqualTo(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    for (int round = 0; round < 25; round++) {
      fillAndDestroy(name, round);
    }
    await().untilAsserted(() -> assertThat(grid.bytesInUse()).isEqualTo(before));
  }

  /**
   * What is in use when nothing of a map is there any more. A copy of the map that arrives late is
   * there until the map is destroyed once more; and what is left is given back by the partitions'
   * threads, when they have done whatever was asked of them before.
   */
  private long bytesWithout(String name) {
    IMap<String, String> other = grid.member(0).getMap(grid.mapName(config -> {}));
    AtomicLong bytes = new AtomicLong();
    await()
        .until(
            () -> {
              if (grid.isAnywhere(name)) {
                grid.member(0).getMap(name).destroy();
              }
              assertThat(other.size()).isZero(); // each of the threads takes part
              bytes.set(grid.bytesInUse());
              return !grid.isAnywhere(name);
            });
    return bytes.get();
  }

  private void fillAndDestroy(String name, int round) {
    IMap<String, Person> map = grid.member(0).getMap(name);
    if (round % 5 == 0) {
      map.addIndex(IndexType.HASH, "city");
    }
    for (int i = 0; i < 50; i++) {
      map.set("p" + i, Person.of(i));
      map.set("e" + i, Person.of(i), 1, TimeUnit.HOURS);
    }
    map.remove("p1");
    assertThat(map.values(Predicates.equal("city", "city-2"))).isNotEmpty();
    map.destroy();
  }
}
