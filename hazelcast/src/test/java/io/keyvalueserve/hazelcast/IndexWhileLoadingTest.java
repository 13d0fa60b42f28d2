package io.keyvalueserve.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.monitor.impl.LocalIndexStatsImpl;
import com.hazelcast.map.IMap;
import com.hazelcast.query.LocalIndexStats;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a map with indexes is served while it is loaded, and a query finds what there is, whenever
 * it is asked. Method: the loader is held after some of the records; all is compared with a model.
 */
@Timeout(180)
final class IndexWhileLoadingTest {
  private static final String TENANT = "acme";
  private static final String MAP = "acme/numbers";
  private static final int ENTRIES = 2_000;
  private static final int VALUES = 100;
  private static final int HELD_AFTER = 500;

  @TempDir private Path directory;

  private final Map<Integer, Integer> model = new HashMap<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final long seed = Long.getLong("kvs.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** A member that ends waits for its loader. */
  @FunctionalInterface
  private interface Release extends AutoCloseable {
    @Override
    void close();
  }

  private record Question(Predicate<Integer, Integer> asked, IntPredicate meaning) {}

  @BeforeEach
  void fill() {
    try (DoorMember member = member(map -> false)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, Integer> map = client.getMap("numbers");
      map.addIndex(new IndexConfig(IndexType.SORTED, "this").setName("sorted"));
      map.addIndex(new IndexConfig(IndexType.HASH, "this").setName("hashed"));
      for (int i = 0; i < ENTRIES; i++) {
        model.put(i, random.nextInt(VALUES));
      }
      map.putAll(model);
      client.shutdown();
    }
  }

  @AfterEach
  void letGo() {
    held.countDown();
  }

  private DoorMember member(java.util.function.Predicate<String> first) {
    return new DoorMember(
        Restarts.in(
            directory,
            Durability.EVERYSEC,
            WhileLoading.WAIT,
            first,
            RestartConfig.KEYS_FIRST_BELOW_BYTES)); // else more is asked than is counted here
  }

  /** A member that has loaded every other one of so many records. */
  private DoorMember halfLoaded(int records) {
    return member(
        map -> {
          if (!map.equals(MAP)) {
            return false;
          }
          int count = asked.incrementAndGet();
          if (count > records) {
            holdOn();
            return false;
          }
          return count % 2 == 1; // the first question is for the map as such
        });
  }

  private void holdOn() {
    try {
      held.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static LoadProgress progress(DoorMember member) {
    return requireNonNull(member.member.loadProgress());
  }

  /** What the member itself says of the map's indexes. */
  private static Map<String, LocalIndexStats> indexes(DoorMember member) {
    for (HazelcastInstance instance : Hazelcast.getAllHazelcastInstances()) {
      Address address =
          instance.getCluster().getLocalMember().getAddressMap().get(EndpointQualifier.CLIENT);
      if (address != null && address.getPort() == member.member.clientPort()) {
        return instance.getMap(MAP).getLocalMapStats().getIndexStats();
      }
    }
    throw new IllegalStateException("the member is not in this process");
  }

  private List<Question> questions(int count) {
    List<Question> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int a = random.nextInt(VALUES + 10) - 5;
      int b = a + random.nextInt(20);
      all.add(
          switch (i % 5) {
            case 0 -> new Question(Predicates.equal("this", a), value -> value == a);
            case 1 -> new Question(Predicates.lessThan("this", a), value -> value < a);
            case 2 ->
                new Question(Predicates.between("this", a, b), value -> value >= a && value <= b);
            case 3 -> new Question(Predicates.in("this", a, b), value -> value == a || value == b);
            default ->
                new Question(
                    Predicates.and(
                        Predicates.greaterEqual("this", a), Predicates.notEqual("this", b)),
                    value -> value >= a && value != b);
          });
    }
    return all;
  }

  private Set<Integer> keysOf(Question question) {
    return model.entrySet().stream()
        .filter(entry -> question.meaning().test(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Any change of any key, in the model too. */
  private void change(IMap<Integer, Integer> map) {
    int key = random.nextInt(ENTRIES + 200);
    int value = random.nextInt(VALUES);
    @Nullable Integer before = model.get(key);
    switch (random.nextInt(4)) {
      case 0 -> {
        map.set(key, value);
        model.put(key, value);
      }
      case 1 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value));
      case 2 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
      default -> {
        if (before != null) {
          assertThat(map.replace(key, before, value)).isTrue();
          model.put(key, value);
        } else {
          assertThat(map.get(key)).isNull();
        }
      }
    }
  }

  @Test
  void itIsServedAndQueriesFindWhatThereIs() throws Exception {
    try (DoorMember member = halfLoaded(HELD_AFTER);
        Release _ = held::countDown) {
      await().until(() -> asked.get() > HELD_AFTER);
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, Integer> map = client.getMap("numbers");
      for (int i = 0; i < 300; i++) {
        change(map);
        int key = random.nextInt(ENTRIES);
        assertThat(map.get(key)).isEqualTo(model.get(key));
      }
      assertThat(progress(member).done()).isFalse();
      // What has come is in the indexes: a partition is as soon as all of it has.
      for (int key = 0; key < ENTRIES; key++) {
        if (client.getPartitionService().getPartition(key).getPartitionId() == 1) {
          assertThat(map.get(key)).isEqualTo(model.get(key));
        }
      }
      assertThat(indexes(member)).containsOnlyKeys("sorted", "hashed");
      assertThat(indexes(member).values())
          .allSatisfy(
              index ->
                  assertThat(((LocalIndexStatsImpl) index).getPartitionsIndexed()).isPositive());
      assertThat(progress(member).done()).isFalse();

      List<Question> early = questions(5);
      List<CompletableFuture<Set<Integer>>> answers =
          early.stream()
              .map(each -> CompletableFuture.supplyAsync(() -> map.keySet(each.asked())))
              .toList();
      assertThat(progress(member).done()).isFalse();
      held.countDown();
      for (int i = 0; i < early.size(); i++) {
        assertThat(answers.get(i).join())
            .as("seed=%d %s", seed, early.get(i).asked())
            .isEqualTo(keysOf(early.get(i)));
      }
      for (Question question : questions(50)) {
        change(map);
        assertThat(map.keySet(question.asked()))
            .as("seed=%d %s", seed, question.asked())
            .isEqualTo(keysOf(question));
      }
      await("queries use the indexes")
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                assertThat(map.keySet(Predicates.equal("this", 7)))
                    .isEqualTo(keysOf(new Question(Predicates.equal("this", 7), v -> v == 7)));
                assertThat(map.keySet(Predicates.lessThan("this", 7)))
                    .isEqualTo(keysOf(new Question(Predicates.lessThan("this", 7), v -> v < 7)));
                return indexes(member).values().stream()
                    .allMatch(index -> index.getQueryCount() > 0);
              });
      for (Question question : questions(200)) {
        change(map);
        assertThat(map.keySet(question.asked()))
            .as("seed=%d %s", seed, question.asked())
            .isEqualTo(keysOf(question));
      }
      client.shutdown();
    }
  }

  /** While it is not held: writes and queries go on beside the loader. */
  @Test
  void queriesBesideTheLoaderFindWhatThereIs() {
    try (DoorMember member = halfLoaded(0);
        Release _ = held::countDown) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, Integer> map = client.getMap("numbers");
      change(map);
      held.countDown();
      for (Question question : questions(300)) {
        change(map);
        assertThat(map.keySet(question.asked()))
            .as("seed=%d %s", seed, question.asked())
            .isEqualTo(keysOf(question));
      }
      client.shutdown();
    }
  }
}
