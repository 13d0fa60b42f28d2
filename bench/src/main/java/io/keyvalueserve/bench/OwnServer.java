package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.server.Main;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member of this product: {@code kvs serve}, ready, with one tenant if it founds a cluster. */
final class OwnServer implements AutoCloseable {
  /** The tenant whose data the load reads and writes. */
  static final String TENANT = "bench";

  /** The cluster's name, which Hazelcast clients tell. */
  static final String CLUSTER = "kvs";

  private static final long START_SECONDS = 120;
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final int respPort = Ports.free();
  private final int httpPort = Ports.free();
  private final int clientPort = Ports.free();
  private final int memberPort = Ports.free();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Path data;
  private final ServerProcess process;
  private final String key;

  private OwnServer(Path folder, List<String> jvm, List<String> arguments, boolean founds) {
    data = folder.resolve("data");
    List<String> all =
        new ArrayList<>(List.of("serve", "--data", data.toString(), "--bind", "127.0.0.1"));
    all.addAll(List.of("--cluster-name", CLUSTER));
    all.addAll(List.of("--resp-port", Integer.toString(respPort)));
    all.addAll(List.of("--http-port", Integer.toString(httpPort)));
    all.addAll(List.of("--client-port", Integer.toString(clientPort)));
    all.addAll(List.of("--member-port", Integer.toString(memberPort)));
    all.addAll(arguments);
    process = ServerProcess.java(folder, jvm, Main.class.getName(), all);
    try {
      awaitReady();
      key = founds ? newTenant() : "";
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  /**
   * Starts a cluster of one.
   *
   * @param folder for its data and its output
   * @param jvm options of its JVM
   * @param arguments of {@code kvs serve} beside those that every bench needs
   */
  static OwnServer found(Path folder, List<String> jvm, List<String> arguments) {
    return new OwnServer(folder, jvm, arguments, true);
  }

  /** Starts a member that joins this one's cluster. */
  OwnServer join(Path folder, List<String> jvm, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("--join", "127.0.0.1:" + memberPort));
    all.addAll(List.of("--cluster-secret-file", data.resolve("cluster.secret").toString()));
    all.addAll(arguments);
    return new OwnServer(folder, jvm, all, false);
  }

  ServerProcess process() {
    return process;
  }

  /** Where Redis clients connect. */
  int respPort() {
    return respPort;
  }

  /** Where Hazelcast clients connect. */
  int clientPort() {
    return clientPort;
  }

  /** The key of {@link #TENANT}; empty if this member joined. */
  String key() {
    return key;
  }

  /** The memory it has taken off the Java heap for maps, in bytes. */
  long nativeBytes() {
    long used = 0;
    for (JsonNode tier : call("GET", "/api/v1/memory", "").path("tiers")) {
      used += tier.path("usedBytes").asLong();
    }
    return used;
  }

  @Override
  public void close() {
    try {
      http.close();
    } finally {
      process.close();
    }
  }

  private String newTenant() {
    return call("POST", "/api/v1/tenants", "{\"name\":\"" + TENANT + "\"}").path("key").asText();
  }

  private void awaitReady() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isReady()) {
      process.requireAlive();
      if (System.nanoTime() > deadline) {
        throw new BenchException("the server was not ready within " + START_SECONDS + " s");
      }
      Clock.sleepMillis(50);
    }
  }

  /** Whether it says that it can serve. */
  boolean isReady() {
    try {
      return send("GET", "/health/ready", "").statusCode() == 200;
    } catch (ConnectException notYet) {
      return false;
    } catch (IOException e) {
      throw new BenchException("the server's HTTP port does not answer", e);
    }
  }

  private JsonNode call(String method, String path, String body) {
    try {
      HttpResponse<String> answer = send(method, path, body);
      if (answer.statusCode() / 100 != 2) {
        throw new BenchException(
            method + " " + path + " failed: " + answer.statusCode() + " " + answer.body());
      }
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new BenchException(method + " " + path + " failed", e);
    }
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    Path operatorKey = data.resolve("operator.key");
    if (Files.exists(operatorKey)) {
      request.header("Authorization", "Bearer " + Files.readString(operatorKey).strip());
    }
    try {
      return http.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
