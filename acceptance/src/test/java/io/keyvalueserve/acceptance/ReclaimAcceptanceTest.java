package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;

/**
 * Goal: what does not fit into memory is not refused and not lost: it is on the disk, comes back
 * when it is read, and after a crash; who is over a quota gives up as the map says. Method: Redis
 * clients of several tenants on a member with little memory, which is killed in between.
 */
class ReclaimAcceptanceTest {
  private static final String MAP = "orders";
  private static final int VALUE_BYTES = 1_000;
  private static final int BATCH = 500;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void whatDoesNotFitIsOnTheDiskAndComesBackEvenAfterACrash() throws Exception {
    int count = 20_000; // of each of two tenants, together more than there is memory
    try (KvsProcess server = new KvsProcess("reclaim")) {
      server.launch("--memory", "32m", "--durability", "always");
      server.awaitReady();
      Tenant acme = server.admin().createTenant("reclaim-acme");
      Tenant beta = server.admin().createTenant("reclaim-beta");
      write(server, acme, 0, count);
      write(server, beta, 0, count);
      assertAllThere(server, acme, count);
      assertAllThere(server, beta, count);

      JsonNode reclaimed = reclaimed(server);
      assertThat(reclaimed.path("totals")).as(reclaimed.toPrettyString()).isNotEmpty();
      for (JsonNode total : reclaimed.path("totals")) {
        assertThat(total.path("tenant").asText()).isIn(acme.name(), beta.name());
        assertThat(total.path("action").asText()).isEqualTo("spill");
        assertThat(total.path("reason").asText()).isIn("less-active", "over-fair-share");
      }
      assertThat(reclaimed.path("spill").path("values").asLong()).isBetween(1L, 2L * count);
      assertThat(reclaimed.path("events").get(0).path("why").asText()).isNotEmpty();
      assertThat(server.kvs("memory", "--reclaimed")).contains("above 95 %", "over-fair-share");

      write(server, acme, count, count + 500); // what was spilled is in the log as well
      server.kill();
      server.launch("--memory", "32m", "--durability", "always");
      server.awaitReady();
      assertAllThere(server, acme, count + 500);
      assertAllThere(server, beta, count);
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  @Test
  void whoIsOverItsMemoryGivesUpAsTheMapSays() throws Exception {
    long quota = 2L << 20;
    int count = 6_000; // about three times the quota
    try (KvsProcess server = new KvsProcess("reclaim-quota")) {
      server.launch("--memory", "96m");
      server.awaitReady();
      Tenant spilling = tenant(server, "spilling", "spill", quota);
      write(server, spilling, 0, count);
      assertAllThere(server, spilling, count);
      awaitWithin(server, spilling, quota);

      Tenant evicting = tenant(server, "evicting", "evict", quota);
      write(server, evicting, 0, count);
      awaitWithin(server, evicting, quota);
      try (Jedis jedis = RedisDoor.jedis(server, evicting, MAP)) {
        assertThat(jedis.dbSize()).isBetween(1_000L, count / 2L);
        assertThat(jedis.get(key(count - 1))).isIn(value(evicting, count - 1), null);
      }

      Tenant refusing = tenant(server, "refusing", "refuse", quota);
      assertThatThrownBy(() -> write(server, refusing, 0, count))
          .hasMessageContaining("QUOTA")
          .hasMessageContaining("memory");
      assertThat(server.kvs("map", "show", refusing.name() + "/" + MAP))
          .containsPattern("over memory +refuse");
      JsonNode reclaimed = reclaimed(server);
      for (JsonNode total : reclaimed.path("totals")) {
        assertThat(total.path("reason").asText()).isEqualTo("over-quota");
        boolean spills = total.path("tenant").asText().equals(spilling.name());
        assertThat(total.path("action").asText()).isEqualTo(spills ? "spill" : "delete");
      }
      assertThat(reclaimed.path("totals")).as(reclaimed.toPrettyString()).hasSize(2);
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  @Test
  void whoFloodsTheMemoryTakesNothingFromWhoUsesItsOwn() throws Exception {
    int own = 2_500;
    int flooded = 40_000; // more than the memory
    int asked = BATCH / 20; // ten times less than the flood, with the writes
    try (KvsProcess server = new KvsProcess("reclaim-flood")) {
      server.launch("--memory", "32m");
      server.awaitReady();
      Tenant using = server.admin().createTenant("using");
      Tenant flooding = server.admin().createTenant("flooding");
      write(server, using, 0, own);
      for (int batch = 0; batch < flooded; batch += BATCH) {
        write(server, flooding, batch, batch + BATCH);
        int from = batch / BATCH * asked % own;
        write(server, using, from, from + asked);
        assertThere(server, using, from, from + asked);
      }
      JsonNode reclaimed = reclaimed(server);
      assertThat(reclaimed.path("totals")).as(reclaimed.toPrettyString()).isNotEmpty();
      for (JsonNode total : reclaimed.path("totals")) {
        assertThat(total.path("tenant").asText()).isEqualTo(flooding.name());
      }
      assertAllThere(server, using, own);
      assertAllThere(server, flooding, flooded);
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  /** Though its values go to the disk first: it has little, and is not what makes memory short. */
  @Test
  void whoIsLessActiveDoesNotWaitForWhoFloodsTheMemory() throws Exception {
    int own = 1_000; // a thirtieth of the memory
    int flooded = 50_000; // more than the memory
    int burst = 4 * BATCH; // more than fits between where memory is taken and where it is short
    try (KvsProcess server = new KvsProcess("reclaim-quiet")) {
      server.launch("--memory", "32m");
      server.awaitReady();
      Tenant busy = server.admin().createTenant("busy");
      Tenant quiet = server.admin().createTenant("quiet");
      Tenant flooding = server.admin().createTenant("flooding");
      write(server, busy, 0, own);
      write(server, quiet, 0, own);
      int written = 0;
      while (written < flooded
          || (written < 4 * flooded && !given(server).contains("quiet less-active"))) {
        assertAllThere(server, busy, own);
        flood(server, flooding, written, written + burst);
        write(server, quiet, 0, 1);
        written += burst;
      }
      JsonNode reclaimed = reclaimed(server);
      assertThat(given(server)).as(reclaimed.toPrettyString()).contains("quiet less-active");
      assertThat(reclaimed.path("held")).as(reclaimed.toPrettyString()).hasSize(1);
      assertThat(reclaimed.path("held").get(0).path("tenant").asText()).isEqualTo("flooding");
      assertThat(server.kvs("memory", "--reclaimed")).containsPattern("(?m)^flooding +\\d+ times$");
      assertAllThere(server, quiet, own);
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  /** Returns who gave up memory, and why. */
  private static List<String> given(KvsProcess server) throws IOException {
    List<String> given = new ArrayList<>();
    for (JsonNode total : reclaimed(server).path("totals")) {
      given.add(total.path("tenant").asText() + " " + total.path("reason").asText());
    }
    return given;
  }

  private static Tenant tenant(KvsProcess server, String name, String overMemory, long quota) {
    Tenant tenant = server.admin().createTenant(name);
    server.admin().setQuota(tenant, "{\"memoryBytes\":" + quota + "}");
    assertThat(server.kvs("map", "configure", name + "/" + MAP, "--over-memory", overMemory))
        .contains("over memory: " + overMemory);
    return tenant;
  }

  private static void awaitWithin(KvsProcess server, Tenant tenant, long quota) {
    await()
        .until(
            () -> server.admin().quota(tenant).path("usage").path("memoryBytes").asLong() <= quota);
  }

  private static void write(KvsProcess server, Tenant tenant, int from, int to) {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      for (int batch = from; batch < to; batch += BATCH) {
        List<Response<String>> answers = new ArrayList<>();
        try (Pipeline pipeline = jedis.pipelined()) {
          for (int i = batch; i < Math.min(to, batch + BATCH); i++) {
            answers.add(pipeline.set(key(i), value(tenant, i)));
          }
        }
        answers.forEach(answer -> assertThat(answer.get()).isEqualTo("OK"));
      }
    }
  }

  /** Over several connections at once, as one client may be slower than memory is taken back. */
  private static void flood(KvsProcess server, Tenant tenant, int from, int to) {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = from; i < to; i += BATCH) {
      int batch = i;
      writers.add(
          CompletableFuture.runAsync(
              () -> write(server, tenant, batch, Math.min(to, batch + BATCH)),
              task -> Thread.ofPlatform().start(task)));
    }
    writers.forEach(CompletableFuture::join);
  }

  private static void assertAllThere(KvsProcess server, Tenant tenant, int count) {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      assertThat(jedis.dbSize()).isEqualTo(count);
    }
    assertThere(server, tenant, 0, count);
  }

  private static void assertThere(KvsProcess server, Tenant tenant, int from, int to) {
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      for (int batch = from; batch < to; batch += BATCH) {
        List<Response<String>> answers = new ArrayList<>();
        try (Pipeline pipeline = jedis.pipelined()) {
          for (int i = batch; i < Math.min(to, batch + BATCH); i++) {
            answers.add(pipeline.get(key(i)));
          }
        }
        for (int i = 0; i < answers.size(); i++) {
          assertThat(answers.get(i).get()).isEqualTo(value(tenant, batch + i));
        }
      }
    }
  }

  private static String key(int i) {
    return "order:" + i;
  }

  private static String value(Tenant tenant, int i) {
    String own = tenant.name() + ":" + i + ":";
    return own.repeat(VALUE_BYTES / own.length() + 1).substring(0, VALUE_BYTES);
  }

  private static JsonNode reclaimed(KvsProcess server) throws IOException {
    return JSON.readTree(server.kvs("memory", "--reclaimed", "--json"));
  }
}
