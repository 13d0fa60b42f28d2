package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The operator's HTTP API of a member of this product. Blocks. */
final class OwnApi implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(60);

  /** A member that starts again in its process may leave a question without an answer. */
  private static final Duration READY_ANSWER = Duration.ofSeconds(3);

  private static final int MOST_TRIES = 100;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address;
  private final Path data;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param data the member's folder, which has the operator's key
   */
  OwnApi(int port, Path data) {
    this("127.0.0.1", port, data);
  }

  /**
   * As the other constructor, of a member elsewhere.
   *
   * @param host its address
   */
  OwnApi(String host, int port, Path data) {
    this.address = "http://" + host + ":" + port;
    this.data = data;
  }

  /** Whether the member says that it can serve. */
  boolean isReady() {
    try {
      return send("GET", "/health/ready", "", READY_ANSWER).statusCode() == 200;
    } catch (ConnectException | HttpTimeoutException notYet) {
      return false;
    } catch (IOException e) {
      throw new BenchException("the server's HTTP port does not answer", e);
    }
  }

  /** Whether the cluster has all the backups that it should. */
  boolean isSafe() {
    return call("GET", "/api/v1/cluster", "").path("safe").asBoolean();
  }

  /**
   * Whether all that the member had on its disk is in memory; one says so only if it served before.
   */
  boolean hasLoaded() {
    return isReady()
        && call("GET", "/api/v1/cluster", "").path("loading").path("done").asBoolean(true);
  }

  /** Creates a tenant, and returns its key. */
  String newTenant(String name) {
    return call("POST", "/api/v1/tenants", "{\"name\":\"" + name + "\"}").path("key").asText();
  }

  /** Deletes a tenant and all that it has. */
  void deleteTenant(String name) {
    call("DELETE", "/api/v1/tenants/" + name, "");
  }

  /**
   * Gives a tenant rights on another's map, or on those of its keys that begin with a text.
   *
   * @param rights separated by commas
   * @param prefix empty for the whole map
   */
  void grant(String owner, String map, String to, String rights, String prefix) {
    ObjectNode body = JSON.createObjectNode().put("to", to).put("rights", rights);
    if (!prefix.isEmpty()) {
      body.put("prefix", prefix);
    }
    call("POST", "/api/v1/tenants/" + owner + "/maps/" + map + "/grants", body.toString());
  }

  /**
   * Sets a tenant's quota; what it does not name is unlimited.
   *
   * @throws BenchException if this server cannot limit tenants, or does not take this quota
   */
  void setQuota(String tenant, IsolationQuota quota) {
    String path = "/api/v1/tenants/" + tenant + "/quota";
    try {
      HttpResponse<String> answer = send("PUT", path, JSON.writeValueAsString(quota.json()));
      if (answer.statusCode() == 404 || answer.statusCode() == 405) {
        throw new BenchException(
            "this server cannot limit tenants (PUT "
                + path
                + ": "
                + answer.statusCode()
                + "): run without --limits");
      }
      if (answer.statusCode() / 100 != 2) {
        throw new BenchException(
            "PUT " + path + " failed: " + answer.statusCode() + " " + answer.body());
      }
    } catch (IOException e) {
      throw new BenchException("PUT " + path + " failed", e);
    }
  }

  /** Sets what becomes of a map's entries when memory is short. */
  void setOverMemory(String tenant, String map, String policy) {
    call(
        "PUT", "/api/v1/tenants/" + tenant + "/maps/" + map, "{\"overMemory\":\"" + policy + "\"}");
  }

  /** Begins to take a snapshot of a tenant; returns the job. */
  String beginSnapshot(String tenant) {
    return call("POST", "/api/v1/tenants/" + tenant + "/snapshots", "{}").path("id").asText();
  }

  /**
   * Returns whether a job on a snapshot is done.
   *
   * @throws BenchException if it has failed
   */
  boolean isOver(String job) {
    JsonNode now = call("GET", "/api/v1/snapshot-jobs/" + job, "");
    if (now.path("state").asText().equals("failed")) {
      throw new BenchException("a snapshot failed: " + now.path("problem").asText());
    }
    return now.path("state").asText().equals("done");
  }

  /** Has a tenant leave memory; tries again while it is still used. */
  void hibernate(String tenant) {
    String path = "/api/v1/tenants/" + tenant + "/hibernate";
    try {
      HttpResponse<String> answer = send("POST", path, "{}");
      for (int tries = 0; answer.statusCode() == 409 && tries < MOST_TRIES; tries++) {
        Clock.sleepMillis(10);
        answer = send("POST", path, "{}");
      }
      if (answer.statusCode() != 200) {
        throw new BenchException("POST " + path + ": " + answer.body());
      }
    } catch (IOException e) {
      throw new BenchException("POST " + path + " failed", e);
    }
  }

  /** Returns whether all of a tenant is in memory. */
  boolean isAwake(String tenant) {
    return call("GET", "/api/v1/tenants/" + tenant + "/hibernation", "")
        .path("state")
        .asText()
        .equals("awake");
  }

  /** Returns the number of tenants on the first page of all. */
  int listTenants() {
    return call("GET", "/api/v1/tenants?limit=1000", "").path("tenants").size();
  }

  /** The memory that the member has taken off the Java heap for maps, in bytes. */
  long nativeBytes() {
    long used = 0;
    for (JsonNode tier : call("GET", "/api/v1/memory", "").path("tiers")) {
      used += tier.path("usedBytes").asLong();
    }
    return used;
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
    return send(method, path, body, ANSWER);
  }

  private HttpResponse<String> send(String method, String path, String body, Duration patience)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(patience)
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
      throw Clock.interrupted(e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
