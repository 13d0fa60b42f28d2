package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what: the server keeps to the table in {@code docs/http.md}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RolesTest {
  private static final Pattern ROW =
      Pattern.compile("\\| `([A-Z]+) (/[^`]*)` \\| (\\w+) \\| ((open|yes|no|its own)\\b.*) \\|");

  /** Fewer than are held back. */
  private static final int TRIES_OF_ADDRESS = 15;

  private HttpServerUnderTest server;
  private String own;
  private int tries;

  record Row(String method, String path, String operator, String tenant) {
    boolean isOpen() {
      return operator.equals("open");
    }

    String of(String name) {
      return path.replace("{tenant}", name)
          .replace("{map}", "none")
          .replace("{key}", "none")
          .replace("{grant}", "1")
          .replace("{query}", "none")
          .replace("{reservation}", "1")
          .replace("{store}", "none")
          .replace("{snapshot}", "none")
          .replace("{job}", "none")
          .replace("{member}", "none")
          .replace("{number}", "1");
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    own = server.tenant("keeper");
    server.tenant("other");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  static List<Row> table() throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "http.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(new Row(row.group(1), row.group(2), row.group(3), row.group(4)));
      }
    }
    return rows;
  }

  @Test
  void nobodyPassesWithoutAKeyOrWithABadOne() throws IOException {
    for (Row row : table()) {
      int wanted = row.isOpen() ? 200 : 401;
      Answer none = server.call(null, row.method(), row.of("keeper"), "");
      assertThat(none.status()).as(row.toString()).isEqualTo(wanted);
      for (String bad : List.of("wrong", "kvs_AbCdEfGhIj_" + "x".repeat(43), "")) {
        Answer answer = server.callFrom(address(), bad, row.method(), row.of("keeper"));
        assertThat(answer.status()).as("%s %s", row, bad).isEqualTo(wanted);
      }
    }
  }

  /** Another address every few tries, so that none is held back. */
  private String address() {
    return "127.0.1." + (1 + tries++ / TRIES_OF_ADDRESS);
  }

  @Test
  void tenantsPassAsTheTableSays() throws IOException {
    for (Row row : table()) {
      int status = ask(own, row, "keeper");
      boolean passes = row.isOpen() || !row.tenant().startsWith("no");
      assertThat(status != 403).as("%s own %s", row, status).isEqualTo(passes);
      assertThat(status).as(row.toString()).isNotEqualTo(401).isLessThan(500);
      if (!row.isOpen() && !row.tenant().startsWith("yes")) {
        assertThat(ask(own, row, "other")).as("%s of another", row).isEqualTo(403);
        assertThat(ask(own, row, "nobody")).as("%s of nobody", row).isEqualTo(403);
      }
    }
  }

  @Test
  void operatorsPassAsTheTableSays() throws IOException {
    for (Row row : table()) {
      int status = ask(server.operatorKey(), row, "nobody");
      boolean passes = !row.operator().equals("no");
      assertThat(status != 403).as("%s %s", row, status).isEqualTo(passes);
      assertThat(status).as(row.toString()).isNotEqualTo(401).isLessThan(500);
    }
  }

  private int ask(String key, Row row, String tenant) {
    String body = Set.of("POST", "PATCH", "PUT").contains(row.method()) ? "{}" : "";
    if (row.path().endsWith("/batch")) {
      body = "{\"operations\":[{\"op\":\"get\",\"key\":\"k\"}]}";
    }
    return server
        .call(key, row.method(), row.of(tenant), body, "Content-Type", "application/json")
        .status();
  }

  @Test
  void pathsThatAreWrittenOtherwiseOpenNothing() {
    for (String trick :
        List.of(
            "/api/v1/tenants/keeper/../other/grants",
            "/api/v1/tenants/keeper%2F..%2Fother/grants",
            "/api/v1/tenants/other/grants;keeper",
            "/api/v1//tenants/other/grants",
            "/api/v1/tenants/keeper/maps/..%2F..%2F..%2Fother%2Fgrants/grants",
            "/api/v1/tenants/keeper/maps/m/entries/..%2F..%2F..%2F..%2Fother",
            "/api/v1/tenants/other%2Fmaps%2Fm%2Fentries/maps/m/entries/k",
            "/api/v1/tenants/keeper/../other/maps/m/entries/k",
            "/api/v1/tenants/keeper;x/maps/m/entries/../../../../other")) {
      Answer answer = server.call(own, "GET", trick, "");
      assertThat(answer.status()).as("%s %s", trick, answer.text()).isNotEqualTo(200);
    }
  }

  @Test
  void saysWhoseKeyItIs() {
    assertThat(server.operator("GET", "/api/v1/me", "").is(200).text())
        .isEqualTo("{\"role\":\"operator\"}");
    JsonNode me = server.call(own, "GET", "/api/v1/me", "").is(200).json();
    assertThat(me.path("role").asText()).isEqualTo("tenant");
    assertThat(me.path("tenant").asText()).isEqualTo("keeper");
    assertThat(own).startsWith("kvs_" + me.path("keyId").asText() + "_");
  }

  @Test
  void aTenantKeepsItsKeysAndDoesNotShutItselfOutByMistake() {
    String first = server.tenant("rotating");
    String keys = "/api/v1/tenants/rotating/keys";
    String firstId = idOf(first);
    server.call(first, "DELETE", keys + "/" + firstId, "").is(409, "key_in_use");
    String second =
        server.call(first, "POST", keys, "{\"label\":\"ci\"}").is(201).json().path("key").asText();
    server.call(second, "DELETE", keys + "/" + idOf(second), "").is(409, "key_in_use");
    server.call(second, "DELETE", keys + "/" + firstId + "?force=maybe", "").is(400, "bad_request");
    server.call(second, "DELETE", keys + "/none", "").is(404, "no_such_key");
    server.call(second, "DELETE", keys + "/" + firstId, "").is(200);
    server.call(first, "GET", keys, "").is(401, "unauthorized");
    JsonNode changes =
        server.call(second, "GET", "/api/v1/audit?kind=key.created,key.revoked", "").is(200).json();
    assertThat(changes.findValuesAsText("actor"))
        .containsExactly("tenant:rotating/" + idOf(second), "tenant:rotating/" + firstId);
    server.call(second, "DELETE", keys + "/" + idOf(second) + "?force=true", "").is(200);
    server.call(second, "GET", keys, "").is(401, "unauthorized");
    server.operator("GET", keys, "").is(200);
  }

  @Test
  void aTenantMakesABoundedNumberOfKeys() {
    String key = server.tenant("hoarder");
    String keys = "/api/v1/tenants/hoarder/keys";
    for (int i = 1; i < 100; i++) {
      server.call(key, "POST", keys, "{}").is(201);
    }
    server.call(key, "POST", keys, "{}").is(409, "too_many_keys");
    server.operator("POST", keys, "{}").is(201);
  }

  private static String idOf(String key) {
    return key.split("_", -1)[1];
  }

  @Test
  void aTenantSeesItsOwnPartOnly() {
    server.tenant("neighbour");
    String watching = server.tenant("watching");
    server.operator("POST", "/api/v1/tenants/watching/keys", "{\"label\":\"x\"}").is(201);
    JsonNode top = server.call(watching, "GET", "/api/v1/top", "").is(200).json();
    assertThat(top.path("tenants").findValuesAsText("tenant")).containsExactly("watching");
    Answer audit = server.call(watching, "GET", "/api/v1/audit", "").is(200);
    assertThat(audit.json().path("events").findValuesAsText("kind"))
        .containsExactly("key.created", "tenant.created");
    assertThat(audit.json().path("events").findValuesAsText("actor"))
        .containsExactly("operator", "member");
    assertThat(audit.text()).doesNotContain("neighbour", "127.0.0.1@");
    server.call(watching, "GET", "/api/v1/audit?tenant=watching", "").is(200);
    server.call(watching, "GET", "/api/v1/audit?tenant=neighbour", "").is(403, "forbidden");
    server.call(watching, "GET", "/api/v1/audit?actor=operator@127.0.0.1", "").is(403, "forbidden");
    server.call(watching, "GET", "/api/v1/audit?actor=tenant:watching", "").is(200);
    JsonNode itself = server.call(watching, "GET", "/api/v1/tenants/watching", "").is(200).json();
    assertThat(itself.path("keys")).hasSize(2);
  }

  @Test
  void holdsBackAddressesThatShowManyBadKeysAndNobodyElse() {
    String path = "/api/v1/me";
    for (int i = 0; i < 20; i++) {
      server.callFrom("127.0.2.1", "guess-" + i, "GET", path).is(401, "unauthorized");
    }
    Answer held = server.callFrom("127.0.2.1", "guess", "GET", path);
    for (int i = 0; i < 1000 && held.status() == 401; i++) { // two a second are let through
      held = server.callFrom("127.0.2.1", "guess", "GET", path);
    }
    held.is(429, "too_many_failed_keys");
    assertThat(held.header("Retry-After")).isEqualTo("1");
    server.callFrom("127.0.2.2", "guess", "GET", path).is(401, "unauthorized");
    server.callFrom("127.0.2.1", own, "GET", path).is(200);
  }
}
