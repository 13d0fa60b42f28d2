package io.keyvalueserve.server.http;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans of snapshots, and instants that are restored, at the HTTP door of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = MINUTES)
class SnapshotPlanTest {
  private HttpServerUnderTest server;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    String _ = server.tenant("unplanned");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private static String of(String tenant) {
    return "/api/v1/tenants/" + tenant;
  }

  private JsonNode plan(String tenant) {
    JsonNode plan = server.operator("GET", of(tenant) + "/snapshot-plan", "").is(200).json();
    ApiSchema.of("SnapshotPlan").assertIsThatOf(plan);
    return plan;
  }

  private void put(String key, String tenant, String value) {
    Answer answer =
        server.by(key, "PUT", of(tenant) + "/maps/orders/entries/k", "\"" + value + "\"");
    assertThat(answer.status()).as(answer.text()).isBetween(200, 204);
  }

  private Answer restoreAt(String tenant, Instant at, String rest) {
    return server.operator("POST", of(tenant) + "/restore", "{\"at\":\"" + at + "\"," + rest + "}");
  }

  private JsonNode ended(Answer started) {
    String path = "/api/v1/snapshot-jobs/" + started.is(202).json().path("id").asText();
    await()
        .atMost(1, MINUTES)
        .until(
            () ->
                List.of("done", "failed")
                    .contains(server.operator("GET", path, "").json().path("state").asText()));
    return server.operator("GET", path, "").is(200).json();
  }

  @Test
  void anyInstantOfATenantWithAPlanIsRestored() {
    String key = server.tenant("planned");
    put(key, "planned", "first");
    JsonNode set =
        server
            .operator(
                "PUT",
                of("planned") + "/snapshot-plan",
                "{\"every\":\"1h\",\"keep\":\"7d\",\"archive\":true}")
            .is(200)
            .json();
    assertThat(set.path("every").asText()).isEqualTo("1h");
    await()
        .atMost(1, MINUTES)
        .until(
            () -> {
              JsonNode all = server.operator("GET", of("planned") + "/snapshots", "").json();
              JsonNode newest = all.path("snapshots").path(0);
              return newest.has("takenAt")
                  && plan("planned").has("archivedUntil")
                  && instant(plan("planned"), "archivedUntil").isAfter(instant(newest, "takenAt"));
            });

    List<Instant> instants = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      put(key, "planned", "value " + i);
      instants.add(tick());
    }
    Answer gone = server.by(key, "DELETE", of("planned") + "/maps/orders/entries/k", "");
    assertThat(gone.status()).as(gone.text()).isBetween(200, 204);
    Instant deleted = tick();
    await()
        .atMost(1, MINUTES)
        .until(() -> instant(plan("planned"), "archivedUntil").isAfter(deleted));
    assertThat(plan("planned").has("problem")).isFalse();

    for (int i = 0; i < instants.size(); i++) {
      Answer started = restoreAt("planned", instants.get(i), "\"as\":\"planned-" + i + "\"");
      String newKey = started.json().path("key").asText();
      JsonNode job = ended(started);
      assertThat(job.path("state").asText()).as(job.toString()).isEqualTo("done");
      assertThat(job.at("/result/takenAt").asText()).isEqualTo(instants.get(i).toString());
      assertThat(
              server
                  .by(newKey, "GET", of("planned-" + i) + "/maps/orders/entries/k", "")
                  .is(200)
                  .text())
          .isEqualTo("\"value " + i + "\"");
    }

    put(key, "planned", "after the accident");
    JsonNode into =
        ended(restoreAt("planned", instants.get(2), "\"into\":\"planned\",\"replace\":true"));
    assertThat(into.path("state").asText()).as(into.toString()).isEqualTo("done");
    assertThat(server.by(key, "GET", of("planned") + "/maps/orders/entries/k", "").is(200).text())
        .isEqualTo("\"value 2\"");

    Answer never = restoreAt("planned", Instant.parse("2020-01-01T00:00:00Z"), "\"as\":\"no\"");
    never.is(409, "snapshot_failed");
    assertThat(never.text()).contains("there is no snapshot from before");
    Answer notYet = restoreAt("planned", Instant.parse("2099-01-01T00:00:00Z"), "\"as\":\"no\"");
    notYet.is(409, "snapshot_failed");
    assertThat(notYet.text()).contains("is in the future");
    server.operator("GET", of("no"), "").is(404, "no_such_tenant");

    server.operator("DELETE", of("planned") + "/snapshot-plan", "").is(200);
    server.operator("GET", of("planned") + "/snapshot-plan", "").is(404, "no_snapshot_plan");
    server.operator("DELETE", of("planned") + "/snapshot-plan", "").is(404, "no_snapshot_plan");
    JsonNode events =
        server
            .operator("GET", "/api/v1/audit?kind=snapshot.plan_changed&tenant=planned", "")
            .is(200)
            .json()
            .path("events");
    assertThat(events.findValuesAsText("detail"))
        .hasSize(2)
        .contains("deleted")
        .anyMatch(detail -> detail.startsWith("every=1h keep=7d archive=true in file:"));
  }

  private static Instant instant(JsonNode of, String field) {
    return Instant.parse(of.path(field).asText("1970-01-01T00:00:00Z"));
  }

  /** Returns the present millisecond, when it is over. */
  private static Instant tick() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() <= now) {
      Thread.onSpinWait();
    }
    return Instant.ofEpochMilli(now);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"keep":"7d"}                                     | bad_request      | every: give a length
          {"every":"1h"}                                    | bad_request      | keep: give a length
          {"every":"soon","keep":"7d"}                      | bad_request      | every: give a length
          {"every":"1s","keep":"7d"}                        | invalid_snapshot | every: 1 s is not possible
          {"every":"1d","keep":"1h"}                        | invalid_snapshot | keep: 3600 s is not possible
          {"every":"1h","keep":"7d","archive":"yes"}        | bad_request      | archive: use true or false
          {"every":"1h","keep":"7d","repository":"ftp://x"} | invalid_snapshot | repository
          {"every":"1h","keep":"7d","never":1}              | bad_request      | never
          """)
  void plansThatAreNotPossibleAreRefused(String body, String code, String message) {
    Answer answer = server.operator("PUT", of("unplanned") + "/snapshot-plan", body);
    answer.is(400, code);
    assertThat(answer.text()).contains(message);
    server.operator("GET", of("unplanned") + "/snapshot-plan", "").is(404, "no_snapshot_plan");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"as":"x"}                                   | at: give an instant
          {"at":"yesterday","as":"x"}                  | at: give an instant
          {"at":"2026-01-01T00:00:00Z"}                | as: give 'as'
          {"at":"2026-01-01T00:00:00Z","into":"y"}     | replace:
          """)
  void instantsThatAreNoneAreRefused(String body, String message) {
    Answer answer = server.operator("POST", of("unplanned") + "/restore", body);
    answer.is(400, "bad_request");
    assertThat(answer.text()).contains(message);
  }
}
