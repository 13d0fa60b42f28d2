package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Grants and locks of maps over HTTP. */
@ExtendWith(SharedHttpServer.class)
class GrantDoorTest {
  private final HttpServerUnderTest server;

  GrantDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void grantsListsAndRevokes() {
    String owner = server.tenant("giver");
    String taker = server.tenant("taker");
    String grants = "/api/v1/tenants/giver/maps/a%20map/grants";
    Answer first =
        server
            .operator(
                "POST", grants, "{\"to\":\"taker\",\"rights\":\"read,write\",\"prefix\":\"eu:\"}")
            .is(201);
    assertThat(first.json().path("map").asText()).isEqualTo("giver/a map");
    assertThat(first.json().path("rights").toString()).isEqualTo("[\"read\",\"write\"]");
    assertThat(first.json().path("by").asText()).isEqualTo("operator@127.0.0.1");
    Answer second =
        server
            .by(
                owner,
                "POST",
                grants,
                "{\"to\":\"taker\",\"rights\":[\"lock\"],\"key\":\"k\",\"expiresAt\":\"2100-01-01T00:00:00Z\"}")
            .is(201);
    assertThat(second.json().path("by").asText()).startsWith("tenant:giver/");

    assertThat(server.operator("GET", grants, "").json().path("grants")).hasSize(2);
    assertThat(server.operator("GET", "/api/v1/tenants/giver/grants", "").json().path("given"))
        .hasSize(2);
    Answer received = server.by(taker, "GET", "/api/v1/tenants/taker/grants", "");
    assertThat(received.json().path("received")).hasSize(2);
    assertThat(received.json().path("given")).isEmpty();
    ApiSchema schema = ApiSchema.of("Grant");
    received.json().path("received").forEach(schema::assertIsThatOf);

    String one = grants + "/" + first.json().path("id").asText();
    server.by(taker, "DELETE", one, "").is(403, "forbidden");
    assertThat(server.by(owner, "DELETE", one, "").json().path("state").asText())
        .isEqualTo("revoked");
    server.operator("DELETE", one, "").is(404, "no_such_grant");
    assertThat(server.operator("GET", grants, "").json().path("grants")).hasSize(1);
  }

  @Test
  void grantsListsAndRevokesChannels() {
    String owner = server.tenant("speaker");
    String taker = server.tenant("hearer");
    String grants = "/api/v1/tenants/speaker/channels/grants";
    Answer given =
        server
            .by(
                owner,
                "POST",
                grants,
                "{\"to\":\"hearer\",\"rights\":\"all\",\"prefix\":\"news:\"}")
            .is(201);
    assertThat(given.json().path("channels").asText()).isEqualTo("speaker");
    assertThat(given.json().has("map")).isFalse();
    assertThat(given.json().path("prefix").asText()).isEqualTo("news:");
    assertThat(given.json().path("rights").toString()).isEqualTo("[\"subscribe\",\"publish\"]");
    ApiSchema.of("Grant").assertIsThatOf(given.json());
    assertThat(server.by(owner, "GET", grants, "").json().path("grants")).hasSize(1);
    assertThat(server.by(taker, "GET", "/api/v1/tenants/hearer/grants", "").json().path("received"))
        .hasSize(1);
    assertThat(server.by(owner, "GET", "/api/v1/tenants/speaker/grants", "").json().path("given"))
        .hasSize(1);
    server.by(taker, "POST", grants, "{}").is(403, "forbidden");
    Map<String, String> codes =
        Map.of(
            "{\"to\":\"hearer\",\"rights\":\"read\",\"prefix\":\"a\"}", "invalid_name",
            "{\"to\":\"hearer\",\"rights\":\"publish\",\"prefix\":\"\"}", "invalid_name",
            "{\"to\":\"hearer\",\"rights\":\"publish\"}", "bad_request",
            "{\"to\":\"hearer\",\"rights\":\"publish\",\"key\":\"a\"}", "bad_request",
            "{\"to\":\"hearer\",\"rights\":\"subscribe\",\"prefix\":\"__key\"}", "wrong_grant",
            "{\"to\":\"speaker\",\"rights\":\"publish\",\"prefix\":\"a\"}", "wrong_grant");
    for (Map.Entry<String, String> each : codes.entrySet()) {
      Answer answer = server.operator("POST", grants, each.getKey());
      assertThat(answer.json().path("error").path("code").asText())
          .as("%s: %s", each.getKey(), answer.text())
          .isEqualTo(each.getValue());
    }
    server
        .operator(
            "POST",
            grants,
            "{\"to\":\"hearer\",\"rights\":\"subscribe\",\"prefix\":\"__keyspace@0__:\"}")
        .is(201);
    String one = grants + "/" + given.json().path("id").asText();
    server.by(taker, "DELETE", one, "").is(403, "forbidden");
    assertThat(server.by(owner, "DELETE", one, "").json().path("state").asText())
        .isEqualTo("revoked");
    server.operator("DELETE", one, "").is(404, "no_such_grant");
  }

  @Test
  void grantsThatAreNoneAreRefusedByField() {
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"mistaken\"}").is(201);
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
      Answer answer = server.operator("POST", grants, each.getKey());
      assertThat(answer.json().path("error").path("code").asText())
          .as("%s: %s", each.getKey(), answer.text())
          .isEqualTo(each.getValue());
    }
  }

  @Test
  void holdsBackATenantThatTriesWhoElseIsHere() {
    String curious = server.tenant("curious");
    String other = server.tenant("not-curious");
    server.tenant("somebody");
    String grants = "/api/v1/tenants/curious/maps/m/grants";
    for (int i = 0; i < 40; i++) {
      server.by(curious, "POST", grants, to("somebody")).is(201); // is not counted
    }
    int refused = 0;
    Answer answer = server.by(curious, "POST", grants, to("guess-0"));
    while (answer.status() != 429 && refused < 1_000) { // two a second are let through
      answer.is(404, "no_such_tenant");
      refused++;
      answer = server.by(curious, "POST", grants, to("guess-" + refused));
    }
    answer.is(429, "too_many_refused_grants");
    assertThat(answer.header("Retry-After")).isEqualTo("1");
    assertThat(refused).isGreaterThanOrEqualTo(20);

    Answer right = server.by(curious, "POST", grants, to("somebody"));
    while (right.status() != 429 && refused < 1_000) { // half a second had gone by
      right.is(201);
      refused += server.by(curious, "POST", grants, to("guess")).status() == 404 ? 1 : 0;
      right = server.by(curious, "POST", grants, to("somebody"));
    }
    right.is(429, "too_many_refused_grants");

    server
        .by(other, "POST", "/api/v1/tenants/not-curious/maps/m/grants", to("guess"))
        .is(404, "no_such_tenant");
    for (int i = 0; i < 40; i++) {
      server.operator("POST", grants, to("guess")).is(404, "no_such_tenant");
    }
    Answer trail =
        server.operator("GET", "/api/v1/audit?trail=access&kind=request.refused&limit=1000", "");
    int told = 0;
    for (JsonNode event : trail.is(200).json().path("events")) {
      if (event.path("actor").asText().startsWith("tenant:curious/")) {
        assertThat(event.path("object").asText()).isEqualTo("curious/m");
        assertThat(event.path("detail").asText())
            .matches("http: grant to guess(-\\d+)?: no_such_tenant");
        told += event.path("count").asInt();
      }
    }
    assertThat(told).isEqualTo(refused);
  }

  private static String to(String tenant) {
    return "{\"to\":\"" + tenant + "\",\"rights\":\"read\"}";
  }

  @Test
  void listsLocksAndTakesThemOff() {
    String owner = server.tenant("locker");
    String locks = "/api/v1/tenants/locker/maps/m/locks";
    assertThat(server.by(owner, "GET", locks, "").json().path("locks")).isEmpty();
    Answer none = server.by(owner, "DELETE", locks + "?key=a%2Fb", "").is(200);
    assertThat(none.json().path("locks")).isEmpty();
    assertThat(none.json().path("silent")).isEmpty();
    server.operator("DELETE", locks, "").is(400, "bad_request");
    server.operator("GET", "/api/v1/tenants/nobody/maps/m/locks", "").is(404, "no_such_tenant");
  }
}
