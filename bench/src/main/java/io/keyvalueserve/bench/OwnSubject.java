package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.security.UsernamePasswordCredentials;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** This product: {@code kvs serve} with one tenant, all of its policy on. */
final class OwnSubject implements Subject {
  private static final String TENANT = "bench";
  private static final long START_SECONDS = 120;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServerProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final int httpPort;
  private final Path operatorKey;
  private final HazelcastInstance client;

  private OwnSubject(ServerProcess process, Path data, int httpPort, int clientPort) {
    this.process = process;
    this.httpPort = httpPort;
    this.operatorKey = data.resolve("operator.key");
    awaitReady();
    JsonNode tenant = call("POST", "/api/v1/tenants", "{\"name\":\"" + TENANT + "\"}");
    ClientConfig config = new ClientConfig().setClusterName("kvs");
    config
        .getSecurityConfig()
        .setCredentials(new UsernamePasswordCredentials(TENANT, tenant.path("key").asText()));
    this.client = Subject.connect(process, config, clientPort);
  }

  /**
   * Starts it.
   *
   * @param heapBytes of Java heap
   * @param memory arguments of {@code kvs serve} that say which memory maps have
   */
  static OwnSubject start(Path folder, Collector collector, long heapBytes, List<String> memory) {
    int httpPort = Ports.free();
    int clientPort = Ports.free();
    Path data = folder.resolve("data");
    List<String> arguments =
        new ArrayList<>(List.of("serve", "--data", data.toString(), "--bind", "127.0.0.1"));
    arguments.addAll(List.of("--resp-port", "0", "--member-port", "0"));
    arguments.addAll(List.of("--http-port", Integer.toString(httpPort)));
    arguments.addAll(List.of("--client-port", Integer.toString(clientPort)));
    arguments.addAll(memory);
    ServerProcess process =
        ServerProcess.start(
            folder,
            List.of(
                collector.option, "-Xms" + heapBytes, "-Xmx" + heapBytes, "-XX:+AlwaysPreTouch"),
            Main.class.getName(),
            arguments);
    try {
      return new OwnSubject(process, data, httpPort, clientPort);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  @Override
  public ServerProcess process() {
    return process;
  }

  @Override
  public IMap<String, byte[]> map() {
    return client.getMap("bench");
  }

  @Override
  public long nativeBytes() {
    long used = 0;
    for (JsonNode tier : call("GET", "/api/v1/memory", "").path("tiers")) {
      used += tier.path("usedBytes").asLong();
    }
    return used;
  }

  @Override
  public void close() {
    try {
      client.shutdown();
      http.close();
    } finally {
      process.close();
    }
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

  private boolean isReady() {
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
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
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
