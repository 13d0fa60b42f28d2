package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import io.keyvalueserve.stores.EmbeddedDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of maps with tables of PostgreSQL, and their dead letters, at the HTTP door. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreStatusDoorTest {
  private static final String MAPS = "/api/v1/tenants/backed/maps/";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private EmbeddedDatabase database;
  private HttpServerUnderTest server;
  private String key;

  @BeforeAll
  void start(@TempDir Path directory) {
    database = EmbeddedDatabase.start();
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    key = server.tenant("backed");
    server.tenant("other");
    server
        .operator(
            "PUT",
            "/api/v1/stores/shop",
            "{\"jdbcUrl\":\"%s\",\"user\":\"%s\",\"timeout\":\"1s\"}"
                .formatted(database.jdbcUrl(), database.user()))
        .is(200);
  }

  @AfterAll
  void stop() {
    server.close();
    database.close();
  }

  private static void eventually(ThrowingRunnable check) {
    await().atMost(PATIENCE).untilAsserted(check);
  }

  private void table(String map) {
    database.execute(
        "DROP TABLE IF EXISTS " + map,
        "CREATE TABLE "
            + map
            + " (id text PRIMARY KEY, value text CONSTRAINT "
            + map
            + "_no_evil CHECK (value <> 'evil'))");
    server
        .operator(
            "PUT",
            MAPS + map,
            "{\"store\":{\"name\":\"shop\",\"table\":\""
                + map
                + "\",\"mode\":\"write-behind\","
                + "\"delay\":\"0s\"}}")
        .is(200);
  }

  private void write(String map, String name, String value) {
    Answer put =
        server.call(
            key, "PUT", MAPS + map + "/entries/" + name, value, "Content-Type", "text/plain");
    assertThat(put.status() / 100).as(put.text()).isEqualTo(2);
  }

  private Answer tenant(String method, String path, String body) {
    return server.by(key, method, MAPS + path, body);
  }

  private JsonNode status(String map) {
    return tenant("GET", map + "/store", "").is(200).json();
  }

  private JsonNode letters(String map) {
    return tenant("GET", map + "/store/dead-letters", "").is(200).json();
  }

  private void awaitLetters(String map, int count) {
    eventually(() -> assertThat(letters(map).path("total").asInt()).isEqualTo(count));
  }

  private JsonNode changes() {
    return server
        .operator("GET", "/api/v1/audit?kind=map.letters_ended", "")
        .is(200)
        .json()
        .path("events");
  }

  @Test
  void deadLettersAreListedRetriedAndDiscarded() {
    table("orders");
    database.execute("INSERT INTO orders VALUES ('b', 'good')");
    for (String name : new String[] {"a", "b", "c"}) {
      write("orders", name, "evil");
    }
    awaitLetters("orders", 3);

    Answer listed = tenant("GET", "orders/store/dead-letters", "").is(200);
    JsonNode first = listed.json().path("letters").path(0);
    ApiSchema.of("DeadLetter").assertIsThatOf(first);
    assertThat(listed.json().path("letters").findValuesAsText("key"))
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(first.path("operation").asText()).isEqualTo("write");
    assertThat(first.path("reason").asText()).contains("orders_no_evil");
    assertThat(first.path("valueBytes").asInt()).isEqualTo(4);
    assertThat(Instant.parse(first.path("since").asText())).isBefore(Instant.now());
    JsonNode one = tenant("GET", "orders/store/dead-letters?limit=1", "").is(200).json();
    assertThat(one.path("letters")).hasSize(1);
    assertThat(one.path("total").asInt()).isEqualTo(3);
    assertThat(one.path("silent")).isEmpty();

    discard("b");
    assertThat(server.call(key, "GET", MAPS + "orders/entries/b", "").is(200).text())
        .isEqualTo("good");
    database.execute("ALTER TABLE orders DROP CONSTRAINT orders_no_evil");
    Answer retried = tenant("POST", "orders/store/dead-letters/retry", "{\"all\":true}").is(200);
    assertThat(retried.text()).isEqualTo("{\"count\":2,\"silent\":[]}");
    awaitLetters("orders", 0);
    eventually(
        () ->
            assertThat(database.value("SELECT count(*) FROM orders WHERE value = 'evil'"))
                .isEqualTo("2"));
    assertThat(changes().findValuesAsText("object")).contains("backed/orders");
    assertThat(changes().findValuesAsText("detail")).contains("retried 2 of all");
    assertThat(changes().findValuesAsText("actor")).allMatch(actor -> actor.startsWith("tenant:"));
  }

  private void discard(String name) {
    String number = "";
    for (JsonNode letter : letters("orders").path("letters")) {
      if (letter.path("key").asText().equals(name)) {
        number = letter.path("number").asText();
      }
    }
    String body = "{\"numbers\":[\"" + number + "\"]}";
    Answer discarded = tenant("POST", "orders/store/dead-letters/discard", body).is(200);
    assertThat(discarded.json().path("count").asInt()).isEqualTo(1);
    assertThat(letters("orders").path("total").asInt()).isEqualTo(2);
    Answer again = tenant("POST", "orders/store/dead-letters/discard", body).is(200);
    assertThat(again.json().path("count").asInt()).isZero();
    assertThat(changes().findValuesAsText("detail")).contains("discarded 1 of 1: " + number);
  }

  @Test
  void theStatusIsShownAsMetricsAndAsAlertsToo() {
    table("figures");
    write("figures", "good", "fine");
    write("figures", "bad", "evil");
    eventually(
        () -> {
          JsonNode status = status("figures");
          assertThat(status.path("dead").asInt()).isEqualTo(1);
          assertThat(status.path("waiting").asInt()).isEqualTo(1);
          assertThat(status.path("written").asInt()).isEqualTo(1);
        });
    JsonNode status = status("figures");
    ApiSchema.of("MapStoreStatus").assertIsThatOf(status);
    assertThat(status.path("mode").asText()).isEqualTo("write-behind");
    assertThat(status.path("table").asText()).isEqualTo("figures");
    String labels = "{map=\"figures\",tenant=\"backed\"}";
    assertThat(server.operator("GET", "/metrics", "").is(200).text())
        .contains("kvs_store_dead_letters" + labels + " 1.0")
        .contains("kvs_store_written_rows_total" + labels + " 1.0")
        .contains("kvs_store_up" + labels + " 1.0");
    eventually(
        () ->
            assertThat(server.operator("GET", "/api/v1/alerts", "").is(200).text())
                .contains("The database behind map backed/figures has refused writes"));
  }

  @Test
  void whatADatabaseSaysIsForOperators() {
    table("broken");
    database.execute("DROP TABLE broken");
    Answer _ = server.call(key, "GET", MAPS + "broken/entries/a", "");
    eventually(() -> assertThat(status("broken").has("problem")).isTrue());
    assertThat(status("broken").path("problem").asText())
        .isEqualTo("the external store cannot be reached");
    Answer asOperator = server.operator("GET", MAPS + "broken/store", "").is(200);
    ApiSchema.of("MapStoreStatus").assertIsThatOf(asOperator.json());
    assertThat(asOperator.json().path("problem").asText()).contains("broken");
    eventually(
        () ->
            assertThat(server.operator("GET", "/api/v1/alerts", "").is(200).text())
                .contains("The database behind map backed/broken does not work"));
    server.operator("PUT", MAPS + "broken", "{\"store\":null}").is(200);
  }

  @Test
  void aMapWithoutAStoreHasNoStatus() {
    tenant("GET", "plain/store", "").is(404, "no_such_store");
    tenant("POST", "plain/store/dead-letters/retry", "{\"all\":true}").is(404, "no_such_store");
    assertThat(letters("plain").path("total").asInt()).isZero();
    tenant("POST", "plain/store/dead-letters/discard", "{\"all\":true}").is(200);
    String others = "/api/v1/tenants/other/maps/plain/store";
    server.by(key, "GET", others, "").is(403);
    server.by(key, "POST", others + "/dead-letters/discard", "{\"all\":true}").is(403);
    server.operator("GET", "/api/v1/tenants/nobody/maps/m/store", "").is(404, "no_such_tenant");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "~{}~ | numbers",
        "~{\"all\":false}~ | all",
        "~{\"all\":\"yes\"}~ | all",
        "~{\"all\":true,\"numbers\":[\"1-1\"]}~ | numbers",
        "~{\"numbers\":[]}~ | numbers",
        "~{\"numbers\":\"1-1\"}~ | numbers",
        "~{\"numbers\":[7]}~ | numbers",
        "~{\"numbers\":[\"-1-1\"]}~ | numbers",
        "~{\"some\":true}~ | some",
      })
  void saysWhatIsWrong(String body, String field) {
    for (String end : new String[] {"retry", "discard"}) {
      Answer refused = tenant("POST", "any/store/dead-letters/" + end, body).is(400);
      assertThat(refused.json().path("error").path("field").asText()).isEqualTo(field);
    }
    for (String limit : new String[] {"0", "1001", "x", ""}) {
      tenant("GET", "any/store/dead-letters?limit=" + limit, "").is(400);
    }
  }
}
