package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.client.config.ClientConfig;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Goal: members that are asked to end (SIGTERM) come back with what they had, one after the other
 * under load and all at once. Method: two processes, which the tests share.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RestartAcceptanceTest {
  private static final int SIZE = 2;
  private static final String MAP = "restarted";
  private static final int WRITES = 500;
  private static final Duration SETTLING = Duration.ofSeconds(60);

  private final KvsCluster cluster = KvsCluster.start("restart", SIZE);
  private final Tenant tenant = cluster.member(0).admin().createTenant("restart-acme");
  private final Map<String, String> written = new HashMap<>();

  @AfterAll
  void end() {
    cluster.close();
  }

  @Test
  @Order(1)
  void noRequestFailsWhileOneMemberAfterTheOtherIsRestarted() {
    ClientConfig config =
        HazelcastClients.config(cluster.member(0).clientAddress(), tenant, SETTLING);
    config.getNetworkConfig().setRedoOperation(true); // a connection may end with writes under way
    try (Connection hazelcast = HazelcastClients.connect(config)) {
      List<Writer> writers =
          List.of(
              Writer.overResp("resp", cluster.members(), tenant, MAP),
              Writer.overHazelcast("hazelcast", hazelcast.client(), MAP));
      try {
        for (KvsProcess member : cluster.members()) {
          Writer.awaitMore(writers, WRITES);
          assertThat(member.terminate()).as("exit code, see %s", member.tail()).isZero();
          Writer.awaitMore(writers, WRITES);
          cluster.repair();
          member.admin().awaitSafe(SETTLING);
        }
        Writer.awaitMore(writers, WRITES);
      } finally {
        writers.forEach(Writer::close);
      }
      for (Writer writer : writers) {
        assertThat(writer.failures()).isEmpty();
        written.putAll(writer.acknowledged());
      }
    }
    requireWritten();
  }

  @Test
  @Order(2)
  void whatAllHadIsThereWhenAllWereAskedToEndAtOnce() {
    cluster.members().forEach(KvsProcess::askToEnd);
    for (KvsProcess member : cluster.members()) {
      assertThat(member.awaitExit()).as("exit code, see %s", member.tail()).isZero();
    }
    cluster.repair();
    requireWritten();
    for (KvsProcess member : cluster.members()) {
      await("all is loaded")
          .atMost(SETTLING)
          .until(() -> member.admin().loading().path("done").asBoolean());
      JsonNode loading = member.admin().loading();
      assertThat(loading.path("records")).isEqualTo(loading.path("totalRecords"));
    }
    requireWritten();
    cluster.member(0).admin().awaitSafe(SETTLING);
  }

  private void requireWritten() {
    assertThat(written).hasSizeGreaterThan(SIZE * WRITES);
    for (KvsProcess member : cluster.members()) {
      assertThat(RedisDoor.missing(member, tenant, MAP, written)).as("lost").isEmpty();
    }
  }
}
