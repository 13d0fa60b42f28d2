package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.config.EvictionConfig;
import com.hazelcast.config.EvictionPolicy;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.MaxSizePolicy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: eviction keeps every member under a map's limit in bytes however fast clients write.
 * Method: four clients write entries of all sizes as fast as they can, for seconds here and for
 * {@code -Dkvs.soak.seconds=60} on demand, while the bytes of each member are looked at.
 */
@ExtendWith(SharedGrids.class)
class SteadyWritersTest {
  private static final long SECONDS = Long.getLong("kvs.soak.seconds", 4);
  private static final long MOST_MORE_SECONDS = 60;
  private static final int CLIENTS = 4;
  private static final int LIMIT_MIB = 8;
  private static final int MOST_VALUE_BYTES = 16 << 10;

  /** Each partition may have one write beyond the limit before it evicts. */
  private static final long SLACK_BYTES = (long) HdGrid.PARTITIONS * 2 * MOST_VALUE_BYTES;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void neverTakeAMemberBeyondTheLimit(int members) {
    Assumptions.assumeTrue(HdGrid.FORMAT == InMemoryFormat.NATIVE);
    HdGrid grid = SharedGrids.of(members);
    IMap<Long, byte[]> map =
        grid.map(
            config ->
                config.setEvictionConfig(
                    new EvictionConfig()
                        .setEvictionPolicy(EvictionPolicy.LRU)
                        .setMaxSizePolicy(MaxSizePolicy.USED_NATIVE_MEMORY_SIZE)
                        .setSize(LIMIT_MIB)));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    LongAdder written = new LongAdder();
    long enough = ((2L * members * LIMIT_MIB) << 20) / (MOST_VALUE_BYTES / 2);
    List<HazelcastInstance> clients = new ArrayList<>();
    List<FutureTask<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      HazelcastInstance client = grid.client(config -> {});
      clients.add(client);
      IMap<Long, byte[]> theirs = client.getMap(map.getName());
      writers.add(HdGrid.start(() -> write(theirs, end, written, enough)));
    }
    long most = 0;
    while (System.nanoTime() < end || !writers.stream().allMatch(FutureTask::isDone)) {
      for (int member = 0; member < members; member++) {
        most = Math.max(most, grid.bytesOf(member, map.getName()));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    writers.forEach(SteadyWritersTest::await);
    clients.forEach(HazelcastInstance::shutdown);
    assertThat(written.sum()).isGreaterThanOrEqualTo(enough);
    assertThat(most).isBetween((long) LIMIT_MIB << 19, ((long) LIMIT_MIB << 20) + SLACK_BYTES);
    map.destroy();
  }

  /** Writes for so long, and until all have written more than the members may have. */
  private static boolean write(IMap<Long, byte[]> map, long end, LongAdder written, long enough) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long last = end + TimeUnit.SECONDS.toNanos(MOST_MORE_SECONDS);
    while (System.nanoTime() < end || (written.sum() < enough && System.nanoTime() < last)) {
      map.set(random.nextLong(), new byte[random.nextInt(MOST_VALUE_BYTES)]);
      written.increment();
    }
    return true;
  }

  private static void await(FutureTask<Boolean> writer) {
    try {
      assertThat(writer.get(SECONDS + 2 * MOST_MORE_SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (Exception e) {
      throw new AssertionError("a writer failed: " + e, e);
    }
  }
}
