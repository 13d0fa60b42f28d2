package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/**
 * Goal: a snapshot has all that was acknowledged before it began, also if a member is killed
 * meanwhile, and another cluster restores it when the first one is lost. Method: three real members
 * with one directory, writers, and commands of an operator.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SnapshotAcceptanceTest {
  private static final int SIZE = 3;
  private static final int ENTRIES = 60_000;
  private static final int AT_ONCE = 2_000;
  private static final String VALUE = "v".repeat(200);
  private static final String MAP = "orders";
  private static final String WRITTEN = "written";
  private static final Duration SETTLING = Duration.ofSeconds(90);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path repository = Scratch.newFolder("snapshot-repository");
  private KvsCluster cluster;
  private Tenant tenant;

  @BeforeAll
  void start() {
    cluster =
        KvsCluster.start("snapshot", SIZE, member -> List.of("--snapshots", "file:" + repository));
    tenant = cluster.member(0).admin().createTenant("acme");
  }

  @AfterAll
  void end() {
    cluster.close();
    Scratch.delete(repository);
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void nothingThatWasAcknowledgedBeforeIsMissingElsewhere() {
    KvsProcess first = cluster.member(0);
    first.admin().awaitSafe(SETTLING);
    fill(first);
    Map<String, String> before;
    String snapshot;
    try (Writer one = Writer.overResp("one", List.of(first), tenant, WRITTEN);
        Writer two = Writer.overResp("two", List.of(cluster.member(1)), tenant, WRITTEN)) {
      Writer.awaitMore(List.of(one, two), 500);
      before = new HashMap<>(one.acknowledged());
      before.putAll(two.acknowledged());
      String job =
          json(first.kvs("snapshot", "create", "acme", "--no-wait", "--json")).path("id").asText();
      cluster.member(2).kill();
      Instant killed = Instant.now();
      JsonNode ended = ended(cluster.member(1), job);
      assertThat(ended.path("state").asText()).as(ended.toString()).isEqualTo("done");
      assertThat(Instant.parse(ended.path("endedAt").asText()))
          .as("the member was killed meanwhile")
          .isAfter(killed);
      snapshot = ended.path("snapshot").asText();
      Writer.awaitMore(List.of(one, two), 100);
    }
    assertThat(before).hasSizeGreaterThan(1_000);
    String verified = first.kvs("snapshot", "verify", "acme", snapshot);
    assertThat(verified).contains("is whole");

    try (KvsProcess other = KvsProcess.start("snapshot-other")) {
      Path key = other.folder().resolve("acme.key.json");
      String _ = first.kvs("snapshot", "key", "acme", "--out", key.toString());
      cluster.members().stream().filter(KvsProcess::isRunning).forEach(KvsProcess::kill);
      JsonNode restored =
          json(
              other.kvs(
                  "snapshot",
                  "restore",
                  "acme",
                  snapshot,
                  "--as",
                  "moved",
                  "--snapshot-key",
                  key.toString(),
                  "--from",
                  "file:" + repository,
                  "--json"));
      Tenant moved = new Tenant("moved", restored.path("key").asText());
      assertThat(RedisDoor.missing(other, moved, WRITTEN, before)).isEmpty();
      try (Jedis jedis = RedisDoor.jedis(other, moved, MAP)) {
        assertThat(jedis.dbSize()).isEqualTo(ENTRIES);
        assertThat(jedis.get("k" + (ENTRIES - 1))).isEqualTo(VALUE);
      }
    }
  }

  /** Enough that the snapshot takes longer than a member lives. */
  private void fill(KvsProcess member) {
    try (Jedis jedis = RedisDoor.jedis(member, tenant, MAP)) {
      for (int from = 0; from < ENTRIES; from += AT_ONCE) {
        try (Pipeline pipeline = jedis.pipelined()) {
          for (int i = from; i < from + AT_ONCE; i++) {
            var _ = pipeline.set("k" + i, VALUE);
          }
        }
      }
    }
  }

  private static JsonNode ended(KvsProcess member, String job) {
    return await("the snapshot is taken")
        .atMost(SETTLING)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> json(member.kvs("snapshot", "jobs", job, "--json")),
            state -> List.of("done", "failed").contains(state.path("state").asText()));
  }
}
