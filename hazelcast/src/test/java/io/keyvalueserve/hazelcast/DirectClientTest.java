package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryUpdatedListener;
import io.keyvalueserve.gates.TenantMeters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Goal: Java clients as they come get from direct answers what they always got. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DirectClientTest {
  private static final int KEYS = 500;

  private final DoorMember member = new DoorMember();
  private final HazelcastInstance acme = member.client("acme");
  private final HazelcastInstance globex = member.client("globex");

  @AfterAll
  void stop() {
    acme.shutdown();
    globex.shutdown();
    member.close();
  }

  @Test
  void readsAndWritesAreAnsweredDirectlyAndRight() {
    IMap<String, String> map = acme.getMap("plain");
    map.put("first", "makes the map");
    long before = member.member.answeredDirectly();
    for (int i = 0; i < KEYS; i++) {
      assertThat(map.put("k" + i, "v" + i)).isNull();
      assertThat(map.put("k" + i, "w" + i)).isEqualTo("v" + i);
      map.set("s" + i, "x" + i);
      assertThat(map.get("k" + i)).isEqualTo("w" + i);
      assertThat(map.get("s" + i)).isEqualTo("x" + i);
      assertThat(map.get("absent" + i)).isNull();
      assertThat(map.containsKey("k" + i)).isTrue();
      assertThat(map.containsKey("absent" + i)).isFalse();
    }
    assertThat(member.member.answeredDirectly() - before).isGreaterThan(7 * KEYS);
    assertThat(map.size()).isEqualTo(2 * KEYS + 1);
  }

  @Test
  void manyKeysAreAnsweredTogether() {
    IMap<Integer, String> map = acme.getMap("many");
    Map<Integer, String> expected = new HashMap<>();
    for (int i = 0; i < KEYS; i += 2) {
      expected.put(i, "value " + i);
    }
    map.putAll(expected);
    Map<Integer, String> asked = new HashMap<>(expected);
    for (int i = 0; i < KEYS; i++) {
      asked.put(i, "");
    }
    long before = member.member.answeredDirectly();
    assertThat(map.getAll(asked.keySet())).isEqualTo(expected);
    assertThat(member.member.answeredDirectly()).isGreaterThan(before);
  }

  @Test
  void tenantsDoNotMeet() {
    IMap<String, String> ours = acme.getMap("shared-name");
    IMap<String, String> theirs = globex.getMap("shared-name");
    for (int i = 0; i < KEYS; i++) {
      ours.set("k" + i, "acme");
      assertThat(theirs.get("k" + i)).isNull();
      assertThat(theirs.put("k" + i, "globex")).isNull();
      assertThat(ours.get("k" + i)).isEqualTo("acme");
    }
  }

  @Test
  void everyOperationIsMeteredWhicheverWayItGoes() {
    HazelcastInstance metered = member.client("metered");
    try {
      IMap<String, byte[]> map = metered.getMap("m");
      map.set("k", new byte[1000]);
      TenantMeters.Reading before = member.reading("metered");
      long direct = member.member.answeredDirectly();
      for (int i = 0; i < KEYS; i++) {
        assertThat(map.get("k")).hasSize(1000);
      }
      TenantMeters.Reading after = member.reading("metered");
      assertThat(member.member.answeredDirectly() - direct).isGreaterThanOrEqualTo(KEYS);
      assertThat(after.operations() - before.operations()).isEqualTo(KEYS);
      assertThat(after.bytesIn() - before.bytesIn()).isBetween(KEYS * 40L, KEYS * 200L);
      assertThat(after.bytesOut() - before.bytesOut()).isBetween(KEYS * 1000L, KEYS * 1200L);
    } finally {
      metered.shutdown();
    }
  }

  @Test
  void listenersAndConcurrentClientsSeeEveryWrite() throws Exception {
    IMap<String, Integer> map = acme.getMap("listened");
    ConcurrentLinkedQueue<EntryEvent<String, Integer>> events = new ConcurrentLinkedQueue<>();
    map.addEntryListener((EntryUpdatedListener<String, Integer>) events::add, true);
    int writers = 4;
    try (ExecutorService pool = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> all = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String key = "writer" + w;
        map.set(key, 0);
        all.add(
            pool.submit(
                () -> {
                  for (int i = 1; i <= KEYS; i++) {
                    assertThat(map.put(key, i)).isEqualTo(i - 1);
                    assertThat(map.get(key)).isEqualTo(i);
                    assertThat(map.containsKey(key)).isTrue();
                  }
                }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    await().untilAsserted(() -> assertThat(events).hasSize(writers * KEYS));
  }

  @Test
  void writesSentWithoutWaitingKeepTheirOrder() throws Exception {
    IMap<String, Integer> map = acme.getMap("ordered");
    map.set("key", -1);
    // Operations between them hold the partition's thread, so that some writes are declined.
    List<CompletionStage<?>> sent = new ArrayList<>();
    for (int i = 0; i < 6 * KEYS; i++) {
      sent.add(i % 7 == 0 ? map.removeAsync("key") : map.setAsync("key", i));
      sent.add(map.setAsync("key", i));
    }
    for (CompletionStage<?> each : sent) {
      each.toCompletableFuture().get();
    }
    assertThat(map.get("key")).isEqualTo(6 * KEYS - 1);
  }

  @Test
  void largeValuesComeWhole() {
    IMap<Integer, byte[]> map = acme.getMap("large");
    for (int size : new int[] {0, 1, 4000, 60_000, 200_000, 3_000_000}) {
      byte[] value = new byte[size];
      java.util.Arrays.fill(value, (byte) size);
      map.set(size, value);
      assertThat(map.get(size)).isEqualTo(value);
      assertThat(map.put(size, new byte[1])).isEqualTo(value);
    }
  }
}
