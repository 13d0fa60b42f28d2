package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.keyvalueserve.bench.IsolationServer.Subject;
import io.keyvalueserve.cli.KvsCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked for, and how it is told to other processes and to servers. */
class IsolationPlanTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rate 0",
        "--rate 200000",
        "--connections 0",
        "--rate 10 --connections 11",
        "--tenants 1",
        "--tenants 9",
        "--pipeline 0",
        "--pipeline 101",
        "--rounds 0",
        "--seconds 0",
        "--rehearsal 0",
        "--rehearsal 601",
        "--workload a",
        "--aggressors earthquake",
        "--subjects memcached",
        "--huge-value 65m",
        "--peers 15",
        "--peers 200001",
        "--peers-cpu 0",
        "--peers-cpu 101",
        "--memory 1m",
        "--subjects stock --limits",
        "--subjects stock --parts cost"
      })
  void refusesWhatCannotBeMeasured(String options) {
    String[] words = ("bench isolation " + options).split(" ", -1);
    assertThat(KvsCommand.run(words)).isEqualTo(2);
  }

  @Test
  void namesWhatCannotBeExpressed() {
    assertThat(Subject.REDIS.cannot(IsolationAggression.LOCKS, false)).contains("no locks");
    assertThat(Subject.REDIS.cannot(IsolationAggression.MGET, false)).isEmpty();
    assertThat(Subject.STOCK.cannot(IsolationAggression.MGET, true)).contains("no limits");
    assertThat(Subject.KVS.cannot(IsolationAggression.LOCKS, true)).isEmpty();
  }

  @Test
  void measuresThoseThatWereAskedForInAFixedOrder() {
    IsolationPlan plan = new IsolationPlan();
    plan.subjects = EnumSet.of(Subject.STOCK, Subject.KVS);
    assertThat(plan.subjects()).containsExactly(Subject.KVS, Subject.STOCK);
    plan.subjects = Set.of();
    assertThat(plan.subjects()).contains(Subject.KVS, Subject.KVS_HAZELCAST, Subject.STOCK);
  }

  @Test
  void hasAsManyPeersAsFilesSufficeFor() {
    IsolationPlan plan = new IsolationPlan();
    plan.peers = 100;
    assertThat(plan.peersThatFit()).isEqualTo(100);
    assertThat(plan.force(IsolationAggression.PEERS).connections()).isEqualTo(100);
    assertThat(Subject.STOCK.cannot(IsolationAggression.PEERS, false)).contains("four ports");
    assertThat(Subject.KVS.cannot(IsolationAggression.PEERS, false)).isEmpty();
  }

  @Test
  void hasTenTimesTheVictimsConnections() {
    assertThat(IsolationForce.of(IsolationAggression.CONNECTIONS, 16, 1).connections())
        .isEqualTo(160);
  }

  @ParameterizedTest
  @EnumSource(IsolationAggression.class)
  void tellsAnOrderToAnotherProcess(IsolationAggression kind) throws IOException {
    Login login = new Login(17, "kvs", "acme", "secret");
    IsolationOrder order =
        new IsolationOrder(
            "name",
            IsolationOrder.Step.PREPARE,
            kind,
            IsolationTarget.resp(login, 3, 100, 5),
            kind == IsolationAggression.LOCKS
                ? IsolationTarget.hazelcast(login, "acme/map", 100, 5)
                : null,
            Map.of(HostileDoor.RESP, 17, HostileDoor.MEMBER, 18),
            "/data",
            IsolationForce.of(kind, 16, 1 << 20),
            4);
    String line = JSON.writeValueAsString(List.of(order));
    assertThat(line).doesNotContain("\n");
    assertThat(JSON.readValue(line, IsolationOrder[].class)).containsExactly(order);
    assertThat(order.toString()).doesNotContain("secret");
  }

  @Test
  void namesOnlyLimitsThatThereAre() {
    assertThat(IsolationQuota.UNLIMITED.json()).isEmpty();
    JsonNode json = new IsolationQuota(5000, 0, 0, 0, 100, 50, 0).json();
    assertThat(json.toString())
        .isEqualTo("{\"operationsPerSecond\":5000,\"entries\":100,\"connections\":50}");
    JsonNode usual = IsolationQuota.ofAggressor(100_000, 100).json();
    assertThat(usual).hasSize(7);
    assertThat(usual.path("entries").asLong())
        .as("has room for what is there")
        .isGreaterThan(100_000);
  }

  @Test
  void setsAQuotaAndSaysSoIfTheServerCannot(@TempDir Path folder) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    List<String> requests = new ArrayList<>();
    server.createContext(
        "/api/v1/tenants/limited/quota",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          requests.add(
              exchange.getRequestMethod() + " " + new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(requests.size() == 1 ? 204 : 400, -1);
          exchange.close();
        });
    server.start();
    try (OwnApi api = new OwnApi(server.getAddress().getPort(), folder)) {
      api.setQuota("limited", new IsolationQuota(5, 0, 0, 0, 0, 0, 0));
      assertThat(requests).containsExactly("PUT {\"operationsPerSecond\":5}");
      assertThatThrownBy(() -> api.setQuota("limited", IsolationQuota.UNLIMITED))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("400");
      assertThatThrownBy(() -> api.setQuota("other", IsolationQuota.UNLIMITED))
          .isInstanceOf(BenchException.class)
          .hasMessageContaining("cannot limit tenants")
          .hasMessageContaining("run without --limits");
    } finally {
      server.stop(0);
    }
  }
}
