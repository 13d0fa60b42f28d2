package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Goal: how long requests took is told by tenant, door and member, of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LatencyDoorTest {
  private static final int REQUESTS = 20;

  private HttpServerUnderTest server;
  private String key;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server =
        HttpServerUnderTest.start(
            Map.of("data", directory.resolve("data").toString(), "member-name", "alpha"));
    key = server.tenant("acme");
    String _ = server.tenant("idle");
    for (int i = 0; i < REQUESTS; i++) {
      server
          .call(key, "PUT", "/api/v1/tenants/acme/maps/m/entries/k" + i, "v".repeat(1_000))
          .is(201);
    }
    server.call(key, "GET", "/api/v1/tenants/acme/maps/m/entries/none", "").is(404);
    redis("AUTH acme " + key, "PING");
  }

  private void redis(String... lines) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server().respPort())) {
      for (String line : lines) {
        socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        assertThat(socket.getInputStream().read()).isEqualTo('+');
        while (socket.getInputStream().read() != '\n') {
          // the rest of the reply's line
        }
      }
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private JsonNode tenant(JsonNode top, String name) {
    for (JsonNode each : top.path("tenants")) {
      if (each.path("tenant").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no tenant " + name + " in " + top);
  }

  private JsonNode top() {
    return server.operator("GET", "/api/v1/top", "").is(200).json();
  }

  private long counted(String door) {
    String series = "kvs_request_seconds_count{door=\"" + door + "\",tenant=\"acme\"} ";
    return server
        .operator("GET", "/metrics", "")
        .text()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> Long.parseLong(line.substring(series.length())))
        .findFirst()
        .orElse(0);
  }

  @Test
  void topTellsPercentilesOfTenantsDoorsAndMembers() {
    // A request right before each look: the window of ten seconds goes on meanwhile.
    await()
        .until(
            () -> {
              server.call(key, "GET", "/api/v1/tenants/acme/maps/m/entries/k1", "").is(200);
              return tenant(top(), "acme").at("/latency/doors").has("http");
            });
    JsonNode top = top();
    JsonNode latency = tenant(top, "acme").path("latency");

    assertThat(latency.path("requests").asLong()).isPositive();
    double[] rising = {
      0,
      latency.path("p50Millis").asDouble(),
      latency.path("p99Millis").asDouble(),
      latency.path("p999Millis").asDouble(),
      latency.path("maxMillis").asDouble()
    };
    assertThat(rising).isSorted();
    assertThat(rising[1]).isPositive();
    assertThat(tenant(top, "idle").has("latency")).isFalse();

    JsonNode member = top.path("members").get(0);
    assertThat(top.path("members")).hasSize(1);
    assertThat(member.path("name").asText()).isEqualTo("alpha");
    assertThat(member.path("state").asText()).isEqualTo("active");
    assertThat(member.path("partitions").asInt()).isEqualTo(271);
    assertThat(member.at("/latency/requests").asLong()).isPositive();
    assertThat(member.path("tiers").get(0).path("capacityBytes").asLong()).isPositive();
    assertThat(member.path("log").has("deadBytes")).isTrue();
  }

  @Test
  void aLogThatIsWrittenToSaysHowFast() {
    await()
        .until(
            () -> {
              String path = "/api/v1/tenants/acme/maps/m/entries/often";
              assertThat(server.call(key, "PUT", path, "v".repeat(9_000)).status())
                  .isBetween(201, 204);
              JsonNode log = top().path("members").get(0).path("log");
              return log.path("appendedBytesPerSecond").asLong() > 0;
            });
  }

  @Test
  void aTenantSeesItsOwnLatencyAndNoMembers() {
    JsonNode top = server.call(key, "GET", "/api/v1/top", "").is(200).json();
    assertThat(top.path("tenants")).hasSize(1);
    assertThat(top.has("members")).isFalse();
  }

  @Test
  void metricsHaveHistogramsThatCountEachRequestOnce() {
    long http = counted("http");
    assertThat(http).isGreaterThanOrEqualTo(REQUESTS + 1);
    server.call(key, "GET", "/api/v1/tenants/acme/maps/m/entries/k1", "").is(200);
    await().until(() -> counted("http") > http);
    assertThat(counted("resp")).isEqualTo(2); // AUTH and PING
    assertThat(counted("hazelcast")).isZero();
    String text = server.operator("GET", "/metrics", "").text();
    assertThat(text)
        .contains("# TYPE kvs_request_seconds histogram")
        .contains("kvs_request_seconds_bucket{door=\"resp\",tenant=\"acme\",le=\"+Inf\"} 2\n")
        .contains("le=\"0.001048576\"")
        .doesNotContain("tenant=\"idle\",le=");
  }
}
