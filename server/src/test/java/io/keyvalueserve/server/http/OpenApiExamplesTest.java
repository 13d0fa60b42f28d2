package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageEvent;
import io.keyvalueserve.billing.metering.UsageIdentity;
import io.keyvalueserve.billing.metering.UsageQuantities;
import io.keyvalueserve.grid.ledger.Posted;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every example of {@code openapi.json}, sent to a real server: it answers as the example says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiExamplesTest {
  private HttpServerUnderTest server;

  /** What only the server can make up: the ids of keys and grants, and the access key. */
  private final Map<String, String> made = new HashMap<>();

  private record Operation(String method, String path, JsonNode of, JsonNode parameters) {
    /** What has to be there is made first, what removes it comes last. */
    int rank() {
      boolean isOfTenants = path.matches("/api/v1/tenants(/\\{tenant})?");
      return switch (method) {
        case "POST" -> isOfTenants ? 0 : path.matches(".*/(suspend|resume)") ? 2 : 1;
        case "PUT" -> 1;
        case "PATCH" -> 2;
        case "DELETE" -> isOfTenants ? 5 : 4;
        default -> 3;
      };
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    server.tenant("globex");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void everyExampleIsAnsweredAsTheDocumentSays() {
    List<Operation> operations = operations();
    assertThat(operations).hasSizeGreaterThan(40);
    operations.forEach(this::send);
  }

  private static List<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path :
        HttpServerUnderTest.openApi().path("paths").properties()) {
      for (Map.Entry<String, JsonNode> one : path.getValue().properties()) {
        if (!one.getKey().equals("parameters")) {
          all.add(
              new Operation(
                  one.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  one.getValue(),
                  path.getValue().path("parameters")));
        }
      }
    }
    all.sort(Comparator.comparingInt(Operation::rank));
    return all;
  }

  private void send(Operation operation) {
    String path = operation.path();
    for (JsonNode parameter : operation.parameters()) {
      String name = parameter.path("name").asText();
      assertThat(parameter.has("example")).as("%s: %s", operation, name).isTrue();
      path = path.replace("{" + name + "}", part(valueOf(operation, name, parameter)));
    }
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    List<String> headers = new ArrayList<>(List.of("Content-Type", "application/json"));
    for (JsonNode parameter : operation.of().path("parameters")) {
      String name = parameter.path("name").asText();
      if (parameter.has("example") && parameter.path("in").asText().equals("query")) {
        query.add(name + "=" + part(parameter.path("example").asText()));
      } else if (parameter.has("example")) {
        headers.addAll(List.of(name, parameter.path("example").asText()));
      }
    }
    Answer answer =
        server.call(
            keyFor(operation),
            operation.method(),
            path + query,
            bodyOf(operation),
            headers.toArray(String[]::new));
    check(operation, answer);
    keep(operation, answer);
  }

  private String valueOf(Operation operation, String name, JsonNode parameter) {
    boolean isMade = name.equals("grant") || operation.path().endsWith("/keys/{key}");
    String known = made.get(name);
    return isMade && known != null ? known : parameter.path("example").asText();
  }

  private String keyFor(Operation operation) {
    String own = made.get("accessKey");
    boolean isForTenants = !operation.of().path("security").findValues("accessKey").isEmpty();
    return isForTenants && own != null ? own : server.operatorKey();
  }

  private static String bodyOf(Operation operation) {
    JsonNode content = operation.of().path("requestBody").path("content");
    for (JsonNode media : content) {
      assertThat(media.has("example")).as(operation.toString()).isTrue();
      JsonNode example = media.path("example");
      return example.isTextual() ? example.asText() : example.toString();
    }
    return "";
  }

  private static void check(Operation operation, Answer answer) {
    if (operation.path().equals("/api/v1/cluster/members/{member}")) {
      answer.is(404, "no_such_member"); // one server has lost no member: SplitAcceptanceTest
      return;
    }
    if (operation.path().endsWith("/queries/{query}")) {
      answer.is(404, "not_found"); // none runs meanwhile
      return;
    }
    if (operation.path().matches(".*/maps/\\{map}/store(/dead-letters/retry)?")) {
      answer.is(404, "no_such_store"); // nothing is behind the map
      return;
    }
    if (operation.path().contains("/snapshots/{snapshot}")) {
      answer.is(404, "no_such_snapshot"); // ids are made up by the server: SnapshotDoorTest
      return;
    }
    if (operation.path().endsWith("/tenants/{tenant}/restore")) {
      answer.is(409, "snapshot_failed"); // instants are of the server's clock: SnapshotPlanTest
      return;
    }
    if (operation.path().endsWith("/tenants/{tenant}/hibernate")) {
      answer.is(409, "hibernation"); // the tenant has no maps yet: HibernationDoorTest
      return;
    }
    if (operation.path().endsWith("/snapshot-jobs/{job}")) {
      answer.is(404, "no_such_job");
      return;
    }
    if (operation.path().endsWith("/stores/{store}/check")) {
      answer.is(502, "store_unavailable"); // no database is there
      return;
    }
    assertThat(answer.status() / 100).as("%s: %s", operation, answer.text()).isEqualTo(2);
    JsonNode documented = operation.of().path("responses").path(String.valueOf(answer.status()));
    assertThat(documented.isMissingNode()).as("%s %s", operation, answer.status()).isFalse();
    documented
        .path("headers")
        .fieldNames()
        .forEachRemaining(
            name -> assertThat(answer.header(name)).as("%s: %s", operation, name).isNotEmpty());
    if (documented.has("content")) {
      String type = answer.header("Content-Type").split(";", -1)[0];
      JsonNode media = documented.path("content").path(type);
      assertThat(media.has("example")).as("%s: %s", operation, type).isTrue();
      JsonNode example = media.path("example");
      if (type.equals("application/json")) {
        assertThat(difference(example, answer.json(), operation.toString()))
            .as(answer.text())
            .isEmpty();
      } else if (operation.path().contains("/entries/")) {
        assertThat(answer.text()).as(operation.toString()).isEqualTo(example.asText());
      } else {
        assertThat(answer.text()).as(operation.toString()).isNotEmpty();
      }
    }
  }

  /**
   * Where an answer lacks what the example has, or has it of another kind; empty if nowhere. Of a
   * list, one element has to be as the example's first.
   */
  private static String difference(JsonNode example, JsonNode answer, String at) {
    boolean alike =
        example.isNumber() ? answer.isNumber() : example.getNodeType() == answer.getNodeType();
    if (!alike) {
      return at;
    }
    if (example.isArray() && !example.isEmpty()) {
      String last = at + "[0]";
      for (JsonNode element : answer) {
        last = difference(example.path(0), element, at + "[0]");
        if (last.isEmpty()) {
          break;
        }
      }
      return last;
    }
    for (Map.Entry<String, JsonNode> field : example.properties()) {
      String in =
          difference(field.getValue(), answer.path(field.getKey()), at + "." + field.getKey());
      if (!in.isEmpty()) {
        return in;
      }
    }
    return "";
  }

  private void keep(Operation operation, Answer answer) {
    switch (operation.toString()) {
      case "POST /api/v1/tenants" -> {
        made.put("accessKey", answer.json().path("key").asText());
        used(answer.json().path("tenant").asText(), answer.json().path("number").asInt());
      }
      case "POST /api/v1/tenants/{tenant}/keys" ->
          made.put("key", answer.json().path("keyId").asText());
      case "POST /api/v1/tenants/{tenant}/maps/{map}/grants" ->
          made.put("grant", answer.json().path("id").asText());
      default -> {}
    }
  }

  /** Has a tenant owe something. */
  private void used(String tenant, int number) {
    UsageIdentity identity =
        new UsageIdentity(
            UUID.randomUUID(),
            0,
            0,
            new TenantName(tenant),
            number,
            new QualifiedName(new TenantName(tenant), MapName.DEFAULT),
            SharingLevel.SHARED,
            System.currentTimeMillis() / 60_000);
    UsageQuantities quantities = UsageQuantities.of(Map.of(Measure.READS, 1_000L));
    Posted posted = server.server().ledger().post(List.of(new UsageEvent(identity, quantities)));
    assertThat(posted.taken()).isEqualTo(1);
  }

  private static String part(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
