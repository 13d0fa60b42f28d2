package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.hazelcast.map.IMap;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * Goal: a tenant is charged for exactly what its clients did, whichever door they took, through a
 * restart; and a member that is killed takes with it what it had not told, and nothing else.
 */
class MeteringAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void clientsAreChargedForWhatTheyDidThroughRestartAndKill() throws IOException {
    try (KvsProcess server = new KvsProcess("metering")) {
      Path config = server.folder().resolve("metering.yaml");
      Files.writeString(config, "usage:\n  interval-seconds: 1\n");
      server.launch("--config", config.toString());
      server.awaitReady();
      Tenant tenant = server.admin().createTenant("metered");
      useRedis(server, tenant);
      useHazelcast(server, tenant);
      useHttp(server, tenant);
      await("what a queue keeps is told")
          .atMost(PATIENCE)
          .until(() -> quantity(usageOf(server, ""), "residentByteSeconds") > 100_000);
      assertThat(server.terminate()).as("exit code, see %s", server.tail()).isZero();

      server.launch("--config", config.toString());
      server.awaitReady();
      requireUsage(server, 700 + 300 + 5, 500 + 100 + 5, 40);
      useRedis(server, tenant);
      await("what was used is told")
          .atMost(PATIENCE)
          .untilAsserted(() -> requireUsage(server, 1_005 + 700, 605 + 500, 80));
      server.kill();

      server.launch("--config", config.toString());
      server.awaitReady();
      requireUsage(server, 1_705, 1_105, 80);
      assertThat(server.kvs("bill", "verify", "metered")).isNotBlank();
      JsonNode bill = server.admin().ofTenant("metered", "bill");
      assertThat(bill.path("head").path("entries").asInt()).isGreaterThan(2);
      assertThat(Double.parseDouble(bill.path("total").asText()))
          .as("memory was held: %s", bill)
          .isPositive();
    }
  }

  private static void useRedis(KvsProcess server, Tenant tenant) {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, "stock")) {
      try (Pipeline pipeline = jedis.pipelined()) {
        for (int i = 0; i < 500; i++) {
          var _ = pipeline.set("k" + i, "value");
        }
        for (int i = 0; i < 350; i++) {
          var _ = pipeline.mget("k" + i, "k" + (i + 1));
        }
        pipeline.sync();
      }
      for (int i = 0; i < 20; i++) {
        assertThat(jedis.del("k" + i, "none")).isEqualTo(1);
      }
    }
  }

  private static void useHazelcast(KvsProcess server, Tenant tenant) {
    try (Connection hazelcast = HazelcastClients.connect(server, tenant)) {
      IMap<String, String> stock = hazelcast.client().getMap("stock");
      for (int i = 0; i < 100; i++) {
        stock.set("h" + i, "value");
        assertThat(stock.get("h" + i)).isEqualTo("value");
        assertThat(stock.getAll(Set.of("h" + i, "none"))).hasSize(1);
      }
      assertThat(hazelcast.client().<byte[]>getQueue("jobs").offer(new byte[100_000])).isTrue();
    }
  }

  private static void useHttp(KvsProcess server, Tenant tenant) {
    for (int i = 0; i < 5; i++) {
      String key = "http-" + i;
      byte[] value = "value".getBytes(UTF_8);
      assertThat(server.admin().entry("PUT", tenant, "stock", key, value).statusCode())
          .isEqualTo(201);
      assertThat(server.admin().entry("GET", tenant, "stock", key, new byte[0]).body())
          .isEqualTo(value);
    }
  }

  private static void requireUsage(KvsProcess server, long reads, long writes, long deletes) {
    JsonNode stock = usageOf(server, "metered/stock");
    assertThat(quantity(stock, "reads")).as("reads: %s", stock).isEqualTo(reads);
    assertThat(quantity(stock, "writes")).as("writes: %s", stock).isEqualTo(writes);
    assertThat(quantity(stock, "deletes")).as("deletes: %s", stock).isEqualTo(deletes);
  }

  private static JsonNode usageOf(KvsProcess server, String map) {
    JsonNode groups = server.admin().ofTenant("metered", "usage?by=map").path("usage");
    return StreamSupport.stream(groups.spliterator(), false)
        .filter(group -> group.path("group").asText().equals(map))
        .map(group -> group.path("quantities"))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static long quantity(JsonNode quantities, String name) {
    return Long.parseLong(quantities.path(name).asText("0"));
  }
}
