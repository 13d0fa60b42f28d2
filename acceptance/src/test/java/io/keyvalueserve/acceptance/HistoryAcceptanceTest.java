package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Goal: the history of a tenant is that of all members, and it survives a member and a restart, as
 * alerts do. Method: two members with data, a client of each; the oldest one, which notes alerts
 * about tenants, is killed, and later both are restarted.
 */
class HistoryAcceptanceTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String TENANT = "history-acme";
  private static final int WRITES = 60;

  /** The limit of entries. The writes take more than 90 % of it. */
  private static final int LIMIT = 66;

  @Test
  void historyAndAlertsSurviveAMemberAndARestart() {
    try (KvsCluster cluster = KvsCluster.start("history", 2, HistoryAcceptanceTest::tellingOften)) {
      KvsProcess oldest = cluster.member(0);
      KvsProcess other = cluster.member(1);
      Tenant tenant = oldest.admin().createTenant(TENANT);
      oldest.admin().setQuota(tenant, "{\"entries\":" + LIMIT + "}");
      String from = Instant.now().minus(Duration.ofMinutes(5)).toString();
      for (KvsProcess member : cluster.members()) {
        write(member, tenant);
      }
      await("all members tell of their last seconds")
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                JsonNode recent = history(other, "step=10s&from=" + from);
                assertThat(sum(recent, "writesPerSecond") * 10)
                    .isBetween(1.9 * WRITES, 2.1 * WRITES);
                assertThat(last(recent, "entries")).isEqualTo(WRITES);
                assertThat(recent.path("silent")).isEmpty();
              });
      await("the alert is noted")
          .atMost(PATIENCE)
          .until(() -> !alert(other).isMissingNode() && !alert(other).has("until"));
      String since = alert(other).path("since").asText();
      awaitMinutes(other, from);
      oldest.admin().awaitSafe(PATIENCE);
      JsonNode before = minutes(other, from);

      oldest.kill();
      await("the cluster goes on")
          .atMost(PATIENCE)
          .until(() -> other.admin().members() == 1 && other.admin().isReady());
      requirePrefix(minutes(other, from), before);
      assertThat(alert(other).path("since").asText()).isEqualTo(since);
      try (Jedis jedis = RedisDoor.jedis(other, tenant, "stock")) {
        await("the other one has taken over")
            .atMost(PATIENCE)
            .until(() -> alert(other).path("member").asText().equals(other.memberAddress()));
        assertThat(alert(other).path("since").asText()).as("it goes on").isEqualTo(since);
        assertThat(jedis.flushDB()).isEqualTo("OK");
      }
      await("the alert ends").atMost(PATIENCE).until(() -> alert(other).has("until"));
      cluster.repair();
      other.admin().awaitSafe(PATIENCE);

      cluster.restart();
      requirePrefix(minutes(oldest, from), before);
      await("the alert is there after the restart")
          .atMost(PATIENCE)
          .until(() -> alert(oldest).has("until"));
      assertThat(alert(oldest).path("since").asText()).isEqualTo(since);
      assertThat(oldest.kvs("tenant", "history", TENANT, "--since", from, "--step", "1m", "--csv"))
          .contains("at,operationsPerSecond,")
          .contains(before.path("points").path(0).path("at").asText());
    }
  }

  private static void write(KvsProcess member, Tenant tenant) {
    try (Jedis jedis = RedisDoor.jedis(member, tenant, "stock")) {
      for (int i = 0; i < WRITES; i++) {
        assertThat(jedis.set("k" + i, "value")).isEqualTo("OK");
      }
    }
  }

  private static List<String> tellingOften(KvsProcess member) {
    Path config = member.folder().resolve("history.yaml");
    try {
      Files.writeString(config, "usage:\n  interval-seconds: 1\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("--config", config.toString());
  }

  private static JsonNode history(KvsProcess member, String query) {
    return member.admin().ofTenant(TENANT, "history?" + query);
  }

  private static JsonNode minutes(KvsProcess member, String from) {
    return history(member, "step=1m&series=writesPerSecond&from=" + from);
  }

  private static void awaitMinutes(KvsProcess member, String from) {
    await("the minute is over and told")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(sum(minutes(member, from), "writesPerSecond") * 60)
                    .isBetween(1.99 * WRITES, 2.01 * WRITES));
  }

  private static void requirePrefix(JsonNode now, JsonNode before) {
    assertThat(now.path("points")).hasSizeGreaterThanOrEqualTo(before.path("points").size());
    for (int i = 0; i < before.path("points").size(); i++) {
      assertThat(now.path("points").path(i)).isEqualTo(before.path("points").path(i));
    }
  }

  private static double sum(JsonNode history, String series) {
    double sum = 0;
    for (JsonNode point : history.path("points")) {
      sum += point.path(series).asDouble();
    }
    return sum;
  }

  private static double last(JsonNode history, String series) {
    JsonNode points = history.path("points");
    return points.path(points.size() - 1).path(series).asDouble();
  }

  /** Returns the alert about entries, or a missing node. */
  private static JsonNode alert(KvsProcess member) {
    for (JsonNode each : member.admin().alerts().path("alerts")) {
      if (each.path("id").asText().equals("entries " + TENANT)) {
        return each;
      }
    }
    return MissingNode.getInstance();
  }
}
