package io.keyvalueserve.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapContainer;
import com.hazelcast.map.impl.MapService;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.LoadProgress;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member that has started and has read only the keys: its loader is held at the question which
 * maps come first.
 */
@Timeout(120)
class ServeWhileLoadingTest {
  static final String TENANT = "acme";
  private static final String MAP = "acme/orders";
  private static final int ENTRIES = 500;
  private static final int MANY = 20_000;
  private static final int WRITERS = 3;
  private static final int MOST_HELD_SECONDS = 20;

  @TempDir private Path directory;

  final Map<String, String> model = new HashMap<>();
  final CountDownLatch held = new CountDownLatch(1);

  /** Members with larger logs serve before they know their keys; in bytes. */
  long keysFirstBelow() {
    return RestartConfig.KEYS_FIRST_BELOW_BYTES;
  }

  final RestartConfig config(WhileLoading whileLoading, Predicate<String> first) {
    return Restarts.in(directory, Durability.EVERYSEC, whileLoading, first, keysFirstBelow());
  }

  final DoorMember member(WhileLoading whileLoading) {
    return new DoorMember(config(whileLoading, map -> map.equals(MAP) && isLoader() && holdOn()));
  }

  final boolean holdOn() {
    try {
      boolean _ = held.await(MOST_HELD_SECONDS, TimeUnit.SECONDS); // members wait for it to close
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Whether it is not asked when the log is opened. */
  static boolean isLoader() {
    return Thread.currentThread().getName().equals("kvs-load");
  }

  @BeforeEach
  void fill() {
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      for (int i = 0; i < ENTRIES; i++) {
        model.put("key-" + i, "value-" + i);
      }
      map.putAll(model);
      client.shutdown();
    }
  }

  @AfterEach
  void letGo() {
    held.countDown();
  }

  static LoadProgress progress(DoorMember member) {
    return requireNonNull(member.member.loadProgress());
  }

  static void awaitLoaded(DoorMember member) {
    await().atMost(Duration.ofSeconds(60)).until(() -> progress(member).done());
  }

  static Map<String, String> contents(IMap<String, String> map) {
    return map.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Test
  void whatIsAskedForIsReadAtOnceAndWritesAreAsEver() {
    try (DoorMember member = member(WhileLoading.WAIT)) {
      LoadProgress begun = progress(member);
      assertThat(begun.done()).isFalse();
      assertThat(begun.totalRecords()).isEqualTo(ENTRIES);
      assertThat(begun.records()).isZero();
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      assertThat(map.get("key-3")).isEqualTo("value-3");
      assertThat(map.get("none")).isNull();
      assertThat(map.containsKey("key-4")).isTrue();
      assertThat(map.getAll(Set.of("key-5", "key-6", "none")))
          .isEqualTo(Map.of("key-5", "value-5", "key-6", "value-6"));
      assertThat(map.put("key-7", "changed")).isEqualTo(model.put("key-7", "changed"));
      map.set("key-8", "set");
      model.put("key-8", "set");
      assertThat(map.remove("key-9")).isEqualTo(model.remove("key-9"));
      map.set("new", "new");
      model.put("new", "new");
      assertThat(map.replace("key-10", "value-10", "replaced")).isTrue();
      model.put("key-10", "replaced");
      assertThat(map.size()).isEqualTo(model.size());
      assertThat(progress(member).records()).isBetween(5L, 20L);

      // What goes over all of them waits for them.
      CompletableFuture<Map<String, String>> all =
          CompletableFuture.supplyAsync(() -> contents(map));
      assertThat(progress(member).done()).isFalse();
      held.countDown();
      assertThat(all.join()).isEqualTo(model);
      awaitLoaded(member);
      assertThat(progress(member).records()).isEqualTo(ENTRIES);
      assertThat(progress(member).bytes()).isEqualTo(progress(member).totalBytes());
      assertThat(contents(map)).isEqualTo(model);
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(WhileLoading.CLOSED, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      assertThat(contents(client.getMap("orders"))).isEqualTo(model);
      client.shutdown();
    }
  }

  @Test
  void whatChangesWhileAllIsLoadedStaysChanged() {
    Map<String, String> large = new ConcurrentHashMap<>();
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      for (int i = 0; i < MANY; i++) {
        large.put("key-" + i, "value-" + i + "-".repeat(400));
      }
      client.getMap("large").putAll(large);
      client.getMap("gone").putAll(large);
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      assertThat(progress(member).totalRecords()).isGreaterThan(MANY);
      HazelcastInstance client = member.client(TENANT);
      client.getMap("gone").clear();
      IMap<String, String> map = client.getMap("large");
      CompletableFuture<?>[] writers =
          IntStream.range(0, WRITERS)
              .mapToObj(writer -> CompletableFuture.runAsync(() -> change(map, large, writer)))
              .toArray(CompletableFuture<?>[]::new);
      CompletableFuture.allOf(writers).join();
      awaitLoaded(member);
      assertThat(contents(map)).isEqualTo(large);
      assertThat(client.getMap("gone").isEmpty()).isTrue();
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(WhileLoading.CLOSED, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      assertThat(contents(client.getMap("large"))).isEqualTo(large);
      assertThat(client.getMap("gone").isEmpty()).isTrue();
      client.shutdown();
    }
  }

  /** Changes keys that no other writer has, from the end: the loader is there last. */
  private static void change(IMap<String, String> map, Map<String, String> model, int writer) {
    for (int i = MANY - WRITERS + writer; i >= MANY / 2; i -= WRITERS) {
      String key = "key-" + i;
      switch (i / WRITERS % 4) {
        case 0 -> {
          map.set(key, "changed-" + i);
          model.put(key, "changed-" + i);
        }
        case 1 -> {
          map.delete(key);
          model.remove(key);
        }
        default -> assertThat(map.get(key)).isEqualTo(model.get(key));
      }
    }
  }

  @Test
  void aMemberThatEndsBeforeAllIsLoadedHasLostNothing() {
    try (DoorMember member = member(WhileLoading.WAIT)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      for (int i = 0; i < ENTRIES; i += 3) {
        map.set("key-" + i, "changed");
        model.put("key-" + i, "changed");
      }
      map.delete("key-1");
      model.remove("key-1");
      client.shutdown();
      held.countDown();
    }
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      assertThat(contents(client.getMap("orders"))).isEqualTo(model);
      client.shutdown();
    }
  }

  @Test
  void whoIsNotToWaitIsTold() {
    try (DoorMember member = member(WhileLoading.REFUSE)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      assertThatThrownBy(() -> map.get("key-1")).hasMessageContaining("is loading its entries");
      assertThatThrownBy(() -> map.set("key-1", "x"))
          .hasMessageContaining("is loading its entries");
      map.set("new", "new");
      assertThat(map.get("new")).isEqualTo("new");
      assertThat(map.get("none")).isNull();
      assertThat(progress(member).records()).isZero();
      held.countDown();
      awaitLoaded(member);
      assertThat(map.get("key-1")).isEqualTo("value-1");
      client.shutdown();
    }
  }

  @Test
  void aClosedMemberLoadsAllBeforeItIsThere() {
    try (DoorMember member = member(WhileLoading.CLOSED)) {
      LoadProgress all = progress(member);
      assertThat(all.done()).isTrue();
      assertThat(all.totalRecords()).isGreaterThanOrEqualTo(model.size());
      assertThat(all.records()).isEqualTo(all.totalRecords());
      assertThat(all.secondsLeft()).isZero();
      HazelcastInstance client = member.client(TENANT);
      assertThat(contents(client.getMap("orders"))).isEqualTo(model);
      client.shutdown();
    }
  }

  @Test
  void whatIsClearedBeforeItIsLoadedStaysCleared() {
    try (DoorMember member = member(WhileLoading.WAIT)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      CompletableFuture<Void> cleared = CompletableFuture.runAsync(map::clear); // waits for all
      held.countDown();
      cleared.join();
      map.set("key-1", "after");
      awaitLoaded(member);
      assertThat(contents(map)).isEqualTo(Map.of("key-1", "after"));
      client.shutdown();
    }
    assertHas(Map.of("key-1", "after"));
  }

  @Test
  void aMapThatIsDestroyedBeforeItIsLoadedIsGone() {
    try (DoorMember member = member(WhileLoading.WAIT)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      assertThat(map.get("key-1")).isEqualTo("value-1"); // loaded, others are not
      CompletableFuture<Void> destroyed = CompletableFuture.runAsync(map::destroy);
      await().until(ServeWhileLoadingTest::isBeingDestroyed);
      held.countDown(); // it waits for what is not loaded, as whatever goes over all entries
      destroyed.join();
      IMap<String, String> anew = client.getMap("orders");
      anew.set("key-1", "anew");
      anew.set("key-2", "anew");
      awaitLoaded(member);
      assertThat(contents(anew)).isEqualTo(Map.of("key-1", "anew", "key-2", "anew"));
      client.shutdown();
    }
    assertHas(Map.of("key-1", "anew", "key-2", "anew"));
  }

  private static boolean isBeingDestroyed() {
    HazelcastInstance instance = Hazelcast.getAllHazelcastInstances().iterator().next();
    MapService service =
        ((HazelcastInstanceProxy) instance)
            .getOriginal()
            .node
            .getNodeEngine()
            .getService(MapService.SERVICE_NAME);
    MapContainer container = service.getMapServiceContext().getExistingMapContainer(MAP);
    return container == null || container.isDestroyed();
  }

  @Test
  void someMapsComeFirst() {
    Set<String> keys;
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      // Of one partition: the loader meets them in the order in which they were written.
      keys =
          IntStream.range(0, 20_000)
              .mapToObj(i -> "key-" + i)
              .filter(key -> client.getPartitionService().getPartition(key).getPartitionId() == 5)
              .collect(Collectors.toSet());
      client.getMap("orders").clear();
      for (String name : new String[] {"urgent", "later"}) {
        IMap<String, String> map = client.getMap(name);
        keys.forEach(key -> map.set(key, name));
      }
      client.shutdown();
    }
    AtomicInteger asked = new AtomicInteger();
    Predicate<String> first =
        map -> {
          // The first question is for the map as such, the second for its first record.
          if (map.equals("acme/later")
              && (isLoader() || asked.get() > 0)
              && asked.incrementAndGet() > 1) {
            return holdOn();
          }
          return map.equals("acme/urgent");
        };
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, first))) {
      await().until(() -> asked.get() > 1);
      assertThat(progress(member).records()).isEqualTo(keys.size());
      held.countDown();
      awaitLoaded(member);
      assertThat(progress(member).records()).isEqualTo(2L * keys.size());
    }
  }

  private void assertHas(Map<String, String> entries) {
    for (WhileLoading how : WhileLoading.values()) {
      try (DoorMember member = new DoorMember(config(how, map -> false))) {
        HazelcastInstance client = member.client(TENANT);
        if (how == WhileLoading.REFUSE) {
          awaitLoaded(member);
        }
        assertThat(contents(client.getMap("orders"))).isEqualTo(entries);
        client.shutdown();
      }
    }
  }
}
