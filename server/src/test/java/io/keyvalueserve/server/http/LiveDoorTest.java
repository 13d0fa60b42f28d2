package io.keyvalueserve.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Live figures, as a stream of events. */
@ExtendWith(SharedHttpServer.class)
class LiveDoorTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServerUnderTest server;

  LiveDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  @Timeout(60)
  void streamsLiveFiguresUntilTheKeyIsRevoked() throws Exception {
    server.operator("GET", "/api/v1/tenants/nobody/live", "").is(404, "no_such_tenant");
    try (BufferedReader all = server.events(server.operatorKey(), "/api/v1/live")) {
      assertThat(event(all).path("safe").asBoolean()).isTrue();
      // What was seen last does not have this tenant.
      JsonNode created =
          server.operator("POST", "/api/v1/tenants", "{\"name\":\"streamed\"}").json();
      String access = created.path("key").asText();
      server.by(access, "GET", "/api/v1/live", "").is(403, "forbidden");
      streamUntilRevoked(all, access, created.path("keyId").asText());
      try (BufferedReader own =
          server.events(server.operatorKey(), "/api/v1/tenants/streamed/live")) {
        assertThat(event(own).at("/tenant/tenant").asText()).isEqualTo("streamed");
        server.operator("DELETE", "/api/v1/tenants/streamed", "").is(200);
        assertThat(own.lines().toList()).as("it ends").isNotNull();
      }
    }
  }

  private void streamUntilRevoked(BufferedReader all, String access, String keyId)
      throws Exception {
    try (BufferedReader own = server.events(access, "/api/v1/tenants/streamed/live")) {
      JsonNode first = event(own);
      assertThat(first.at("/tenant/tenant").asText()).isEqualTo("streamed");
      assertThat(first.at("/tenant/operationsPerSecond").isNumber()).isTrue();
      assertThat(first.has("tenants")).isFalse();
      JsonNode cluster = event(all);
      while (!cluster.path("tenants").findValuesAsText("tenant").contains("streamed")) {
        cluster = event(all);
      }
      JsonNode served = server.operator("GET", "/openapi", "").json();
      ApiSchema.of(served, "LiveCluster").assertIsThatOf(cluster);
      ApiSchema.of(served, "LiveTenant").assertIsThatOf(cluster.at("/tenants/0"));
      assertThat(cluster.at("/members/0/partitions").asInt()).isPositive();
      assertThat(cluster.at("/log/chunks").isNumber()).isTrue();
      assertThat(Instant.parse(event(all).path("at").asText()))
          .isAfter(Instant.parse(cluster.path("at").asText()));
      String path = "/api/v1/tenants/streamed/keys/" + keyId;
      server.operator("DELETE", path, "").is(200);
      assertThat(own.lines().filter(line -> line.startsWith("data:")).count())
          .as("events that were on their way")
          .isLessThanOrEqualTo(1);
      assertThat(event(all).path("at").asText()).isNotEmpty();
    }
  }

  @Test
  @Timeout(60)
  void endsThoughSomebodyWatches() throws Exception {
    try (HttpServerUnderTest ending = HttpServerUnderTest.start(Map.of("dev", "true"));
        BufferedReader events = ending.events(null, "/api/v1/live")) {
      assertThat(event(events).path("safe").asBoolean()).isTrue();
      end(ending.server());
      assertThat(events.lines().toList()).doesNotContain("event: error");
    }
  }

  /** Ends it before its block does. */
  private static void end(Server server) {
    server.close();
  }

  static JsonNode event(BufferedReader events) throws IOException {
    String line = events.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = events.readLine();
    }
    return JSON.readTree(requireNonNull(line).substring("data: ".length()));
  }
}
