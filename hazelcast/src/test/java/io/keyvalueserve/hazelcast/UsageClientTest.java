package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.multimap.MultiMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.gates.TenantMeters;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: Hazelcast clients are charged for exactly what they did, on the short way and the long. */
class UsageClientTest {
  private final Map<String, Map<Measure, Long>> charged = new HashMap<>();

  private void flush(DoorMember member) {
    for (UsageEvent event : member.usage.flush(29_000_000)) {
      Map<Measure, Long> sums =
          charged.computeIfAbsent(
              event.identity().tenant() + ":" + event.identity().map(),
              name -> new EnumMap<>(Measure.class));
      event.quantities().toMap().forEach((measure, more) -> sums.merge(measure, more, Long::sum));
    }
  }

  private long charged(String map, Measure measure) {
    return charged.getOrDefault("acme:acme/" + map, Map.of()).getOrDefault(measure, 0L);
  }

  private long sum(Measure measure) {
    return charged.values().stream().mapToLong(sums -> sums.getOrDefault(measure, 0L)).sum();
  }

  @Test
  void everyOperationIsChargedOnceAsWhatItIs() {
    try (DoorMember member = new DoorMember()) {
      HazelcastInstance client = member.client("acme");
      IMap<String, Object> stock = client.getMap("stock");
      IMap<String, Object> orders = client.getMap("orders");
      for (int i = 0; i < 500; i++) {
        stock.set("k" + i, "v");
        orders.put("k" + i, "v");
        Object _ = stock.get("k" + i);
        Object _ = stock.containsKey("k" + i);
      }
      flush(member);
      Map<String, Object> _ = stock.getAll(Set.of("k1", "k2", "k3"));
      stock.putAll(Map.of("a", "1", "b", "2"));
      stock.delete("k1");
      Object _ = stock.remove("k2");
      stock.set("short", "v", 1, TimeUnit.HOURS);
      int _ = stock.size();
      Set<String> _ = stock.keySet(Predicates.alwaysTrue());
      stock.lock("k4");
      stock.unlock("k4");
      useStructures(client);
      TransactionContext transaction = client.newTransactionContext();
      transaction.beginTransaction();
      transaction.getMap("orders").set("in", "v");
      transaction.commitTransaction();
      client.shutdown();
      flush(member);
      assertThat(charged("stock", Measure.WRITES)).isEqualTo(500 + 2 + 1);
      assertThat(charged("stock", Measure.READS)).isEqualTo(1_000 + 3);
      assertThat(charged("stock", Measure.DELETES)).isEqualTo(2);
      assertThat(charged("stock", Measure.QUERIES)).isEqualTo(2);
      assertThat(charged("stock", Measure.LOCKS)).isEqualTo(2);
      assertThat(charged("orders", Measure.WRITES)).isEqualTo(500 + 1);
      assertThat(sum(Measure.TRANSACTIONS)).isEqualTo(1);
      assertThat(charged.get("acme:null"))
          .containsEntry(Measure.WRITES, 4L)
          .containsEntry(Measure.READS, 3L)
          .containsEntry(Measure.DELETES, 2L)
          .containsEntry(Measure.QUERIES, 1L)
          .containsEntry(Measure.LOCKS, 2L);
      assertThat(sum(Measure.BYTES_IN)).isEqualTo(metered(member, true));
      assertThat(sum(Measure.BYTES_OUT)).isEqualTo(metered(member, false));
      // Each request on entries is timed once. The batches of getAll and putAll are one for each
      // partition, and locks, queues and the transaction's own messages are not among them.
      assertThat(timed(member)).isBetween(2_000L + 7, 2_000L + 3 + 2 + 8);
    }
  }

  private static long timed(DoorMember member) {
    return member.meters.latencies().values().stream()
        .mapToLong(meter -> meter.latencies().count())
        .sum();
  }

  private long bytesOutOfNoMap() {
    return charged.getOrDefault("acme:null", Map.of()).getOrDefault(Measure.BYTES_OUT, 0L);
  }

  private static void useStructures(HazelcastInstance client) {
    client.getQueue("jobs").add("job");
    Object _ = client.getQueue("jobs").peek();
    Object _ = client.getQueue("jobs").poll();
    client.getList("names").add("ada");
    Object _ = client.getList("names").get(0);
    boolean _ = client.getList("names").contains("ada");
    client.getSet("seen").add("ada");
    boolean _ = client.getSet("seen").remove("ada");
    MultiMap<String, String> tags = client.getMultiMap("tags");
    boolean _ = tags.put("k", "v");
    Object _ = tags.get("k");
    tags.lock("k");
    tags.unlock("k");
  }

  /** The long way: the answer does not say what it is about. */
  @Test
  void answersCountToTheMapThatTheyAreOf() {
    try (DoorMember member = new DoorMember()) {
      HazelcastInstance client = member.client("acme");
      IMap<String, String> stock = client.getMap("stock");
      String value = "v".repeat(1_000);
      for (int i = 0; i < 100; i++) {
        stock.set("k" + i, value);
      }
      UUID listener =
          stock.addEntryListener((EntryAddedListener<String, String>) event -> {}, true);
      flush(member);
      long apart = bytesOutOfNoMap();
      long before = charged("stock", Measure.BYTES_OUT);
      for (int i = 0; i < 20; i++) {
        assertThat(stock.values(Predicates.alwaysTrue())).hasSize(100);
      }
      flush(member);
      assertThat(charged("stock", Measure.BYTES_OUT) - before).isBetween(2_000_000L, 2_200_000L);
      stock.set("heard", value); // its event is of no map
      await()
          .untilAsserted(
              () -> {
                flush(member);
                assertThat(bytesOutOfNoMap() - apart).isGreaterThan(1_000L);
              });
      assertThat(stock.removeEntryListener(listener)).isTrue();
      client.shutdown();
      flush(member);
      assertThat(sum(Measure.BYTES_OUT)).isEqualTo(metered(member, false));
    }
  }

  private static long metered(DoorMember member, boolean in) {
    return member.meters.readings().stream()
        .mapToLong(in ? TenantMeters.Reading::bytesIn : TenantMeters.Reading::bytesOut)
        .sum();
  }

  @Test
  void whatIsRefusedIsNotCharged() {
    try (DoorMember member = new DoorMember()) {
      HazelcastInstance client = member.client("acme");
      IMap<String, Object> foreign = client.getMap("mine");
      foreign.set("k", "v");
      HazelcastInstance other = member.client("globex");
      assertThatThrownBy(() -> other.getMap("acme/mine").get("k")).hasMessageContaining("globex");
      other.shutdown();
      client.shutdown();
      flush(member);
      assertThat(charged.get("globex:acme/mine")).isNull();
      assertThat(charged.get("globex:null")).containsKey(Measure.REFUSED);
      assertThat(charged("mine", Measure.WRITES)).isEqualTo(1);
    }
  }
}
