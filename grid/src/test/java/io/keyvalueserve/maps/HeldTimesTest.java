package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import io.keyvalueserve.gates.admission.TenantHoldings;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: memory is charged by how long it is held, whenever the meter looks. */
class HeldTimesTest {
  private static final long NANOS_A_MILLI = 1_000_000;
  private static final long BYTES = 100_000_000;
  private static final long TICK_MILLIS = 10;
  private static final int MOVES = 50;

  private long nowMillis;
  private int owner;
  private long byteMillis;
  private long spilledByteMillis;

  /** A partition of a map on one member, whose clock ticks at its own times. */
  private final class Store {
    final OwnedTime time;
    final Charges charges;
    final int phase;

    Store(int member) {
      phase = 3 + 5 * member;
      time = new OwnedTime(1, partition -> owner == member, () -> nowMillis * NANOS_A_MILLI);
      charges = new Charges(null, new Nobody(), time.of(0), HeldTimesTest.this::take);
    }
  }

  private static final class Nobody implements Charges.Tenants {
    @Override
    public boolean areCharged() {
      return false;
    }

    @Override
    public int changes() {
      return 0;
    }

    @Override
    public @Nullable TenantHoldings usage(int number) {
      return null;
    }
  }

  private void take(int number, long more, long moreSpilled) {
    assertThat(number).isEqualTo(Writers.OWNER);
    byteMillis += more;
    spilledByteMillis += moreSpilled;
  }

  private void passMillis(long millis, Store... stores) {
    for (long end = nowMillis + millis; nowMillis < end; ) {
      nowMillis++;
      for (Store store : stores) {
        if (nowMillis % TICK_MILLIS == store.phase) {
          store.time.tick();
        }
      }
    }
  }

  @Test
  void memoryThatIsTakenOffBeforeEachLookIsChargedAllTheSame() {
    Store store = new Store(0);
    for (int period = 0; period < 30; period++) {
      for (int part = 0; part < 3; part++) {
        store.charges.handOver();
        store.charges.settle(BYTES, 1, BYTES / 2);
        passMillis(7_633, store);
        store.charges.settle(0, 0, 0);
        passMillis(10_000 - 7_633, store);
      }
    }
    store.charges.handOver();
    long expected = BYTES * 30 * 22_900;
    assertThat(byteMillis).isCloseTo(expected, Percentage.withPercentage(1));
    assertThat(spilledByteMillis).isCloseTo(expected / 2, Percentage.withPercentage(1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aPartitionThatMovesIsChargedOnce(long seed) {
    Random random = new Random(seed);
    Store[] members = {new Store(0), new Store(1)};
    members[0].charges.settle(BYTES, 1, 0);
    for (int move = 0; move < MOVES; move++) {
      passMillis(random.nextInt(2_000), members);
      Store from = members[owner];
      Store to = members[1 - owner];
      to.charges.settle(BYTES, 1, 0);
      passMillis(random.nextInt(2_000), members);
      owner = 1 - owner;
      passMillis(random.nextInt(50), members);
      from.charges.settle(0, 0, 0);
      from.charges.handOver();
    }
    passMillis(TICK_MILLIS, members);
    members[0].charges.handOver();
    members[1].charges.handOver();
    assertThat(byteMillis).isCloseTo(BYTES * nowMillis, within(BYTES * 2 * TICK_MILLIS * MOVES));
  }

  @Test
  void mapsAreChargedWhereTheirPartitionsAreAndWhenTheyAreDestroyed() {
    try (HdGrid grid = HdGrid.start(1)) {
      IMap<String, byte[]> map = grid.map();
      for (int i = 0; i < 200; i++) {
        map.set("key-" + i, new byte[10_000]);
      }
      long bytes = grid.bytesOf(0, map.getName());
      long _ = take(grid, map.getName());
      long began = System.nanoTime();
      HazelcastInstance _ = grid.join();
      grid.awaitSafe();
      long taken = take(grid, map.getName());
      long expected = bytes * ((System.nanoTime() - began) / NANOS_A_MILLI);
      assertThat(taken).as("bytes=" + bytes).isCloseTo(expected, Percentage.withPercentage(20));
      await("the first member owns some of it").until(() -> take(grid, 0, map.getName()) > 0);
      await("the second owns the rest").until(() -> take(grid, 1, map.getName()) > 0);
      long before = System.nanoTime();
      while (System.nanoTime() - before < 500 * NANOS_A_MILLI) {
        map.set("key-0", new byte[10_000]);
      }
      map.destroy();
      await().until(() -> (byteMillis += take(grid, map.getName())) > bytes * 250);
    }
  }

  @Test
  void valuesOnTheDiskAreChargedAsSuch() {
    try (HdGrid grid = HdGrid.spilling(1)) {
      IMap<String, byte[]> map = grid.map();
      for (int i = 0; i < 100; i++) {
        map.set("key-" + i, new byte[10_000]);
      }
      await()
          .until(
              () ->
                  grid.takeHeldTimes(0).stream()
                      .filter(time -> time.map().equals(map.getName()))
                      .anyMatch(time -> time.spilledByteMillis() > 0));
    }
  }

  private static long take(HdGrid grid, String map) {
    return IntStream.range(0, grid.size()).mapToLong(i -> take(grid, i, map)).sum();
  }

  private static long take(HdGrid grid, int member, String map) {
    return grid.takeHeldTimes(member).stream()
        .filter(time -> time.map().equals(map))
        .mapToLong(HeldTime::residentByteMillis)
        .sum();
  }
}
