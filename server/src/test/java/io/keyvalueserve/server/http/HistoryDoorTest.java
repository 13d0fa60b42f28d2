package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.billing.metering.Measure;
import io.keyvalueserve.server.TestUse;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The history of tenants over HTTP: from ledgers that are filled directly, and from memory. */
@ExtendWith(SharedHttpServer.class)
class HistoryDoorTest {
  private static final String NOON = "2026-03-02T12:00:00Z";
  private static final String SPAN = "from=" + NOON + "&to=2026-03-02T14:00:00Z";

  private final HttpServerUnderTest server;

  HistoryDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  private JsonNode history(String tenant, String query) {
    JsonNode body =
        server
            .operator("GET", "/api/v1/tenants/" + tenant + "/history?" + query, "")
            .is(200)
            .json();
    ApiSchema.of("History").assertIsThatOf(body);
    return body;
  }

  private TestUse tenant(String name) {
    JsonNode made =
        server.operator("POST", "/api/v1/tenants", "{\"name\":\"" + name + "\"}").is(201).json();
    return new TestUse(name, made.path("number").asInt());
  }

  @Test
  void longStepsAreTheMeansOfWhatTheLedgerHas() {
    TestUse use = tenant("past");
    assertThat(
            server
                .server()
                .ledger()
                .post(
                    List.of(
                        use.of("a", "2026-03-02T11:59:00Z", Map.of(Measure.READS, 600L)),
                        use.of("a", NOON, Map.of(Measure.READS, 60L, Measure.WRITES, 30L)),
                        use.of("b", NOON, Map.of(Measure.READS, 60L, Measure.DELETES, 30L)),
                        use.of("a", "2026-03-02T12:14:00Z", Map.of(Measure.BYTES_IN, 900L)),
                        use.of("a", "2026-03-02T13:01:00Z", Map.of(Measure.RESIDENT_BYTES, 6_000L)),
                        use.of("a", "2026-03-02T13:02:00Z", Map.of(Measure.REFUSED, 90L))))
                .left())
        .isEmpty();

    JsonNode minutes = history("past", SPAN);
    assertThat(minutes.path("stepSeconds").asInt()).isEqualTo(60);
    assertThat(minutes.path("source").asText()).isEqualTo("ledger");
    assertThat(minutes.path("points").findValuesAsText("at"))
        .containsExactly(
            NOON, "2026-03-02T12:14:00Z", "2026-03-02T13:01:00Z", "2026-03-02T13:02:00Z");
    JsonNode first = minutes.path("points").path(0);
    assertThat(first.path("operationsPerSecond").asDouble()).isEqualTo(3);
    assertThat(first.path("readsPerSecond").asDouble()).isEqualTo(2);
    assertThat(first.path("writesPerSecond").asDouble()).isEqualTo(1);
    assertThat(minutes.path("points").path(2).path("memoryBytes").asDouble()).isEqualTo(100);

    JsonNode anHour = history("past", "from=" + NOON + "&to=2026-03-02T13:00:00Z");
    assertThat(anHour.path("stepSeconds").asInt()).as("members know no shorter ones").isEqualTo(60);
    assertThat(anHour.path("points")).hasSize(2);

    JsonNode quarters = history("past", SPAN + "&step=15m&series=readsPerSecond,bytesInPerSecond");
    assertThat(quarters.path("series")).hasSize(2);
    assertThat(quarters.path("points")).hasSize(1);
    assertThat(quarters.path("points").path(0).path("bytesInPerSecond").asDouble()).isEqualTo(1);
    assertThat(quarters.path("points").path(0).has("writesPerSecond")).isFalse();

    JsonNode month = history("past", "from=2026-02-15T00:00:00Z&to=2026-03-18T00:00:00Z");
    assertThat(month.path("stepSeconds").asInt()).isEqualTo(86_400);
    assertThat(month.path("points")).hasSize(1);
    assertThat(
            history("past", "from=2026-02-15T00:00:00Z&to=2026-03-18T00:00:00Z&step=15m")
                .path("points"))
        .hasSize(3);
  }

  @Test
  void shortStepsAreOfTheLastHourAndOfATenantItself() {
    String key = server.tenant("present");
    String entry = "/api/v1/tenants/present/maps/m/entries/k";
    String path = "/api/v1/tenants/present/history?step=10s&from=";
    Instant before = Instant.now().minus(Duration.ofMinutes(1));
    assertThat(server.call(key, "PUT", entry, "value", "Content-Type", "text/plain").status() / 100)
        .isEqualTo(2);
    await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(
            () -> {
              JsonNode body = server.by(key, "GET", path + before, "").is(200).json();
              ApiSchema.of("History").assertIsThatOf(body);
              assertThat(body.path("source").asText()).isEqualTo("members");
              assertThat(Instant.parse(body.path("since").asText())).isBefore(Instant.now());
              assertThat(body.path("points").findValuesAsText("writesPerSecond"))
                  .singleElement()
                  .satisfies(rate -> assertThat(Double.parseDouble(rate)).isBetween(0.05, 0.2));
              JsonNode last = body.path("points").path(body.path("points").size() - 1);
              assertThat(last.path("entries").asDouble()).isEqualTo(1);
              assertThat(last.path("memoryBytes").asDouble()).isPositive();
            });
    JsonNode listed = server.by(key, "GET", "/api/v1/tenants/present/maps", "").json();
    assertThat(listed.path("maps").path(0).path("readsPerSecond").asDouble(-1)).isZero();
    server.by(server.tenant("curious-of-history"), "GET", path + before, "").is(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from=noon|from",
        "from=2026-03-02T12:00:00Z&to=2026-03-02T12:00:00Z|from",
        "from=1969-03-02T12:00:00Z&to=2026-03-02T12:00:00Z|from",
        "to=soon|to",
        "to=1969-12-31T23:59:59Z|to",
        "to=-1000000000-01-01T00:00:00Z|to",
        "from=2599-12-31T23:00:00Z&to=2600-01-01T00:00:01Z&step=10s|to",
        "from=2026-03-02T12:00:00Z&to=%2B1000000000-12-31T23:59:59Z|to",
        "step=7s|step",
        "from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z&step=10s|step",
        "from=2000-03-01T00:00:00Z&to=2026-03-02T00:00:00Z|step",
        "series=speed|series",
        "series=|series",
        "step=1m&series=readsPerSecond,entries|series",
        "until=now|until"
      })
  void tellsWhichParameterIsWrong(String query, String field) {
    tenantOnce();
    Answer refused =
        server
            .operator("GET", "/api/v1/tenants/refused-history/history?" + query, "")
            .is(400, "bad_request");
    assertThat(refused.json().path("error").path("field").asText()).isEqualTo(field);
  }

  private void tenantOnce() {
    if (server.operator("GET", "/api/v1/tenants/refused-history", "").status() == 404) {
      TestUse _ = tenant("refused-history");
    }
  }

  @Test
  void anUnknownTenantHasNone() {
    server.operator("GET", "/api/v1/tenants/nobody-there/history", "").is(404);
  }
}
