package io.keyvalueserve.grid.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.tenancy.TenantMeters;
import io.keyvalueserve.tenancy.metering.Measure;
import io.keyvalueserve.tenancy.metering.UsageEvent;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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
      client.getQueue("jobs").add("job");
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
      assertThat(charged.get("acme:null")).containsEntry(Measure.WRITES, 1L);
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
