package io.keyvalueserve.hazelcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.restart.WhileLoading;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A member that has started and has not read the keys either. */
final class ServeBeforeKeysTest extends ServeWhileLoadingTest {
  @Override
  long keysFirstBelow() {
    return 0;
  }

  @Test
  void anIndexHasWhatWasNotKnownWhenItWasMade() {
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, HazelcastJsonValue> map = client.getMap("indexed");
      map.addIndex(new IndexConfig(IndexType.SORTED, "age"));
      for (int i = 0; i < 300; i++) {
        map.set(i, new HazelcastJsonValue("{\"age\":" + i % 10 + "}"));
      }
      client.shutdown();
    }
    try (DoorMember member = member(WhileLoading.WAIT)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, HazelcastJsonValue> map = client.getMap("indexed");
      map.set(3, new HazelcastJsonValue("{\"age\":77}"));
      map.delete(13);
      held.countDown();
      assertThat(map.keySet(Predicates.equal("age", 3))).hasSize(28);
      assertThat(map.keySet(Predicates.equal("age", 77))).containsExactly(3);
      awaitLoaded(member);
      assertThat(map.keySet(Predicates.equal("age", 3))).hasSize(28);
      client.shutdown();
    }
  }

  @Test
  void valuesInFilesOfTheirOwnAreKept() {
    Map<String, byte[]> large = new HashMap<>();
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, byte[]> map = client.getMap("large");
      for (int i = 0; i < 12; i++) {
        large.put("key-" + i, new byte[300_000 + i]);
        map.set("key-" + i, new byte[10]);
        map.set("key-" + i, requireNonNull(large.get("key-" + i)));
      }
      map.set("key-0", new byte[5]);
      large.put("key-0", new byte[5]);
      client.shutdown();
    }
    for (int round = 0; round < 2; round++) {
      try (DoorMember member = member(WhileLoading.WAIT)) {
        HazelcastInstance client = member.client(TENANT);
        IMap<String, byte[]> map = client.getMap("large");
        large.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        assertThat(map.size()).isEqualTo(large.size());
        held.countDown();
        awaitLoaded(member);
        large.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        client.shutdown();
      }
    }
  }

  @Test
  void whatExpiresBeforeItIsKnownDoesNotComeBack() {
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      map.set("short", "older");
      map.set("short", "gone", 1, TimeUnit.SECONDS);
      map.set("long", "here", 1, TimeUnit.HOURS);
      client.shutdown();
    }
    try (DoorMember member = member(WhileLoading.WAIT)) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("orders");
      await().until(() -> !map.containsKey("short"));
      assertThat(map.get("long")).isEqualTo("here");
      assertThat(map.getEntryView("long").getExpirationTime()).isLessThan(Long.MAX_VALUE);
      held.countDown();
      awaitLoaded(member);
      assertThat(map.get("short")).isNull();
      assertThat(map.get("key-1")).isEqualTo("value-1");
      client.shutdown();
    }
  }

  /** Its maps go before its loader does; nothing may be concluded from their being gone. */
  @Test
  void aMemberThatIsTerminatedBeforeItKnowsItsKeysHasLostNothing() {
    Map<String, String> large = new HashMap<>();
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      for (int i = 0; i < 20_000; i++) {
        large.put("key-" + i, "value-" + i + "-".repeat(800));
      }
      client.getMap("large").putAll(large); // some chunks of the log
      client.shutdown();
    }
    try (DoorMember member = member(WhileLoading.WAIT)) {
      assertThat(progress(member).done()).isFalse();
      assertThat(Hazelcast.getAllHazelcastInstances()).hasSize(1);
      Hazelcast.getAllHazelcastInstances()
          .forEach(instance -> instance.getLifecycleService().terminate());
      held.countDown();
      await().until(() -> !isLoading());
    }
    try (DoorMember member = new DoorMember(config(WhileLoading.WAIT, map -> false))) {
      HazelcastInstance client = member.client(TENANT);
      awaitLoaded(member);
      assertThat(contents(client.getMap("large"))).isEqualTo(large);
      client.shutdown();
    }
  }

  private static boolean isLoading() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("kvs-load") && thread.isAlive());
  }
}
