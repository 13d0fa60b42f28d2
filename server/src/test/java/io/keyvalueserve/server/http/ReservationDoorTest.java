package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Reservations at the HTTP door of a real server, which is a cluster of one member of 64 MiB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReservationDoorTest {
  private static final String PATH = "/api/v1/reservations";
  private static final long MIB = 1 << 20;

  private HttpServerUnderTest server;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    server.tenant("grantee");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Answer reserve(String map, long bytes) {
    return server.operator("POST", PATH, "{\"map\":\"" + map + "\",\"memoryBytes\":" + bytes + "}");
  }

  private void release(Answer made) {
    String id = made.json().path("id").asText();
    server.operator("DELETE", PATH + "/" + id, "").is(200);
  }

  private Answer grant(String key, String tenant) {
    return server.call(
        key,
        "POST",
        "/api/v1/tenants/" + tenant + "/maps/orders/grants",
        "{\"to\":\"grantee\",\"rights\":\"read\"}",
        "Content-Type",
        "application/json");
  }

  @Test
  void aReservedMapIsNobodyElses() {
    String key = server.tenant("alone");
    String id = grant(key, "alone").is(201).json().path("id").asText();
    Answer refused = reserve("alone/orders", MIB).is(409, "cannot_reserve");
    assertThat(refused.text()).contains("grant " + id + " to grantee");
    server.call(key, "DELETE", "/api/v1/tenants/alone/maps/orders/grants/" + id, "").is(200);
    Answer made = reserve("alone/orders", MIB).is(201);
    assertThat(grant(key, "alone").is(409, "reserved").text())
        .contains("reservation " + made.json().path("id").asText());
    server.operator("GET", "/api/v1/tenants/alone/maps/orders/grants", "").is(200);
    release(made);
    grant(key, "alone").is(201);
  }

  @Test
  void whatIsLeftIsToldAndNotPassed() {
    server.tenant("large");
    JsonNode memory = server.operator("GET", PATH, "").is(200).json().path("memory");
    long left = memory.path("leftBytes").asLong();
    assertThat(memory.path("clusterBytes").asLong()).isEqualTo(64 * MIB);
    assertThat(memory.path("mostBytes").asLong()).isEqualTo(64 * MIB / 100 * 80);
    assertThat(reserve("large/a", left + 1).is(409, "cannot_reserve").text())
        .contains("and " + left + " are left");
    Answer made = reserve("large/a", left).is(201);
    assertThat(server.operator("GET", PATH, "").json().at("/memory/leftBytes").asLong()).isZero();
    reserve("large/b", MIB).is(409, "cannot_reserve");
    release(made);
  }

  @Test
  void aQuotaBelowIsRefused() {
    server.tenant("limited");
    String quota = "/api/v1/tenants/limited/quota";
    Answer made = reserve("limited/orders", 2 * MIB).is(201);
    server.operator("PATCH", quota, "{\"memoryBytes\":" + MIB + "}").is(409, "reserved");
    server.operator("PUT", quota, "{\"memoryBytes\":" + 2 * MIB + "}").is(200);
    reserve("limited/orders", 3 * MIB).is(409, "cannot_reserve");
    release(made);
    server.operator("PATCH", quota, "{\"memoryBytes\":" + MIB + "}").is(200);
  }

  @Test
  void theOnlyMemberCannotBeReserved() {
    server.tenant("greedy");
    JsonNode member = server.operator("GET", "/api/v1/cluster", "").json().at("/members/0");
    for (String name : new String[] {"uuid", "address"}) {
      String body = "{\"tenant\":\"greedy\",\"member\":\"" + member.path(name).asText() + "\"}";
      assertThat(server.operator("POST", PATH, body).is(409, "cannot_reserve").text())
          .contains("are left");
    }
    server
        .operator("POST", PATH, "{\"tenant\":\"greedy\",\"member\":\"10.9.9.9:1\"}")
        .is(404, "no_such_member");
  }

  @Test
  void badRequestsNameTheField() {
    server.tenant("wrong");
    for (Map.Entry<String, String> bad :
        Map.of(
                "{}", "map",
                "{\"map\":\"orders\",\"memoryBytes\":1048576}", "map",
                "{\"map\":\"wrong/orders\"}", "memoryBytes",
                "{\"map\":\"wrong/orders\",\"memoryBytes\":\"1m\"}", "memoryBytes",
                "{\"map\":\"wrong/orders\",\"memoryBytes\":1e30}", "memoryBytes",
                "{\"map\":\"wrong/orders\",\"memoryBytes\":1048576,\"x\":1}", "x",
                "{\"member\":\"a\",\"memoryBytes\":1}", "memoryBytes",
                "{\"member\":\"a\"}", "tenant")
            .entrySet()) {
      Answer answer = server.operator("POST", PATH, bad.getKey()).is(400, "bad_request");
      assertThat(answer.json().at("/error/field").asText())
          .as(bad.getKey())
          .isEqualTo(bad.getValue());
    }
    reserve("wrong/orders", 5).is(400, "wrong_reservation");
    reserve("nobody/orders", MIB).is(404, "no_such_tenant");
    server.operator("DELETE", PATH + "/999", "").is(404, "no_such_reservation");
  }

  @Test
  void tenantsSeeTheirOwnAndTheTrailHasIt() {
    String key = server.tenant("seeing");
    Answer made = reserve("seeing/orders", MIB).is(201);
    String own = "/api/v1/tenants/seeing/reservations";
    JsonNode seen = server.call(key, "GET", own, "").is(200).json().path("reservations");
    assertThat(seen).hasSize(1);
    assertThat(seen.path(0).path("map").asText()).isEqualTo("seeing/orders");
    assertThat(seen.path(0).has("by")).isFalse();
    server.call(key, "GET", PATH, "").is(403, "forbidden");
    release(made);
    assertThat(server.call(key, "GET", own, "").json().path("reservations")).isEmpty();
    JsonNode trail =
        server
            .operator(
                "GET", "/api/v1/audit?tenant=seeing&kind=reservation.made,reservation.released", "")
            .is(200)
            .json();
    assertThat(trail.path("events").findValuesAsText("kind"))
        .containsExactly("reservation.released", "reservation.made");
    assertThat(trail.path("events").findValuesAsText("object")).containsOnly("seeing/orders");
  }

  @Test
  void aDeletedTenantGivesBackWhatItHad() {
    server.tenant("leaving");
    String id = reserve("leaving/orders", MIB).is(201).json().path("id").asText();
    server.operator("DELETE", "/api/v1/tenants/leaving", "").is(200);
    assertThat(server.operator("GET", PATH, "").json().path("reservations").findValuesAsText("id"))
        .doesNotContain(id);
  }
}
