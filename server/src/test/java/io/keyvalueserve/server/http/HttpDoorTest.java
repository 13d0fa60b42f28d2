package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.server.Server;
import io.keyvalueserve.server.config.ConfigReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP door of a real server, over a real socket. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpDoorTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final long MEMORY_BYTES = 64L << 20;

  private Path directory = Path.of("");
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Server server;
  private String key = "";

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    server = startServer(Map.of("data", directory.resolve("data").toString()));
    key = Files.readString(Objects.requireNonNull(server.operatorKey())).strip();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void servesEveryRouteThatItDocumentsAndDocumentsEveryRoute() throws Exception {
    Set<String> served =
        new TreeSet<>(
            Set.of(
                "GET /", "GET /openapi", "GET /metrics", "GET /health/live", "GET /health/ready"));
    new AdminRoutes(noAdministration())
        .routes()
        .forEach(route -> served.add(route.method().text() + " " + route.path()));
    new EntryRoutes(noEntries())
        .routes()
        .forEach(
            route -> served.add(route.method().text() + " " + route.path().replace("{+", "{")));
    assertThat(documentedRoutes()).isEqualTo(served);
    for (String route : served) {
      String path = concrete(route.substring(route.indexOf(' ') + 1));
      assertThat(AdminRoutes.isPath(path)).as(path).isTrue();
    }
  }

  // Only the list of its routes is looked at.
  @SuppressWarnings("NullAway")
  private static io.keyvalueserve.server.Administration noAdministration() {
    return null;
  }

  @SuppressWarnings("NullAway")
  private static EntryServices noEntries() {
    return new EntryServices(null, null, null, 1, null);
  }

  @Test
  void createsShowsSuspendsResumesAndDeletesATenant() throws Exception {
    HttpResponse<String> created = call("POST", "/api/v1/tenants", "{\"name\":\"acme\"}");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(json(created).path("tenant").asText()).isEqualTo("acme");
    assertThat(json(created).path("key").asText()).startsWith("kvs_");
    String keyId = json(created).path("keyId").asText();

    assertError(call("POST", "/api/v1/tenants", "{\"name\":\"acme\"}"), 409, "tenant_exists");
    HttpResponse<String> shown = call("GET", "/api/v1/tenants/acme", "");
    assertThat(json(shown).path("state").asText()).isEqualTo("active");
    assertThat(json(shown).path("keys").get(0).path("id").asText()).isEqualTo(keyId);
    assertThat(shown.body()).doesNotContain("secret");

    assertThat(json(call("POST", "/api/v1/tenants/acme/suspend", "")).path("state").asText())
        .isEqualTo("suspended");
    assertThat(json(call("POST", "/api/v1/tenants/acme/resume", "")).path("state").asText())
        .isEqualTo("active");
    JsonNode second = json(call("POST", "/api/v1/tenants/acme/keys", "{\"label\":\"ci\"}"));
    assertThat(json(call("GET", "/api/v1/tenants/acme/keys", "")).path("keys")).hasSize(2);
    String path = "/api/v1/tenants/acme/keys/" + second.path("keyId").asText();
    assertThat(call("DELETE", path, "").statusCode()).isEqualTo(200);
    assertError(call("DELETE", path, ""), 404, "no_such_key");
    assertThat(json(call("DELETE", "/api/v1/tenants/acme", "")).path("state").asText())
        .isEqualTo("deleted");
    assertError(call("GET", "/api/v1/tenants/acme", ""), 404, "no_such_tenant");
  }

  @Test
  void setsChangesAndShowsAQuota() throws Exception {
    String access =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"limited\"}")).path("key").asText();
    String quota = "/api/v1/tenants/limited/quota";
    JsonNode usual = json(call("GET", quota, ""));
    assertThat(usual.path("limits").path("locks").asLong()).isEqualTo(10_000);
    assertThat(usual.path("limits").has("operationsPerSecond")).isFalse();
    JsonNode schema = json(call("GET", "/openapi", "")).at("/components/schemas/Quota");
    assertHasWhatIsRequired(usual, schema, "quota");

    JsonNode set = json(call("PUT", quota, "{\"operationsPerSecond\":5,\"entries\":7}"));
    assertThat(set.path("limits").path("operationsPerSecond").asLong()).isEqualTo(5);
    JsonNode changed = json(call("PATCH", quota, "{\"entries\":null,\"maps\":3}"));
    assertThat(changed.path("limits").has("entries")).isFalse();
    assertThat(changed.path("limits").path("maps").asLong()).isEqualTo(3);
    assertThat(changed.path("limits").path("operationsPerSecond").asLong()).isEqualTo(5);
    assertThat(json(call("GET", "/api/v1/quotas", "")).path("quotas").findValuesAsText("tenant"))
        .contains("limited");
    assertThat(json(call("GET", "/api/v1/top", "")).path("tenants").findValuesAsText("tenant"))
        .contains("limited");
    assertThat(call("GET", "/metrics", "").body())
        .contains("kvs_waiting{tenant=\"limited\"} 0")
        .contains("kvs_client_waiting_requests{tenant=\"limited\"} 0")
        .contains("kvs_client_waiting_bytes{tenant=\"limited\"} 0")
        .contains("kvs_quota_limit{limit=\"maps\",tenant=\"limited\"} 3");

    assertError(call("PUT", quota, "{\"operations\":5}"), 400, "bad_request");
    assertError(call("PUT", quota, "{\"entries\":\"5\"}"), 400, "bad_request");
    assertError(call("PUT", quota, "{\"burstMillis\":0}"), 400, "invalid_quota");
    assertError(call("PUT", "/api/v1/tenants/nobody/quota", "{}"), 404, "no_such_tenant");
    assertError(call("PUT", quota, "{}", "Bearer " + access), 403, "forbidden");
    assertThat(
            json(call("GET", "/api/v1/audit?trail=changes&kind=quota.changed&tenant=limited", ""))
                .path("events")
                .findValuesAsText("detail"))
        .contains("entries 7 to unlimited, maps unlimited to 3");
  }

  @Test
  void grantsListsAndRevokes() throws Exception {
    String owner =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"giver\"}")).path("key").asText();
    String taker =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"taker\"}")).path("key").asText();
    String grants = "/api/v1/tenants/giver/maps/a%20map/grants";
    HttpResponse<String> first =
        call("POST", grants, "{\"to\":\"taker\",\"rights\":\"read,write\",\"prefix\":\"eu:\"}");
    assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
    assertThat(json(first).path("map").asText()).isEqualTo("giver/a map");
    assertThat(json(first).path("rights").toString()).isEqualTo("[\"read\",\"write\"]");
    assertThat(json(first).path("by").asText()).isEqualTo("operator@127.0.0.1");
    HttpResponse<String> second =
        call(
            "POST",
            grants,
            "{\"to\":\"taker\",\"rights\":[\"lock\"],\"key\":\"k\",\"expiresAt\":\"2100-01-01T00:00:00Z\"}",
            "Bearer " + owner);
    assertThat(second.statusCode()).as(second.body()).isEqualTo(201);
    assertThat(json(second).path("by").asText()).startsWith("tenant:giver/");

    assertThat(json(call("GET", grants, "")).path("grants")).hasSize(2);
    assertThat(json(call("GET", "/api/v1/tenants/giver/grants", "")).path("given")).hasSize(2);
    HttpResponse<String> received =
        call("GET", "/api/v1/tenants/taker/grants", "", "Bearer " + taker);
    assertThat(json(received).path("received")).hasSize(2);
    assertThat(json(received).path("given")).isEmpty();
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      JsonNode schema = JSON.readTree(in).path("components").path("schemas").path("Grant");
      json(received)
          .path("received")
          .forEach(grant -> assertHasWhatIsRequired(grant, schema, "grant"));
    }

    String one = grants + "/" + json(first).path("id").asText();
    assertError(call("DELETE", one, "", "Bearer " + taker), 403, "forbidden");
    assertThat(json(call("DELETE", one, "", "Bearer " + owner)).path("state").asText())
        .isEqualTo("revoked");
    assertError(call("DELETE", one, ""), 404, "no_such_grant");
    assertThat(json(call("GET", grants, "")).path("grants")).hasSize(1);
  }

  @Test
  void listsLocksAndTakesThemOff() throws Exception {
    String owner =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"locker\"}")).path("key").asText();
    String locks = "/api/v1/tenants/locker/maps/m/locks";
    assertThat(json(call("GET", locks, "", "Bearer " + owner)).path("locks")).isEmpty();
    HttpResponse<String> none = call("DELETE", locks + "?key=a%2Fb", "", "Bearer " + owner);
    assertThat(none.statusCode()).as(none.body()).isEqualTo(200);
    assertThat(json(none).path("locks")).isEmpty();
    assertThat(json(none).path("silent")).isEmpty();
    assertError(call("DELETE", locks, ""), 400, "bad_request");
    assertError(call("GET", "/api/v1/tenants/nobody/maps/m/locks", ""), 404, "no_such_tenant");
  }

  @Test
  void keepsWhatWasChangedAndWhoWasTurnedAway() throws Exception {
    String owner =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"watched\"}")).path("key").asText();
    assertThat(call("POST", "/api/v1/tenants", "{\"name\":\"watcher\"}").statusCode())
        .isEqualTo(201);
    String grants = "/api/v1/tenants/watched/maps/m/grants";
    String body = "{\"to\":\"watcher\",\"rights\":\"read\",\"key\":\"k\"}";
    String id = json(call("POST", grants, body, "Bearer " + owner)).path("id").asText();
    assertThat(call("DELETE", grants + "/" + id, "").statusCode()).isEqualTo(200);
    assertThat(call("POST", "/api/v1/tenants/watched/suspend", "").statusCode()).isEqualTo(200);

    JsonNode changes = json(call("GET", "/api/v1/audit?tenant=watched", "")).path("events");
    assertThat(changes.findValuesAsText("kind"))
        .containsExactly("tenant.suspended", "grant.revoked", "grant.created", "tenant.created");
    assertThat(changes.get(2).path("actor").asText()).startsWith("tenant:watched/");
    assertThat(changes.get(1).path("actor").asText()).isEqualTo("operator@127.0.0.1");
    assertThat(changes.get(2).path("object").asText()).isEqualTo("watched/m");
    assertThat(changes.get(2).path("detail").asText())
        .isEqualTo("grant " + id + ": watcher may read on key 'k'");
    assertThat(changes.toString()).doesNotContain(owner.substring(owner.lastIndexOf('_') + 1));
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      JsonNode schema = JSON.readTree(in).path("components").path("schemas").path("AuditEvent");
      changes.forEach(event -> assertHasWhatIsRequired(event, schema, "event"));
    }
    String kinds = "/api/v1/audit?tenant=watched&kind=grant.created,grant.revoked&limit=1";
    assertThat(json(call("GET", kinds, "")).path("events").findValuesAsText("kind"))
        .containsExactly("grant.revoked");

    assertThat(call("GET", "/api/v1/tenants", "", "Bearer kvs_nobody_nothing").statusCode())
        .isEqualTo(401);
    JsonNode access =
        json(call("GET", "/api/v1/audit?trail=access&kind=login.refused", "")).path("events");
    assertThat(access.findValuesAsText("actor")).contains("client@127.0.0.1");
    assertThat(access.findValuesAsText("detail")).contains("http");

    HttpResponse<String> exported = call("GET", "/api/v1/audit/export?tenant=watched", "");
    assertThat(exported.body().lines()).hasSize(4).allMatch(line -> line.startsWith("{\"v\":1,"));
    assertError(call("GET", "/api/v1/audit?trail=none", ""), 400, "bad_request");
    assertError(call("GET", "/api/v1/audit?kind=none", ""), 400, "bad_request");
    assertError(call("GET", "/api/v1/audit?limit=0", ""), 400, "bad_request");
    assertError(call("GET", "/api/v1/audit?from=soon", ""), 400, "bad_request");
    assertError(call("GET", "/api/v1/audit?colour=red", ""), 400, "bad_request");
  }

  @Test
  void grantsThatAreNoneAreRefusedByField() throws Exception {
    assertThat(call("POST", "/api/v1/tenants", "{\"name\":\"mistaken\"}").statusCode())
        .isEqualTo(201);
    String grants = "/api/v1/tenants/mistaken/maps/m/grants";
    Map<String, String> codes =
        Map.of(
            "{}",
            "bad_request",
            "{\"to\":\"nobody\",\"rights\":\"read\"}",
            "no_such_tenant",
            "{\"to\":\"mistaken\",\"rights\":\"read\"}",
            "wrong_grant",
            "{\"to\":\"mistaken\",\"rights\":\"fly\"}",
            "invalid_name",
            "{\"to\":\"mistaken\",\"rights\":\"read\",\"prefix\":\"\"}",
            "invalid_name",
            "{\"to\":\"mistaken\",\"rights\":\"read\",\"prefix\":\"a\",\"key\":\"b\"}",
            "bad_request",
            "{\"to\":\"mistaken\",\"rights\":\"read\",\"until\":\"x\"}",
            "bad_request",
            "{\"to\":\"mistaken\",\"rights\":\"read\",\"expiresAt\":\"soon\"}",
            "bad_request",
            "{\"to\":\"giver-of-none\",\"rights\":\"read\",\"expiresAt\":\"+1000000000-12-31T23:59:59Z\"}",
            "wrong_grant");
    for (Map.Entry<String, String> each : codes.entrySet()) {
      HttpResponse<String> answer = call("POST", grants, each.getKey());
      assertThat(json(answer).path("error").path("code").asText())
          .as("%s: %s", each.getKey(), answer.body())
          .isEqualTo(each.getValue());
    }
  }

  @Test
  void setsUpMapsAndShowsThem() throws Exception {
    assertThat(call("POST", "/api/v1/tenants", "{\"name\":\"mapper\"}").statusCode())
        .isEqualTo(201);
    String maps = "/api/v1/tenants/mapper/maps";
    assertThat(json(call("GET", maps, "")).path("maps")).isEmpty();
    JsonNode before = json(call("GET", maps + "/a%20map", ""));
    assertThat(before.path("durability").asText()).isEqualTo("everysec");
    assertThat(before.path("durabilityIsDefault").asBoolean()).isTrue();

    HttpResponse<String> set = call("PUT", maps + "/a%20map", "{\"durability\":\"always\"}");
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(json(set)).isEqualTo(json(call("GET", maps + "/a%20map", "")));
    assertThat(json(set).path("map").asText()).isEqualTo("a map");
    assertThat(json(set).path("durability").asText()).isEqualTo("always");
    assertThat(json(set).path("durabilityIsDefault").asBoolean()).isFalse();
    assertThat(json(set).path("pending").isArray()).isTrue();
    assertThat(json(set).path("pending")).isEmpty();
    assertThat(json(call("GET", maps, "")).path("maps"))
        .singleElement()
        .isEqualTo(((ObjectNode) json(set)).without("pending"));
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      assertHasWhatIsRequired(
          json(set), JSON.readTree(in).path("components").path("schemas").path("Map"), "map");
    }

    JsonNode evicting = json(call("PUT", maps + "/a%20map", "{\"overMemory\":\"evict\"}"));
    assertThat(evicting.path("overMemory").asText()).isEqualTo("evict");
    assertThat(evicting.path("overMemoryIsDefault").asBoolean()).isFalse();
    assertThat(evicting.path("durability").asText()).isEqualTo("always");
    JsonNode charging = json(call("PUT", maps + "/a%20map", "{\"chargedTo\":\"writer\"}"));
    assertThat(charging.path("chargedTo").asText()).isEqualTo("writer");
    assertThat(charging.path("chargedToIsDefault").asBoolean()).isFalse();
    assertThat(charging.path("overMemory").asText()).isEqualTo("evict");
    JsonNode again =
        json(
            call(
                "PUT",
                maps + "/a%20map",
                "{\"durability\":\"default\",\"overMemory\":\"default\",\"chargedTo\":\"default\"}"));
    assertThat(again).isEqualTo(before);
    assertThat(json(call("GET", maps, "")).path("maps")).isEmpty();
  }

  @Test
  void tellsWhatWasReclaimed() throws Exception {
    JsonNode reclaimed = json(call("GET", "/api/v1/memory/reclaimed", ""));
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      assertHasWhatIsRequired(
          reclaimed,
          JSON.readTree(in).path("components").path("schemas").path("Reclaimed"),
          "reclaimed");
    }
    assertThat(reclaimed.path("highPercent").asInt()).isEqualTo(95);
    assertThat(call("GET", "/metrics", "").body())
        .contains("kvs_memory_compacted_bytes_total", "kvs_spill_capacity_bytes");
  }

  @Test
  void tellsWhatIsWrongWithTheSettingsOfAMap() throws Exception {
    assertThat(call("POST", "/api/v1/tenants", "{\"name\":\"wrong\"}").statusCode()).isEqualTo(201);
    String map = "/api/v1/tenants/wrong/maps/orders";
    for (String body : List.of("{}", "{\"durability\":\"often\"}", "{\"durability\":7}")) {
      HttpResponse<String> refused = call("PUT", map, body);
      assertError(refused, 400, "bad_request");
      assertThat(json(refused).path("error").path("field").asText()).isEqualTo("durability");
      assertThat(json(refused).path("error").path("message").asText())
          .contains("none, everysec, always or default");
    }
    HttpResponse<String> never = call("PUT", map, "{\"overMemory\":\"never\"}");
    assertError(never, 400, "bad_request");
    assertThat(json(never).path("error").path("field").asText()).isEqualTo("overMemory");
    HttpResponse<String> everybody = call("PUT", map, "{\"chargedTo\":\"everybody\"}");
    assertError(everybody, 400, "bad_request");
    assertThat(json(everybody).path("error").path("field").asText()).isEqualTo("chargedTo");
    HttpResponse<String> unknown = call("PUT", map, "{\"durability\":\"none\",\"colour\":\"red\"}");
    assertError(unknown, 400, "bad_request");
    assertThat(json(unknown).path("error").path("field").asText()).isEqualTo("colour");
    String none = "{\"durability\":\"none\"}";
    assertError(call("PUT", "/api/v1/tenants/wrong/maps/a:b", none), 400, "invalid_name");
    assertError(call("PUT", "/api/v1/tenants/nobody/maps/a", none), 404, "no_such_tenant");
    assertError(call("GET", "/api/v1/tenants/nobody/maps", ""), 404, "no_such_tenant");
    assertError(call("POST", map, none), 405, "method_not_allowed");
  }

  @Test
  void refusesDurabilityWhereNothingIsOnDisk() throws Exception {
    try (Server dev = startServer(Map.of("dev", "true"))) {
      URI map =
          URI.create("http://127.0.0.1:" + dev.httpPort() + "/api/v1/tenants/dev/maps/orders");
      HttpResponse<String> refused =
          send(
              HttpRequest.newBuilder(map)
                  .header("Content-Type", "application/json")
                  .PUT(HttpRequest.BodyPublishers.ofString("{\"durability\":\"always\"}")));
      assertError(refused, 409, "nothing_on_disk");
      assertThat(json(refused).path("error").path("message").asText()).contains("--data");
      assertThat(json(send(HttpRequest.newBuilder(map).GET())).path("durability").asText())
          .isEqualTo("none");
    }
  }

  @Test
  void tellsWhatIsWrongWithARequest() throws Exception {
    assertError(call("POST", "/api/v1/tenants", "{\"name\":\"A b\"}"), 400, "invalid_name");
    assertError(call("POST", "/api/v1/tenants", "{\"name\":\"dev\"}"), 400, "reserved_name");
    assertError(call("POST", "/api/v1/tenants", "{}"), 400, "bad_request");
    assertError(call("POST", "/api/v1/tenants", "not json"), 400, "bad_request");
    assertError(call("POST", "/api/v1/tenants", "[]"), 400, "bad_request");
    assertError(call("GET", "/api/v1/nothing", ""), 404, "not_found");
    assertError(call("PUT", "/api/v1/tenants", "{}"), 405, "method_not_allowed");
    assertThat(
            raw(
                Objects.requireNonNull(server).httpPort(),
                "POST /api/v1/tenants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + key
                    + "\r\nContent-Length: 2097152\r\n\r\n"))
        .startsWith("HTTP/1.1 413");
  }

  @Test
  void keepsItsSecretsToItsOwner() throws IOException {
    for (String file : List.of("operator.key", "cluster.secret")) {
      Path path = directory.resolve("data").resolve(file);
      if (Files.exists(path)) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .as(file)
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void showsMetricsInTheOpenForm() throws Exception {
    String metrics = call("GET", "/metrics", "").body();
    assertThat(metrics).contains("kvs_members 1.0", "jvm_memory_used_bytes", "# EOF");
  }

  @Test
  void showsTheMemoryOfTheMemberAsItIsDocumented() throws Exception {
    HttpResponse<String> shown = call("GET", "/api/v1/memory", "");
    assertThat(shown.statusCode()).isEqualTo(200);
    JsonNode memory = json(shown);
    assertThat(memory.path("capacityBytes").asLong()).isEqualTo(MEMORY_BYTES);
    assertThat(memory.path("member").path("address").asText()).startsWith("127.0.0.1:");
    JsonNode tier = memory.path("tiers").get(0);
    assertThat(tier.path("placement").asText()).isEqualTo("round-robin");
    assertThat(tier.path("pools").get(0).path("capacityBytes").asLong()).isEqualTo(MEMORY_BYTES);
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      assertHasWhatIsRequired(
          memory, JSON.readTree(in).path("components").path("schemas").path("Memory"), "memory");
    }
  }

  /** Every field that the schema requires is there, and no other than it names. */
  private static void assertHasWhatIsRequired(JsonNode value, JsonNode schema, String path) {
    if (schema.path("type").asText().equals("array")) {
      value.forEach(item -> assertHasWhatIsRequired(item, schema.path("items"), path + "[]"));
    }
    for (JsonNode name : schema.path("required")) {
      assertThat(value.has(name.asText())).as("%s.%s", path, name.asText()).isTrue();
    }
    if (schema.has("properties")) {
      value
          .properties()
          .forEach(
              field -> {
                JsonNode of = schema.path("properties").path(field.getKey());
                assertThat(of.isMissingNode()).as("%s.%s", path, field.getKey()).isFalse();
                assertHasWhatIsRequired(field.getValue(), of, path + "." + field.getKey());
              });
    }
  }

  @Test
  void givesEmptyPagesBackToTheOperatingSystem() throws Exception {
    HttpResponse<String> answer = call("POST", "/api/v1/memory/return-to-os", "");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(json(answer).path("returnedBytes").isNumber()).isTrue();
    assertThat(json(answer).path("residentBytes").isNumber()).isTrue();
    assertError(call("GET", "/api/v1/memory/return-to-os", ""), 405, "method_not_allowed");
  }

  @Test
  void doesNotShowMemoryToTenants() throws Exception {
    String tenantKey =
        json(call("POST", "/api/v1/tenants", "{\"name\":\"nosy\"}")).path("key").asText();
    for (String route : List.of("GET /api/v1/memory", "POST /api/v1/memory/return-to-os")) {
      String[] parts = route.split(" ", 2);
      assertThat(call(parts[0], parts[1], "", "Bearer " + tenantKey).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void countsMemoryByTierPoolAndKind() throws Exception {
    String metrics = call("GET", "/metrics", "").body();
    String labels = "{kind=\"[a-z]+\",pool=\"dram\",tier=\"memory\"}";
    assertThat(metrics)
        .containsPattern(
            "kvs_memory_capacity_bytes\\" + labels.replace("}", "\\}") + " 6.7108864E7")
        .contains("kvs_memory_used_bytes{", "kvs_memory_resident_bytes{")
        .contains("kvs_memory_largest_free_run_bytes{")
        .contains("kvs_memory_fragmentation_external_ratio{")
        .contains("kvs_memory_fragmentation_internal_ratio ", "kvs_memory_returned_bytes_total{")
        .contains("kvs_memory_slabs_bytes{state=\"limbo\"}", "kvs_memory_refusals_total ");
  }

  @Test
  void letsADeveloperInFromThisMachineAndNoWebPage() throws Exception {
    try (Server dev = startServer(Map.of("dev", "true"))) {
      URI tenants = URI.create("http://127.0.0.1:" + dev.httpPort() + "/api/v1/tenants");
      assertThat(
              json(send(HttpRequest.newBuilder(tenants.resolve("/"))))
                  .path("keyNeeded")
                  .asBoolean())
          .isFalse();
      assertThat(send(HttpRequest.newBuilder(tenants).GET()).statusCode()).isEqualTo(200);
      HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("{\"name\":\"x\"}");
      assertThat(
              send(HttpRequest.newBuilder(tenants).header("Content-Type", "text/plain").POST(body))
                  .statusCode())
          .isEqualTo(415);
      assertThat(
              send(HttpRequest.newBuilder(tenants)
                      .header("Content-Type", "application/json")
                      .POST(body))
                  .statusCode())
          .isEqualTo(201);
      assertThat(
              raw(
                  dev.httpPort(),
                  "GET /api/v1/tenants HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
          .startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void tellsWhoAsksAndWhereClientsGo() throws Exception {
    JsonNode created = json(call("POST", "/api/v1/tenants", "{\"name\":\"myself\"}"));
    String access = "Bearer " + created.path("key").asText();
    assertThat(call("GET", "/api/v1/me", "").body()).isEqualTo("{\"role\":\"operator\"}");
    JsonNode me = json(call("GET", "/api/v1/me", "", access));
    assertThat(me.path("role").asText()).isEqualTo("tenant");
    assertThat(me.path("tenant").asText()).isEqualTo("myself");
    assertThat(me.path("keyId").asText()).isEqualTo(created.path("keyId").asText());
    Server running = Objects.requireNonNull(server);
    JsonNode endpoints = json(call("GET", "/api/v1/endpoints", "", access));
    assertThat(endpoints.at("/resp/port").asInt()).isEqualTo(running.respPort());
    assertThat(endpoints.at("/hazelcast/port").asInt()).isEqualTo(running.clientPort());
    assertThat(endpoints.at("/hazelcast/clusterName").asText()).isEqualTo("kvs");
  }

  @Test
  void servesTheConsoleToBrowsersAndTheIndexToPrograms() throws Exception {
    assertThat(json(call("GET", "/", "", "")).path("keyNeeded").asBoolean()).isTrue();
    HttpResponse<String> page = browse("/", "");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).startsWith("<!doctype html>");
    Set<String> named = new TreeSet<>();
    for (String path : ConsoleFiles.paths()) {
      HttpResponse<String> file = browse(path, "");
      assertThat(file.statusCode()).as(path).isEqualTo(200);
      assertThat(file.headers().firstValue("Content-Security-Policy"))
          .hasValue(ConsoleFiles.CONTENT_SECURITY_POLICY);
      assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(file.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
      assertThat(file.headers().firstValue("Cross-Origin-Opener-Policy")).hasValue("same-origin");
      assertThat(file.headers().firstValue("Cache-Control")).hasValue("no-cache");
      String etag = file.headers().firstValue("ETag").orElseThrow();
      HttpResponse<String> again = browse(path, etag);
      assertThat(again.statusCode()).as(path).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.headers().firstValue("ETag")).hasValue(etag);
      named.addAll(imports(path, file.body()));
    }
    named.add("/console/app.js");
    named.add("/console/style.css");
    named.add("/console/icon.svg");
    assertThat(ConsoleFiles.paths())
        .as("what some file names")
        .containsExactlyInAnyOrderElementsOf(named);
    assertThat(page.headers().firstValue("Content-Security-Policy"))
        .hasValue(ConsoleFiles.CONTENT_SECURITY_POLICY);
    assertThat(page.body())
        .doesNotContain("<style")
        .doesNotContain(" style=")
        .doesNotContain(" on");
  }

  @Test
  void servesNothingElseUnderTheConsolesPath() throws Exception {
    for (String path :
        List.of(
            "/console/",
            "/console/index.html",
            "/console/../openapi.json",
            "/console/%2e%2e/openapi.json",
            "/console/lib",
            "/console/lib/",
            "/console/lib%2Fdom.js%00",
            "/console//etc/passwd")) {
      assertThat(browse(path, "").statusCode()).as(path).isBetween(400, 404);
    }
  }

  private HttpResponse<String> browse(String path, String etag) throws Exception {
    int port = Objects.requireNonNull(server).httpPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    if (!etag.isEmpty()) {
      request.header("If-None-Match", etag);
    }
    return send(request);
  }

  /** The paths of the modules that a module imports. */
  private static List<String> imports(String path, String text) {
    return Pattern.compile(" from '([.][^']+)';")
        .matcher(text)
        .results()
        .map(found -> URI.create(path).resolve(found.group(1)).getPath())
        .toList();
  }

  @Test
  @Timeout(60)
  void streamsLiveFiguresUntilTheKeyIsRevoked() throws Exception {
    assertError(call("GET", "/api/v1/tenants/nobody/live", ""), 404, "no_such_tenant");
    try (BufferedReader all = stream("/api/v1/live", "Bearer " + key)) {
      assertThat(event(all).path("safe").asBoolean()).isTrue();
      // What was seen last does not have this tenant.
      JsonNode created = json(call("POST", "/api/v1/tenants", "{\"name\":\"streamed\"}"));
      String access = "Bearer " + created.path("key").asText();
      assertError(call("GET", "/api/v1/live", "", access), 403, "forbidden");
      streamUntilRevoked(all, access, created.path("keyId").asText());
      try (BufferedReader own = stream("/api/v1/tenants/streamed/live", "Bearer " + key)) {
        assertThat(event(own).at("/tenant/tenant").asText()).isEqualTo("streamed");
        assertThat(call("DELETE", "/api/v1/tenants/streamed", "").statusCode()).isEqualTo(200);
        assertThat(own.lines().toList()).as("it ends").isNotNull();
      }
    }
  }

  private void streamUntilRevoked(BufferedReader all, String access, String keyId)
      throws Exception {
    try (BufferedReader own = stream("/api/v1/tenants/streamed/live", access)) {
      JsonNode first = event(own);
      assertThat(first.at("/tenant/tenant").asText()).isEqualTo("streamed");
      assertThat(first.at("/tenant/operationsPerSecond").isNumber()).isTrue();
      assertThat(first.has("tenants")).isFalse();
      JsonNode cluster = event(all);
      while (!cluster.path("tenants").findValuesAsText("tenant").contains("streamed")) {
        cluster = event(all);
      }
      JsonNode schema = json(call("GET", "/openapi", "")).at("/components/schemas");
      assertHasWhatIsRequired(cluster, schema.path("LiveCluster"), "cluster");
      assertHasWhatIsRequired(cluster.at("/tenants/0"), schema.path("LiveTenant"), "tenant");
      assertThat(cluster.at("/members/0/partitions").asInt()).isPositive();
      assertThat(cluster.at("/log/chunks").isNumber()).isTrue();
      assertThat(Instant.parse(event(all).path("at").asText()))
          .isAfter(Instant.parse(cluster.path("at").asText()));
      String path = "/api/v1/tenants/streamed/keys/" + keyId;
      assertThat(call("DELETE", path, "").statusCode()).isEqualTo(200);
      assertThat(own.lines().filter(line -> line.startsWith("data:")).count())
          .as("events that were on their way")
          .isLessThanOrEqualTo(1);
      assertThat(event(all).path("at").asText()).isNotEmpty();
    }
  }

  @Test
  @Timeout(60)
  void endsThoughSomebodyWatches() throws Exception {
    try (Server ending = startServer(Map.of("dev", "true"))) {
      URI live = URI.create("http://127.0.0.1:" + ending.httpPort() + "/api/v1/live");
      HttpResponse<InputStream> response =
          http.send(
              HttpRequest.newBuilder(live).build(), HttpResponse.BodyHandlers.ofInputStream());
      try (BufferedReader events = reader(response.body())) {
        assertThat(event(events).path("safe").asBoolean()).isTrue();
        end(ending);
        assertThat(events.lines().toList()).doesNotContain("event: error");
      }
    }
  }

  /** Ends it before its block does. */
  private static void end(Server server) {
    server.close();
  }

  private BufferedReader stream(String path, String authorization) throws Exception {
    int port = Objects.requireNonNull(server).httpPort();
    HttpResponse<InputStream> response =
        http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", authorization)
                .build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
    return reader(response.body());
  }

  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  private static JsonNode event(BufferedReader events) throws IOException {
    String line = events.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = events.readLine();
    }
    return JSON.readTree(Objects.requireNonNull(line).substring("data: ".length()));
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

  private static Server startServer(Map<String, String> settings) {
    Map<String, String> flags = new HashMap<>(settings);
    for (String port : List.of("resp-port", "http-port", "client-port", "member-port")) {
      flags.put(port, "0");
    }
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    return Server.start(ConfigReader.read(null, flags));
  }

  private void assertError(HttpResponse<String> response, int status, String code)
      throws IOException {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(json(response).path("error").path("code").asText()).isEqualTo(code);
    assertThat(json(response).path("error").path("message").asText()).isNotEmpty();
    assertThat(response.body()).doesNotContain("\tat ").doesNotContain("Exception");
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> call(String method, String path, String body) throws Exception {
    return call(method, path, body, "Bearer " + key);
  }

  private HttpResponse<String> call(String method, String path, String body, String authorization)
      throws Exception {
    return send(request(method, path, body, authorization));
  }

  private HttpRequest.Builder request(
      String method, String path, String body, String authorization) {
    int port = Objects.requireNonNull(server).httpPort();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return request;
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String concrete(String path) {
    return path.replace("{tenant}", "nobody")
        .replace("{key}", "none")
        .replace("{map}", "none")
        .replace("{grant}", "1")
        .replace("{number}", "1");
  }

  private static Set<String> documentedRoutes() throws IOException {
    try (InputStream in = HttpDoor.class.getResourceAsStream("openapi.json")) {
      Set<String> routes = new TreeSet<>();
      JSON.readTree(in)
          .path("paths")
          .properties()
          .forEach(
              path ->
                  path.getValue()
                      .fieldNames()
                      .forEachRemaining(
                          method -> {
                            if (!method.equals("parameters")) {
                              routes.add(
                                  method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey());
                            }
                          }));
      return routes;
    }
  }
}
