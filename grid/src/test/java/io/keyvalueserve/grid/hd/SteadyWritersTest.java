package io.keyvalueserve.grid.hd;

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
    List<HazelcastInstance> clients = new ArrayList<>();
    List<FutureTask<Long>> writers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      HazelcastInstance client = grid.client(config -> {});
      clients.add(client);
      IMap<Long, byte[]> theirs = client.getMap(map.getName());
      writers.add(HdGrid.start(() -> write(theirs, end)));
    }
    long most = 0;
    while (System.nanoTime() < end) {
      for (int member = 0; member < members; member++) {
        most = Math.max(most, grid.bytesOf(member, map.getName()));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
    long written = 0;
    for (FutureTask<Long> writer : writers) {
      written += await(writer);
    }
    clients.forEach(HazelcastInstance::shutdown);
    assertThat(written * MOST_VALUE_BYTES / 2).isGreaterThan((2L * members * LIMIT_MIB) << 20);
    assertThat(most).isBetween((long) LIMIT_MIB << 19, ((long) LIMIT_MIB << 20) + SLACK_BYTES);
    map.destroy();
  }

  private static long write(IMap<Long, byte[]> map, long end) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long written = 0;
    while (System.nanoTime() < end) {
      map.set(random.nextLong(), new byte[random.nextInt(MOST_VALUE_BYTES)]);
      written++;
    }
    return written;
  }

  private static long await(FutureTask<Long> writer) {
    try {
      return writer.get(SECONDS + 60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a writer failed: " + e, e);
    }
  }
}
