package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.config.ConfigReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real server with its HTTP door on a real socket, and a client of it. */
final class HttpServerUnderTest implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Server server;
  private final HttpClient http = HttpClient.newHttpClient();
  private final String operatorKey;

  private HttpServerUnderTest(Server server) {
    this.server = server;
    try {
      Path file = server.operatorKey();
      this.operatorKey = file == null ? "" : Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An answer. */
  record Answer(HttpResponse<?> response, byte[] bytes) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      try {
        return JSON.readTree(bytes);
      } catch (IOException e) {
        throw new AssertionError("no JSON: " + text(), e);
      }
    }

    String code() {
      return json().path("error").path("code").asText();
    }

    Answer is(int status) {
      assertThat(status()).as("%s %s", response.request(), text()).isEqualTo(status);
      return this;
    }

    Answer is(int status, String code) {
      is(status);
      assertThat(code()).as(text()).isEqualTo(code);
      assertThat(json().path("error").path("message").asText()).isNotBlank();
      assertThat(text()).doesNotContain("\tat ").doesNotContain("Exception");
      return this;
    }
  }

  static HttpServerUnderTest start(Map<String, String> settings) {
    Map<String, String> flags = new HashMap<>();
    for (String port : List.of("resp-port", "http-port", "client-port", "member-port")) {
      flags.put(port, "0");
    }
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    flags.putAll(settings);
    return new HttpServerUnderTest(Server.start(ConfigReader.read(null, flags)));
  }

  Server server() {
    return server;
  }

  String operatorKey() {
    return operatorKey;
  }

  /** Creates a tenant, and returns its access key. */
  String tenant(String name) {
    return server.createTenant(name);
  }

  Answer operator(String method, String path, String body) {
    return by(operatorKey, method, path, body);
  }

  /** The same with another key, or with none. */
  Answer by(@Nullable String key, String method, String path, String body) {
    return call(key, method, path, body, "Content-Type", "application/json");
  }

  Answer call(@Nullable String key, String method, String path, String body, String... headers) {
    return call(key, method, path, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  Answer call(@Nullable String key, String method, String path, byte[] body, String... headers) {
    return send(http, key, method, path, body, headers);
  }

  /** The same from another address of this machine. */
  Answer callFrom(String address, String key, String method, String path) {
    try (HttpClient other =
        HttpClient.newBuilder().localAddress(InetAddress.getByName(address)).build()) {
      return send(other, key, method, path, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stream of events, as it comes. */
  BufferedReader events(@Nullable String key, String path) throws IOException {
    HttpResponse<InputStream> response = response(http, key, "GET", path, new byte[0]);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private Answer send(
      HttpClient client,
      @Nullable String key,
      String method,
      String path,
      byte[] body,
      String... headers) {
    try {
      HttpResponse<InputStream> response = response(client, key, method, path, body, headers);
      return new Answer(response, body(response));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    }
  }

  private HttpResponse<InputStream> response(
      HttpClient client,
      @Nullable String key,
      String method,
      String path,
      byte[] body,
      String... headers)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
            .timeout(Duration.ofMinutes(2))
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The document that describes the API, as the server makes it. */
  static JsonNode openApi() {
    return OpenApi.DOCUMENT;
  }

  private static final class OpenApi {
    static final JsonNode DOCUMENT = read();

    private static JsonNode read() {
      try {
        return JSON.readTree(new OpenApiRoute(RouteTest.routes()).document());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    http.close();
    server.close();
  }

  /** Events come without an end: that they begin is all that is read of them. */
  private static byte[] body(HttpResponse<InputStream> response) throws IOException {
    String type = response.headers().firstValue("content-type").orElse("");
    try (InputStream in = response.body()) {
      return type.startsWith("text/event-stream") ? in.readNBytes(1) : in.readAllBytes();
    }
  }
}
