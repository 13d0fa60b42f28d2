package io.keyvalueserve.acceptance;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;

/** The operator's HTTP API of one member. */
final class AdminApi {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private final URI address;
  private final Path operatorKeyFile;

  AdminApi(String host, int httpPort, Path operatorKeyFile) {
    this.address = URI.create("http://" + host + ":" + httpPort);
    this.operatorKeyFile = operatorKeyFile;
  }

  /** Whether the member says that it serves. False too if nobody listens. */
  boolean isReady() {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve("/health/ready"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the server", e);
    }
  }

  Tenant createTenant(String name) {
    JsonNode made = succeed("POST", "/api/v1/tenants", "{\"name\":\"" + name + "\"}");
    return new Tenant(text(made, "tenant"), text(made, "key"));
  }

  /** The number that a tenant has for all time. */
  int number(Tenant tenant) {
    return succeed("GET", "/api/v1/tenants/" + tenant.name(), "").path("number").asInt();
  }

  void suspend(Tenant tenant) {
    succeed("POST", "/api/v1/tenants/" + tenant.name() + "/suspend", "");
  }

  void resume(Tenant tenant) {
    succeed("POST", "/api/v1/tenants/" + tenant.name() + "/resume", "");
  }

  void delete(Tenant tenant) {
    succeed("DELETE", "/api/v1/tenants/" + tenant.name(), "");
  }

  /** Makes one more access key. */
  String createKey(Tenant tenant) {
    return text(succeed("POST", "/api/v1/tenants/" + tenant.name() + "/keys", "{}"), "key");
  }

  void revokeKey(Tenant tenant, String keyId) {
    succeed("DELETE", "/api/v1/tenants/" + tenant.name() + "/keys/" + keyId, "");
  }

  /** Grants rights on a map; {@code scope} is a part of the body, or empty. Returns the id. */
  String grant(Tenant owner, String map, Tenant to, String rights, String scope) {
    String body = "{\"to\":\"" + to.name() + "\",\"rights\":\"" + rights + "\"" + scope + "}";
    return text(succeed("POST", grants(owner, map), body), "id");
  }

  /** Says how much a tenant may use, as JSON; what is not named is not limited. */
  void setQuota(Tenant tenant, String limits) {
    JsonNode _ = succeed("PUT", "/api/v1/tenants/" + tenant.name() + "/quota", limits);
  }

  /** Which tenants use most, and who waits for whom. */
  JsonNode top() {
    return topAndMembers().path("tenants");
  }

  /** The same with what members do. */
  JsonNode topAndMembers() {
    return succeed("GET", "/api/v1/top", "");
  }

  /** What a tenant may use and uses. */
  JsonNode quota(Tenant tenant) {
    return succeed("GET", "/api/v1/tenants/" + tenant.name() + "/quota", "");
  }

  /** What a tenant may spend in this month, and has spent. */
  JsonNode spendCap(Tenant tenant) {
    return succeed("GET", "/api/v1/tenants/" + tenant.name() + "/spend-cap", "");
  }

  /** The spend caps of all tenants. */
  JsonNode spendCaps() {
    return succeed("GET", "/api/v1/spend-caps", "").path("spendCaps");
  }

  /** What is reserved for a tenant. */
  JsonNode reservations(Tenant tenant) {
    return succeed("GET", "/api/v1/tenants/" + tenant.name() + "/reservations", "")
        .path("reservations");
  }

  void revokeGrant(Tenant owner, String map, String id) {
    succeed("DELETE", grants(owner, map) + "/" + id, "");
  }

  private static String grants(Tenant owner, String map) {
    return "/api/v1/tenants/" + owner.name() + "/maps/" + map + "/grants";
  }

  /** The locks on a map's keys. */
  JsonNode locks(Tenant owner, String map) {
    return succeed("GET", "/api/v1/tenants/" + owner.name() + "/maps/" + map + "/locks", "")
        .path("locks");
  }

  /** Takes the lock off a key. Returns how many there were. */
  int unlock(Tenant owner, String map, String key) {
    String path = "/api/v1/tenants/" + owner.name() + "/maps/" + map + "/locks?key=" + key;
    return succeed("DELETE", path, "").path("locks").size();
  }

  /** Whether every entry has all its backups. */
  boolean isSafe() {
    return succeed("GET", "/api/v1/cluster", "").path("safe").asBoolean();
  }

  /**
   * Waits until every entry has its backups.
   *
   * @throws AssertionError if that takes too long; its first line says what the member knows
   */
  void awaitSafe(Duration atMost) {
    try {
      await("every entry has its backups").atMost(atMost).until(this::isSafe);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "not safe after " + atMost + ": " + succeed("GET", "/api/v1/cluster", ""), e);
    }
  }

  /** How many members there are in the member's view. */
  int members() {
    return succeed("GET", "/api/v1/cluster", "").path("members").size();
  }

  /** Whether the member may serve, and who decides that. */
  JsonNode quorum() {
    return succeed("GET", "/api/v1/cluster", "").path("quorum");
  }

  /** Whether so many members have partitions, and every entry has all its backups. */
  boolean isSpreadOver(int members) {
    int owners = 0;
    for (JsonNode member : succeed("GET", "/api/v1/top", "").path("members")) {
      owners += member.path("partitions").asInt() > 0 ? 1 : 0;
    }
    return owners == members && isSafe();
  }

  /** The member's memory. */
  JsonNode memory() {
    return succeed("GET", "/api/v1/memory", "");
  }

  /** How far the member has come with loading what its disk has. */
  JsonNode loading() {
    return succeed("GET", "/api/v1/cluster", "").path("loading");
  }

  /** The alerts that were noted. */
  JsonNode alerts() {
    return succeed("GET", "/api/v1/alerts", "");
  }

  /** What is under a tenant's path. */
  JsonNode ofTenant(String tenant, String what) {
    return succeed("GET", "/api/v1/tenants/" + tenant + "/" + what, "");
  }

  /** What is set for a map. */
  JsonNode map(Tenant tenant, String map) {
    return succeed("GET", "/api/v1/tenants/" + tenant.name() + "/maps/" + map, "");
  }

  void setDurability(Tenant tenant, String map, String durability) {
    succeed(
        "PUT",
        "/api/v1/tenants/" + tenant.name() + "/maps/" + map,
        "{\"durability\":\"" + durability + "\"}");
  }

  /** An entry over HTTP, with its tenant's access key. */
  HttpResponse<byte[]> entry(
      String method, Tenant tenant, String map, String key, byte[] value, String... headers) {
    String path = "/api/v1/tenants/" + tenant.name() + "/maps/" + map + "/entries/" + key;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + tenant.accessKey())
            .method(
                method,
                value.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(value));
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }

  /** Takes a member off the cluster; returns the status and the code of the error, if any. */
  String forget(String member) {
    HttpResponse<String> response = send("DELETE", "/api/v1/cluster/members/" + member, "");
    try {
      return response.statusCode()
          + " "
          + JSON.readTree(response.body()).at("/error/code").asText("");
    } catch (IOException e) {
      throw new UncheckedIOException("the answer is no JSON", e);
    }
  }

  /** The id of the member itself. */
  String uuid() {
    for (JsonNode member : succeed("GET", "/api/v1/cluster", "").path("members")) {
      if (member.path("local").asBoolean()) {
        return text(member, "uuid");
      }
    }
    throw new AssertionError("the member does not know itself");
  }

  /** The events of a kind in the audit trail of all members. */
  JsonNode audited(String kind) {
    return succeed("GET", "/api/v1/audit?kind=" + kind, "").path("events");
  }

  /** What `GET /health/ready` says. */
  String readiness() {
    return send("GET", "/health/ready", "").body();
  }

  /** Makes a tenant, or says why that is refused: the status and the answer. */
  String tryToCreateTenant(String name) {
    HttpResponse<String> answer = send("POST", "/api/v1/tenants", "{\"name\":\"" + name + "\"}");
    return answer.statusCode() + " " + answer.body();
  }

  private JsonNode succeed(String method, String path, String body) {
    HttpResponse<String> response = send(method, path, body);
    if (response.statusCode() / 100 != 2) {
      throw new AssertionError(
          method + " " + path + ": " + response.statusCode() + " " + response.body());
    }
    try {
      return response.body().isBlank() ? MissingNode.getInstance() : JSON.readTree(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + " answered no JSON", e);
    }
  }

  private HttpResponse<String> send(String method, String path, String body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(address.resolve(path))
              .timeout(PATIENCE)
              .header("Authorization", "Bearer " + Files.readString(operatorKeyFile).strip())
              .header("Content-Type", "application/json")
              .method(
                  method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
              .build();
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + " got no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }

  private static String text(JsonNode object, String field) {
    JsonNode value = object.path(field);
    if (!value.isTextual()) {
      throw new AssertionError("the answer has no text '" + field + "'");
    }
    return value.textValue();
  }
}
