package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** External stores, and tables behind maps, at the HTTP door of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreDoorTest {
  private static final String STORES = "/api/v1/stores";

  /** Where nobody answers. */
  private static final String URL = "jdbc:postgresql://127.0.0.1:1/erp";

  private HttpServerUnderTest server;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    server.tenant("backed");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Answer set(String name, String fields) {
    return server.operator(
        "PUT", STORES + "/" + name, "{\"jdbcUrl\":\"" + URL + "\"" + fields + "}");
  }

  private JsonNode show(String name) {
    return server.operator("GET", STORES + "/" + name, "").is(200).json();
  }

  private int changes() {
    return server
        .operator("GET", "/api/v1/audit?kind=store.set", "")
        .is(200)
        .json()
        .path("events")
        .size();
  }

  @Test
  void storesAreSetShownAndDeleted() {
    Answer made = set("first", "").is(200);
    ApiSchema.of("ExternalStore").assertIsThatOf(made.json());
    assertThat(made.json()).isEqualTo(show("first"));
    assertThat(made.json().path("hasPassword").asBoolean(true)).isFalse();
    assertThat(made.json().path("poolSize").asInt()).isEqualTo(10);
    assertThat(made.json().path("timeout").asText()).isEqualTo("5s");
    assertThat(made.json().path("maps")).isEmpty();
    set("first", ",\"user\":\"kvs\",\"poolSize\":3,\"timeout\":\"250ms\"").is(200);
    assertThat(show("first").path("user").asText()).isEqualTo("kvs");
    assertThat(show("first").path("timeout").asText()).isEqualTo("250ms");
    set("another", "").is(200);
    assertThat(server.operator("GET", STORES, "").json().path("stores").findValuesAsText("name"))
        .containsSubsequence("another", "first");
    server.operator("DELETE", STORES + "/first", "").is(200);
    Answer gone = server.operator("GET", STORES + "/first", "").is(404, "no_such_store");
    assertThat(gone.text()).contains("kvs store create first");
    server.operator("DELETE", STORES + "/first", "").is(404, "no_such_store");
    assertThat(set("first", "").is(200).json()).isEqualTo(made.json());
    Answer meant = server.operator("GET", STORES + "/frst", "").is(404, "no_such_store");
    assertThat(meant.text()).contains("did you mean first?");
  }

  @Test
  void passwordsStayUntilTheyAreChangedAndAreReturnedByNothing() {
    Answer made = set("sealed", ",\"password\":\"pass-1\"").is(200);
    assertThat(made.json().path("hasPassword").asBoolean()).isTrue();
    int before = changes();
    set("sealed", ",\"password\":\"pass-1\"").is(200);
    set("sealed", "").is(200);
    assertThat(show("sealed").path("hasPassword").asBoolean()).isTrue();
    server
        .operator("PUT", STORES + "/sealed", "{\"jdbcUrl\":\"jdbc:postgresql://evil.example/d\"}")
        .is(400, "invalid_store");
    assertThat(changes()).as("nothing has changed").isEqualTo(before);
    set("sealed", ",\"password\":\"pass-2\"").is(200);
    assertThat(changes()).isEqualTo(before + 1);
    String everything =
        server.operator("GET", STORES, "").text()
            + server.operator("GET", "/api/v1/audit", "").text();
    assertThat(everything).contains("sealed", "with another password").doesNotContain("pass-");
    set("sealed", ",\"password\":null").is(200);
    assertThat(show("sealed").path("hasPassword").asBoolean()).isFalse();
    server.operator("DELETE", STORES + "/sealed", "").is(200);
    set("sealed", "").is(200);
    assertThat(show("sealed").path("hasPassword").asBoolean())
        .as("one that was deleted leaves no password")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~{}~ | jdbcUrl",
        "~{\"jdbcUrl\":7}~ | jdbcUrl",
        "~{\"jdbcUrl\":\"\"}~ | jdbcUrl",
        "~{\"jdbcUrl\":\"postgresql://h/d\"}~ | jdbcUrl",
        "~{\"jdbcUrl\":\"jdbc:postgresql://h/d?socketFactory=x\"}~ | jdbcUrl",
        "~{\"jdbcUrl\":\"jdbc:postgresql://h/d?password=x\",\"password\":\"y\"}~ | password",
        "~{\"jdbcUrl\":\"jdbc:postgresql://u:x@h/d\"}~ | jdbcUrl",
        "~{\"jdbcUrl\":\"URL\",\"hasPassword\":true}~ | hasPassword",
        "~{\"jdbcUrl\":\"URL\",\"password\":true}~ | password",
        "~{\"jdbcUrl\":\"URL\",\"password\":\"\"}~ | password",
        "~{\"jdbcUrl\":\"URL\",\"user\":1}~ | user",
        "~{\"jdbcUrl\":\"URL\",\"poolSize\":0}~ | poolSize",
        "~{\"jdbcUrl\":\"URL\",\"poolSize\":1.5}~ | poolSize",
        "~{\"jdbcUrl\":\"URL\",\"timeout\":5}~ | timeout",
        "~{\"jdbcUrl\":\"URL\",\"timeout\":\"5 s\"}~ | timeout",
        "~{\"jdbcUrl\":\"URL\",\"timeout\":\"1h\"}~ | timeout",
      })
  void saysWhatIsWrongWithAStore(String body, String field) {
    Answer refused = server.operator("PUT", STORES + "/wrong", body.replace("URL", URL)).is(400);
    assertThat(refused.json().path("error").path("field").asText())
        .as(refused.text())
        .isEqualTo(field);
    assertThat(refused.json().path("error").path("message").asText()).contains(field);
    server.operator("GET", STORES + "/wrong", "").is(404, "no_such_store");
  }

  @Test
  void aPasswordInTheAddressIsMovedOutOfIt() {
    Answer made =
        server
            .operator("PUT", STORES + "/moved", "{\"jdbcUrl\":\"" + URL + "?password=pass-3\"}")
            .is(200);
    assertThat(made.json().path("jdbcUrl").asText()).isEqualTo(URL);
    assertThat(made.json().path("hasPassword").asBoolean()).isTrue();
    assertThat(made.text()).doesNotContain("pass-3");
  }

  @Test
  void namesHaveARule() {
    server
        .operator("PUT", STORES + "/Bad_Name", "{\"jdbcUrl\":\"" + URL + "\"}")
        .is(400, "invalid_name");
  }

  @Test
  void aCheckSaysThatNobodyAnswers() {
    set("silent", ",\"timeout\":\"500ms\"").is(200);
    Answer answer =
        server.operator("POST", STORES + "/silent/check", "").is(502, "store_unavailable");
    assertThat(answer.text()).contains("127.0.0.1");
    server.operator("POST", STORES + "/unknown/check", "").is(404, "no_such_store");
  }

  // ---- maps

  @Test
  void aTableIsPutBehindAMapAndTakenOff() {
    set("shop", "").is(200);
    String map = "/api/v1/tenants/backed/maps/orders";
    JsonNode before = server.operator("GET", map, "").json();
    assertThat(before.has("store")).isFalse();
    Answer put =
        server
            .operator("PUT", map, "{\"store\":{\"name\":\"shop\",\"table\":\"public.orders\"}}")
            .is(200);
    ApiSchema.of("Map").assertIsThatOf(put.json());
    JsonNode store = put.json().path("store");
    ApiSchema.of("MapStore").assertIsThatOf(store);
    assertThat(store.toString())
        .isEqualTo(
            "{\"name\":\"shop\",\"table\":\"public.orders\",\"mode\":\"read-through\","
                + "\"keyColumn\":\"id\",\"valueColumns\":[\"value\"],\"format\":\"value\","
                + "\"batch\":500,\"delay\":\"1s\",\"negativeTtl\":\"5s\",\"timeToLive\":\"none\","
                + "\"load\":\"lazy\",\"mostWaiting\":100000,"
                + "\"mostRate\":0,\"refreshAhead\":0,\"follow\":false}");
    assertThat(show("shop").path("maps").toString()).isEqualTo("[\"backed/orders\"]");
    assertThat(
            server
                .operator("GET", "/api/v1/tenants/backed/maps", "")
                .json()
                .at("/maps/0/store/table")
                .asText())
        .isEqualTo("public.orders");

    // What is shown is what can be set.
    server.operator("PUT", map, "{\"store\":" + store + "}").is(200);
    String all =
        "{\"name\":\"shop\",\"table\":\"t\",\"mode\":\"write-behind\",\"keyColumn\":\"no\","
            + "\"valueColumns\":[],\"format\":\"json\",\"batch\":7,\"delay\":\"0s\","
            + "\"negativeTtl\":\"2m\",\"timeToLive\":\"36h\",\"load\":\"eager\",\"mostWaiting\":9,"
            + "\"mostRate\":100,\"refreshAhead\":80,\"follow\":false}";
    JsonNode other = server.operator("PUT", map, "{\"store\":" + all + "}").is(200).json();
    assertThat(other.path("store").toString()).isEqualTo(all);

    Answer used = server.operator("DELETE", STORES + "/shop", "").is(409, "store_in_use");
    assertThat(used.text()).contains("backed/orders", "--store none");
    assertThat(server.operator("PUT", map, "{\"store\":null}").is(200).json()).isEqualTo(before);
    server.operator("PUT", map, "{\"store\":" + all + "}").is(200);
    assertThat(server.operator("PUT", map, "{\"store\":\"none\"}").is(200).json())
        .isEqualTo(before);
    server.operator("DELETE", STORES + "/shop", "").is(200);

    JsonNode events =
        server.operator("GET", "/api/v1/audit?kind=map.store_set", "").json().path("events");
    assertThat(events.findValuesAsText("object")).contains("backed/orders");
    assertThat(events.findValuesAsText("detail"))
        .contains(
            "none", "table t of shop, write-behind", "table public.orders of shop, read-through");
  }

  @Test
  void manyMapsThatUseAStoreAreNotAllNamed() {
    set("busy", "").is(200);
    String table = "{\"store\":{\"name\":\"busy\",\"table\":\"t\"}}";
    for (String map : List.of("b1", "b2", "b3", "b4")) {
      server.operator("PUT", "/api/v1/tenants/backed/maps/" + map, table).is(200);
    }
    Answer used = server.operator("DELETE", STORES + "/busy", "").is(409, "store_in_use");
    assertThat(used.text())
        .contains("4 maps: backed/b1, backed/b2, backed/b3, ...")
        .doesNotContain("b4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~7~ | store",
        "~{}~ | name",
        "~{\"name\":\"near\"}~ | table",
        "~{\"name\":\"near\",\"table\":\"t\",\"mode\":\"twice\"}~ | mode",
        "~{\"name\":\"near\",\"table\":\"t\",\"format\":\"xml\"}~ | format",
        "~{\"name\":\"near\",\"table\":\"t\",\"load\":\"now\"}~ | load",
        "~{\"name\":\"near\",\"table\":\"t\",\"valueColumns\":\"a\"}~ | valueColumns",
        "~{\"name\":\"near\",\"table\":\"t\",\"valueColumns\":[\"a\",\"b\"]}~ | valueColumns",
        "~{\"name\":\"near\",\"table\":\"t\",\"batch\":0}~ | batch",
        "~{\"name\":\"near\",\"table\":\"t\",\"delay\":\"2h\"}~ | delay",
        "~{\"name\":\"near\",\"table\":\"t\",\"timeToLive\":\"0s\"}~ | timeToLive",
        "~{\"name\":\"near\",\"table\":\"t\",\"refreshAhead\":true}~ | refreshAhead",
        "~{\"name\":\"neer\",\"table\":\"t\"}~ | store",
      })
  void saysWhatIsWrongWithWhatIsBehindAMap(String store, String field) {
    set("near", "").is(200);
    Answer refused =
        server
            .operator("PUT", "/api/v1/tenants/backed/maps/wrong", "{\"store\":" + store + "}")
            .is(400);
    assertThat(refused.json().path("error").path("field").asText())
        .as(refused.text())
        .isEqualTo(field);
  }

  @Test
  void theNearestNameIsSuggested() {
    set("near", "").is(200);
    String typo = "{\"store\":{\"name\":\"neer\",\"table\":\"t\"}}";
    Answer refused =
        server.operator("PUT", "/api/v1/tenants/backed/maps/typo", typo).is(400, "invalid_store");
    assertThat(refused.text()).contains("did you mean near?");
    server
        .operator(
            "PUT",
            "/api/v1/tenants/nobody/maps/typo",
            "{\"store\":{\"name\":\"near\",\"table\":\"t\"}}")
        .is(404, "no_such_tenant");
  }

  @Test
  void aTenantThatIsDeletedUsesNoStore() {
    set("left", "").is(200);
    server.tenant("leaving");
    server
        .operator(
            "PUT",
            "/api/v1/tenants/leaving/maps/m",
            "{\"store\":{\"name\":\"left\",\"table\":\"t\"}}")
        .is(200);
    server.operator("DELETE", "/api/v1/tenants/leaving", "").is(200);
    assertThat(show("left").path("maps")).isEmpty();
    server.operator("DELETE", STORES + "/left", "").is(200);
  }
}
