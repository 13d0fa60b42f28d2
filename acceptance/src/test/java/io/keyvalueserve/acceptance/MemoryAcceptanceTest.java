package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Goal: an operator sees where memory goes, and a full member refuses what it cannot keep and
 * nothing else. Method: a member with two small files as its memory, filled by a Redis client.
 */
class MemoryAcceptanceTest {
  private static final String MAP = "orders";
  private static final long POOL_BYTES = 24L << 20;
  private static final int VALUE_BYTES = 1_000;
  private static final int BATCH = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void aMemberFillsUpToItsPoolsRefusesMoreAndGivesAllBack() throws Exception {
    try (KvsProcess server = new KvsProcess("memory")) {
      Path first = Files.createDirectory(server.folder().resolve("first"));
      Path second = Files.createDirectory(server.folder().resolve("second"));
      server.launch(
          "--spill", "none", "--config", config(server.folder(), first, second).toString());
      server.awaitReady();
      assertThat(server.tail())
          .contains("tier both (round-robin), pool both-1: 24 MiB of kind file, " + first)
          .contains("tier both (round-robin), pool both-2: 24 MiB of kind file, " + second);
      Tenant tenant = server.admin().createTenant("memory-acme");
      JsonNode empty = memory(server);
      assertThat(empty.path("capacityBytes").asLong()).isEqualTo(2 * POOL_BYTES);
      assertThat(empty.path("maps")).noneMatch(map -> map.path("map").asText().equals(MAP));

      try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
        List<String> written = fill(jedis);
        JsonNode full = memory(server);
        assertThat(full.path("refusals").asLong()).isPositive();
        for (JsonNode pool : full.path("tiers").get(0).path("pools")) {
          assertThat(pool.path("usedBytes").asLong())
              .as(full.toPrettyString())
              .isGreaterThan(POOL_BYTES * 8 / 10)
              .isLessThanOrEqualTo(POOL_BYTES);
        }
        JsonNode map = map(full);
        assertThat(map.path("tenant").asText()).isEqualTo(tenant.name());
        assertThat(map.path("entries").asLong()).isEqualTo(written.size());
        assertThat(map.path("backupEntries").asLong()).isZero();
        assertThat(map.path("bytes").asLong()).isGreaterThan((long) written.size() * VALUE_BYTES);
        assertThat(full.path("tenants").get(0).path("bytes")).isEqualTo(map.path("bytes"));
        assertThat(server.kvs("memory")).contains(tenant.name(), MAP, "both-2", "file");

        assertThat(jedis.get(written.getFirst())).hasSize(VALUE_BYTES);
        assertThat(jedis.get(written.getLast())).hasSize(VALUE_BYTES);
        assertThat(jedis.dbSize()).isEqualTo(written.size());

        delete(jedis, written);
        server.kvs("memory", "--return");
        JsonNode drained = memory(server);
        assertThat(map(drained).path("entries").asLong()).isZero();
        assertThat(map(drained).path("bytes").asLong()).isLessThan(POOL_BYTES / 10);
        assertThat(drained.path("usedBytes").asLong())
            .as(drained.toPrettyString())
            .isLessThan(empty.path("usedBytes").asLong() + POOL_BYTES / 4);

        jedis.set("again", "yes");
        assertThat(jedis.get("again")).isEqualTo("yes");
      }
      assertThat(server.terminate()).as(server.tail()).isZero();
      assertThat(first).isEmptyDirectory();
      assertThat(second).isEmptyDirectory();
    }
  }

  @Test
  void aPoolThatCannotBeOpenedKeepsTheServerFromStartingAndIsNamed() throws Exception {
    try (KvsProcess server = new KvsProcess("memory-none")) {
      Path file =
          Files.writeString(
              server.folder().resolve("kvs.yaml"),
              "memory: {tiers: [{name: far, pools: [{kind: numa, nodes: [999], size: 1m}]}]}");
      server.launch("--config", file.toString());
      assertThat(server.awaitExit()).isEqualTo(1);
      assertThat(server.tail()).contains("pool 'far-1' names NUMA node 999");
    }
  }

  private static Path config(Path folder, Path first, Path second) throws IOException {
    return Files.writeString(
        folder.resolve("kvs.yaml"),
        """
        memory:
          tiers:
            - name: both
              pools:
                - { kind: file, path: %s, size: 24m }
                - { kind: file, path: %s, size: 24m }
        """
            .formatted(first, second));
  }

  /** Writes until the member refuses; returns the keys it took. */
  private static List<String> fill(Jedis jedis) {
    String value = "v".repeat(VALUE_BYTES);
    List<String> written = new ArrayList<>();
    long most = 2 * POOL_BYTES / VALUE_BYTES;
    boolean refused = false;
    for (int from = 0; !refused && from <= most; from += BATCH) {
      List<Response<String>> answers = new ArrayList<>();
      try (Pipeline pipeline = jedis.pipelined()) {
        for (int i = from; i < from + BATCH; i++) {
          answers.add(pipeline.set("order:" + i, value));
        }
      }
      for (int i = 0; i < BATCH; i++) {
        Response<String> answer = answers.get(i);
        try {
          assertThat(answer.get()).isEqualTo("OK");
          written.add("order:" + (from + i));
        } catch (JedisDataException e) {
          assertThat(e).hasMessageStartingWith("OOM ");
          refused = true;
        }
      }
    }
    assertThat(refused).as("the member takes no more than it has").isTrue();
    assertThatThrownBy(() -> jedis.set("large", "v".repeat((int) POOL_BYTES)))
        .hasMessageStartingWith("OOM ");
    return written;
  }

  private static void delete(Jedis jedis, List<String> keys) {
    for (int from = 0; from < keys.size(); from += BATCH) {
      List<String> some = keys.subList(from, Math.min(keys.size(), from + BATCH));
      assertThat(jedis.del(some.toArray(String[]::new))).isEqualTo(some.size());
    }
  }

  private static JsonNode memory(KvsProcess server) throws IOException {
    return JSON.readTree(server.kvs("memory", "--json"));
  }

  private static JsonNode map(JsonNode memory) {
    for (JsonNode map : memory.path("maps")) {
      if (map.path("map").asText().equals(MAP)) {
        return map;
      }
    }
    throw new AssertionError("there is no such map: " + memory.toPrettyString());
  }
}
