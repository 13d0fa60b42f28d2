package io.keyvalueserve.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The HTTP door of a real server, over a real socket: what holds whatever is asked for. */
@ExtendWith(SharedHttpServer.class)
class HttpDoorTest {
  private final HttpServerUnderTest server;

  HttpDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void tellsWhatIsWrongWithARequest() throws Exception {
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"A b\"}").is(400, "invalid_name");
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"dev\"}").is(400, "reserved_name");
    server.operator("POST", "/api/v1/tenants", "{}").is(400, "bad_request");
    server.operator("POST", "/api/v1/tenants", "not json").is(400, "bad_request");
    server.operator("POST", "/api/v1/tenants", "[]").is(400, "bad_request");
    server.operator("GET", "/api/v1/nothing", "").is(404, "not_found");
    server.operator("PUT", "/api/v1/tenants", "{}").is(405, "method_not_allowed");
    assertThat(
            raw(
                server.server().httpPort(),
                "POST /api/v1/tenants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + server.operatorKey()
                    + "\r\nContent-Length: 2097152\r\n\r\n"))
        .startsWith("HTTP/1.1 413");
  }

  /** Sends bytes as they are and returns the first line of the answer. */
  private static String raw(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      return String.valueOf(answer.readLine());
    }
  }

  @Test
  void keepsItsSecretsToItsOwner() throws IOException {
    Path data = requireNonNull(requireNonNull(server.server().operatorKey()).getParent());
    for (String file : List.of("operator.key", "scrape.key", "cluster.secret")) {
      Path path = data.resolve(file);
      if (Files.exists(path)) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .as(file)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void showsMetricsInTheOpenForm() {
    String metrics = server.operator("GET", "/metrics", "").text();
    assertThat(metrics).contains("kvs_members 1.0", "jvm_memory_used_bytes", "# EOF");
  }

  @Test
  void letsADeveloperInFromThisMachineAndNoWebPage() throws Exception {
    String trusted = "http://trusted.example";
    try (HttpServerUnderTest dev =
        HttpServerUnderTest.start(Map.of("dev", "true", "http.origins", trusted))) {
      assertThat(dev.call(null, "GET", "/", "").json().path("keyNeeded").asBoolean()).isFalse();
      String tenants = "/api/v1/tenants";
      dev.call(null, "GET", tenants, "").is(200);
      String body = "{\"name\":\"x\"}";
      dev.call(null, "POST", tenants, body, "Content-Type", "text/plain").is(415);
      dev.by(null, "POST", tenants, body).is(201);
      String[] json = {"Content-Type", "application/json", "Origin", "http://evil.example"};
      dev.call(null, "DELETE", tenants + "/x", "", json).is(403, "foreign_origin");
      json[3] = trusted;
      dev.call(null, "DELETE", tenants + "/x", "", json).is(200);
      assertThat(
              raw(
                  dev.server().httpPort(),
                  "GET /api/v1/tenants HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void refusesChangesThatAForeignPageSends() {
    String evil = "https://evil.example";
    String tenants = "/api/v1/tenants";
    String body = "{\"name\":\"by-a-page\"}";
    for (String key : new String[] {server.operatorKey(), "wrong", null}) {
      assertThat(
              fromPage(key, "POST", tenants, body, "Origin", evil).is(403, "foreign_origin").text())
          .contains(evil, "http.origins");
      fromPage(key, "POST", tenants, body, "Sec-Fetch-Site", "cross-site")
          .is(403, "foreign_origin");
    }
    String one = tenants + "/by-a-page";
    for (String method : List.of("PUT", "PATCH")) {
      fromPage(server.operatorKey(), method, one + "/quota", "{}", "Origin", evil)
          .is(403, "foreign_origin");
    }
    fromPage(server.operatorKey(), "DELETE", one, "", "Origin", "null").is(403, "foreign_origin");
    server.operator("GET", one, "").is(404);

    fromPage(server.operatorKey(), "GET", tenants, "", "Origin", evil).is(200);
    String own = "http://127.0.0.1:" + server.server().httpPort();
    fromPage(server.operatorKey(), "POST", tenants, body, "Origin", own).is(201);
    fromPage(server.operatorKey(), "DELETE", one, "", "Sec-Fetch-Site", "same-origin").is(200);
  }

  private HttpServerUnderTest.Answer fromPage(
      @Nullable String key, String method, String path, String body, String header, String value) {
    return server.call(key, method, path, body, "Content-Type", "application/json", header, value);
  }

  @Test
  void tellsWhoAsksAndWhereClientsGo() {
    JsonNode created = server.operator("POST", "/api/v1/tenants", "{\"name\":\"myself\"}").json();
    String access = created.path("key").asText();
    assertThat(server.operator("GET", "/api/v1/me", "").text())
        .isEqualTo("{\"role\":\"operator\"}");
    JsonNode me = server.by(access, "GET", "/api/v1/me", "").json();
    assertThat(me.path("role").asText()).isEqualTo("tenant");
    assertThat(me.path("tenant").asText()).isEqualTo("myself");
    assertThat(me.path("keyId").asText()).isEqualTo(created.path("keyId").asText());
    Server running = server.server();
    JsonNode endpoints = server.by(access, "GET", "/api/v1/endpoints", "").json();
    assertThat(endpoints.at("/resp/port").asInt()).isEqualTo(running.respPort());
    assertThat(endpoints.at("/hazelcast/port").asInt()).isEqualTo(running.clientPort());
    assertThat(endpoints.at("/hazelcast/clusterName").asText()).isEqualTo("kvs");
  }
}
