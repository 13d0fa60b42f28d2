package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.config.IndexType;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.grid.restart.Durability;
import io.keyvalueserve.grid.restart.RestartConfig;
import io.keyvalueserve.maps.ChargedTo;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.Quota;
import io.keyvalueserve.tenancy.TenantName;
import io.keyvalueserve.tenancy.grant.Rights;
import io.keyvalueserve.tenancy.grant.Scope;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One member that comes back from its own disk. */
final class RestartTest {
  private static final String TENANT = "acme";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  private RestartConfig config(Durability durability) {
    return Restarts.in(directory, durability);
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"EVERYSEC", "ALWAYS"})
  void whatWasThereIsThereAgain(Durability durability) {
    Map<String, String> model = new HashMap<>();
    Random random = new Random(4711);
    for (int round = 0; round < 3; round++) {
      try (DoorMember member = new DoorMember(config(durability))) {
        HazelcastInstance client = member.client(TENANT);
        IMap<String, String> map = client.getMap("orders");
        assertThat(contents(map)).isEqualTo(model);
        change(map, model, random);
        assertThat(contents(map)).isEqualTo(model);
        client.shutdown();
      }
    }
  }

  private static void change(IMap<String, String> map, Map<String, String> model, Random random) {
    for (int i = 0; i < 600; i++) {
      String key = "key-" + random.nextInt(200);
      String value = "v".repeat(random.nextInt(300)) + i;
      switch (random.nextInt(6)) {
        case 0 -> {
          map.remove(key);
          model.remove(key);
        }
        case 1 -> {
          map.set(key, value, 1, TimeUnit.HOURS);
          model.put(key, value);
        }
        case 2 -> {
          map.putAll(Map.of(key, value, "other-" + key, value));
          model.put(key, value);
          model.put("other-" + key, value);
        }
        default -> {
          map.put(key, value);
          model.put(key, value);
        }
      }
    }
  }

  private static Map<String, String> contents(IMap<String, String> map) {
    Map<String, String> contents = new HashMap<>();
    map.entrySet().forEach(entry -> contents.put(entry.getKey(), entry.getValue()));
    return contents;
  }

  @RepeatedTest(4) // the partition table must not be kept as the member takes it down
  void whatWasClearedOrDestroyedStaysSo() {
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      for (String name : new String[] {"cleared", "destroyed", "kept"}) {
        for (int i = 0; i < 1_000; i++) {
          client.getMap(name).set("key-" + i, "value");
        }
      }
      client.getMap("cleared").clear();
      client.getMap("cleared").set("again", "yes");
      client.getMap("destroyed").destroy();
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      assertThat(client.getMap("cleared").entrySet()).hasSize(1);
      assertThat(client.getMap("destroyed").size()).isZero();
      assertThat(client.getMap("kept").size()).isEqualTo(1_000);
      client.shutdown();
    }
  }

  @Test
  void entriesStayThoseOfWhoWroteThem() {
    QualifiedName map = new QualifiedName(new TenantName(TENANT), new MapName("orders"));
    try (DoorMember member = new DoorMember(config(Durability.ALWAYS))) {
      var _ = member.member.mapSettings().setChargedTo(map, ChargedTo.WRITER, PATIENCE);
      member.grant(TENANT, "orders", "globex", Map.of(Scope.MAP, Rights.ALL));
      HazelcastInstance own = member.client(TENANT);
      HazelcastInstance granted = member.client("globex");
      for (int i = 0; i < 30; i++) {
        own.getMap("orders").set("key-" + i, "value");
      }
      for (int i = 20; i < 50; i++) {
        granted.getMap(map.toString()).set("key-" + i, "value");
      }
      assertCharged(member, 20, 30);
      own.shutdown();
      granted.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.ALWAYS))) {
      member.quota(TENANT, Quota.USUAL);
      await().untilAsserted(() -> assertCharged(member, 50, 0));
      member.quota("globex", Quota.USUAL);
      await().untilAsserted(() -> assertCharged(member, 20, 30));
      HazelcastInstance own = member.client(TENANT);
      own.getMap("orders").set("key-40", "another");
      assertCharged(member, 21, 29);
      own.getMap("orders").clear();
      assertCharged(member, 0, 0);
      own.shutdown();
    }
  }

  private static void assertCharged(DoorMember member, int owners, int writers) {
    assertThat(member.admissions.usage(TENANT).entriesHere()).isEqualTo(owners);
    assertThat(member.admissions.usage("globex").entriesHere()).isEqualTo(writers);
  }

  @Test
  void timesOfExpiryAreKept() {
    long expires;
    long idles;
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("sessions");
      map.set("long", "value", 1, TimeUnit.HOURS);
      map.set("short", "value", 1, TimeUnit.SECONDS);
      map.set("idle", "value", 0, TimeUnit.SECONDS, 1, TimeUnit.HOURS);
      map.set("changed", "value", 1, TimeUnit.SECONDS);
      map.setTtl("changed", 2, TimeUnit.HOURS);
      map.set("kept", "value", 1, TimeUnit.SECONDS);
      map.setTtl("kept", 0, TimeUnit.SECONDS);
      map.set("left", "value", 1, TimeUnit.HOURS);
      map.setTtl("left", 0, TimeUnit.SECONDS);
      map.set("left", "another");
      map.setTtl("left", 1, TimeUnit.SECONDS);
      idles = map.getEntryView("idle").getExpirationTime();
      await().until(() -> !map.containsKey("left"));
      expires = map.getEntryView("long").getExpirationTime();
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, String> map = client.getMap("sessions");
      assertThat(map.getEntryView("long").getExpirationTime()).isEqualTo(expires);
      assertThat(map.get("changed")).isEqualTo("value");
      assertThat(map.get("kept")).isEqualTo("value");
      assertThat(map.containsKey("left")).isFalse();
      assertThat(map.getEntryView("idle").getExpirationTime())
          .as("what it was used for meanwhile is not in the log")
          .isGreaterThan(idles);
      assertThat(map.get("idle")).isEqualTo("value");
      await().until(() -> !map.containsKey("short"));
      client.shutdown();
    }
  }

  @Test
  void aMapWithoutDurabilityBeginsEmpty() {
    try (DoorMember member = new DoorMember(config(Durability.NONE))) {
      HazelcastInstance client = member.client(TENANT);
      client.getMap("cache").set("key", "value");
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.NONE))) {
      HazelcastInstance client = member.client(TENANT);
      assertThat(client.getMap("cache").size()).isZero();
      client.shutdown();
    }
  }

  @Test
  void aDirectoryInUseIsRefused() {
    try (DoorMember _ = new DoorMember(config(Durability.EVERYSEC))) {
      assertThatThrownBy(() -> new DoorMember(config(Durability.EVERYSEC)).close())
          .hasMessageContaining("in use")
          .hasMessageContaining(directory.toString());
    }
  }

  /** Values that no member reads are kept, and an index over them does not end a start. */
  @Test
  void aMemberStartsOverValuesThatItDoesNotRead() {
    List<Object> unreadable = new ArrayList<>();
    List<Object> deep = unreadable;
    for (int i = 0; i < 100; i++) {
      List<Object> inner = new ArrayList<>();
      deep.add(inner);
      deep = inner;
    }
    try (DoorMember member = new DoorMember(config(Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, Object> map = client.getMap("hostile");
      map.addIndex(IndexType.SORTED, "this");
      map.set("plain", "v");
      map.set("deep", unreadable);
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.ALWAYS))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<String, Object> map = client.getMap("hostile");
      assertThat(map.keySet(Predicates.equal("this", "v"))).containsExactly("plain");
      assertThat(map.get("deep")).isEqualTo(unreadable);
      client.shutdown();
    }
  }

  @Test
  void anIndexThatIsMadeAgainFindsWhatWasThere() {
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, Integer> map = client.getMap("numbers");
      for (int i = 0; i < 1_000; i++) {
        map.set(i, i % 10);
      }
      client.shutdown();
    }
    try (DoorMember member = new DoorMember(config(Durability.EVERYSEC))) {
      HazelcastInstance client = member.client(TENANT);
      IMap<Integer, Integer> map = client.getMap("numbers");
      map.addIndex(
          new com.hazelcast.config.IndexConfig(com.hazelcast.config.IndexType.SORTED, "this"));
      assertThat(map.keySet(Predicates.equal("this", 7))).hasSize(100);
      client.shutdown();
    }
  }
}
