package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writers, each with keys of its own and many requests under way, readers of all keys, and values
 * that leave memory all the while. Each answer must be what the requests before it on that key make
 * it, and readers never see a key's values go back.
 */
final class ColdValueStressTest {
  private static final int WRITERS = 3;
  private static final int KEYS = 60;

  /** Of each writer; more with {@code -Dkvs.test.long=on}. */
  private static final int REQUESTS =
      System.getProperty("kvs.test.long", "off").equals("on") ? 12_000 : 2_000;

  private static final int UNDER_WAY = 32;

  /** An answer that is to come, and what it has to be. */
  private record Pending(String asked, CompletionStage<?> answer, @Nullable Object expected) {
    void check() {
      Object got = answer.toCompletableFuture().join();
      assertThat(got).as(asked).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "members={0}")
  @ValueSource(ints = {1, 2})
  void answersAreThoseOfAMapWhoseValuesStayInMemory(int members) {
    try (HdGrid grid = HdGrid.spilling(members)) {
      IMap<String, String> map = grid.map();
      HazelcastInstance client = grid.client(config -> {});
      await().until(() -> sendsToOwners(client, members));
      AtomicBoolean ended = new AtomicBoolean();
      List<FutureTask<@Nullable Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        IMap<String, String> mine = writer == 0 ? map : client.getMap(map.getName());
        writers.add(
            HdGrid.start(
                () -> {
                  write(mine, number);
                  return null;
                }));
      }
      FutureTask<Long> reader = HdGrid.start(() -> readAll(grid.elsewhere(map), ended));
      try {
        writers.forEach(HdGrid::result);
      } finally {
        ended.set(true);
      }
      assertThat(HdGrid.result(reader)).isPositive();
      assertThat(grid.spilled()).isPositive();
      assertThat(grid.readsByReaders()).isPositive();
    }
  }

  /** Until then a client sends requests on one key now to this member, now to that. */
  private static boolean sendsToOwners(HazelcastInstance client, int members) {
    return ((HazelcastClientProxy) client)
                .client
                .getConnectionManager()
                .getActiveConnections()
                .size()
            == members
        && client.getPartitionService().getPartitions().stream()
            .allMatch(partition -> partition.getOwner() != null);
  }

  private static String key(int writer, int number) {
    return "w" + writer + "-" + number;
  }

  private static String value(int version) {
    return version + ":" + "x".repeat(100 + version % 400);
  }

  private static void write(IMap<String, String> map, int writer) {
    SplittableRandom random = new SplittableRandom(20_261_123L + writer);
    Map<String, String> model = new HashMap<>();
    Queue<Pending> pending = new ArrayDeque<>();
    for (int version = 1; version <= REQUESTS; version++) {
      String key = key(writer, random.nextInt(KEYS));
      String before = model.get(key);
      String next = value(version);
      switch (random.nextInt(10)) {
        case 0, 1, 2 ->
            pending.add(new Pending(version + " get " + key, map.getAsync(key), before));
        case 3, 4 -> {
          pending.add(new Pending(version + " put " + key, map.putAsync(key, next), before));
          model.put(key, next);
        }
        case 5, 6 -> {
          pending.add(new Pending(version + " set " + key, map.setAsync(key, next), null));
          model.put(key, next);
        }
        case 7 -> {
          pending.add(new Pending(version + " remove " + key, map.removeAsync(key), before));
          model.remove(key);
        }
        case 8 -> {
          pending.add(
              new Pending(version + " delete " + key, map.deleteAsync(key), before != null));
          model.remove(key);
        }
        default -> {
          // Waits for its own requests, as it is about many keys.
          drain(pending, 0);
          Set<String> keys = new HashSet<>();
          Map<String, String> expected = new HashMap<>();
          for (int i = 0; i < 10; i++) {
            String each = key(writer, random.nextInt(KEYS));
            keys.add(each);
            if (model.containsKey(each)) {
              expected.put(each, Objects.requireNonNull(model.get(each)));
            }
          }
          assertThat(map.getAll(keys)).isEqualTo(expected);
        }
      }
      drain(pending, UNDER_WAY);
    }
    drain(pending, 0);
    for (int number = 0; number < KEYS; number++) {
      String key = key(writer, number);
      assertThat(map.get(key)).as(key).isEqualTo(model.get(key));
    }
  }

  private static void drain(Queue<Pending> pending, int left) {
    while (pending.size() > left) {
      pending.remove().check();
    }
  }

  private static long readAll(IMap<String, String> map, AtomicBoolean ended) {
    Map<String, Integer> seen = new HashMap<>();
    long found = 0;
    SplittableRandom random = new SplittableRandom();
    while (!ended.get()) {
      String key = key(random.nextInt(WRITERS), random.nextInt(KEYS));
      String value = map.get(key);
      if (value != null) {
        int version = Integer.parseInt(value.substring(0, value.indexOf(':')));
        assertThat(value).isEqualTo(value(version));
        assertThat(version).isGreaterThanOrEqualTo(seen.getOrDefault(key, 0));
        seen.put(key, version);
        found++;
      }
    }
    return found;
  }
}
