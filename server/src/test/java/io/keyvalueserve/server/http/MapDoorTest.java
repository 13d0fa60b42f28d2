package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The settings of maps over HTTP. */
@ExtendWith(SharedHttpServer.class)
class MapDoorTest {
  private final HttpServerUnderTest server;

  MapDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void setsUpMapsAndShowsThem() {
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"mapper\"}").is(201);
    String maps = "/api/v1/tenants/mapper/maps";
    assertThat(server.operator("GET", maps, "").json().path("maps")).isEmpty();
    JsonNode before = server.operator("GET", maps + "/a%20map", "").json();
    assertThat(before.path("durability").asText()).isEqualTo("everysec");
    assertThat(before.path("durabilityIsDefault").asBoolean()).isTrue();

    Answer set = server.operator("PUT", maps + "/a%20map", "{\"durability\":\"always\"}").is(200);
    assertThat(set.json()).isEqualTo(server.operator("GET", maps + "/a%20map", "").json());
    assertThat(set.json().path("map").asText()).isEqualTo("a map");
    assertThat(set.json().path("durability").asText()).isEqualTo("always");
    assertThat(set.json().path("durabilityIsDefault").asBoolean()).isFalse();
    assertThat(set.json().path("pending").isArray()).isTrue();
    assertThat(set.json().path("pending")).isEmpty();
    JsonNode listed = server.operator("GET", maps, "").json().path("maps");
    assertThat(listed).hasSize(1);
    assertThat(listed.path(0).path("entries").asLong(-1)).isZero();
    assertThat(listed.path(0).path("memoryBytes").asLong(-1)).isZero();
    ApiSchema.of("Map").assertIsThatOf(listed.path(0));
    JsonNode settings =
        ((ObjectNode) listed.path(0))
            .without(List.of("entries", "memoryBytes", "readsPerSecond", "writesPerSecond"));
    assertThat(settings).isEqualTo(((ObjectNode) set.json()).without("pending"));
    ApiSchema.of("Map").assertIsThatOf(set.json());

    JsonNode evicting =
        server.operator("PUT", maps + "/a%20map", "{\"overMemory\":\"evict\"}").json();
    assertThat(evicting.path("overMemory").asText()).isEqualTo("evict");
    assertThat(evicting.path("overMemoryIsDefault").asBoolean()).isFalse();
    assertThat(evicting.path("durability").asText()).isEqualTo("always");
    JsonNode charging =
        server.operator("PUT", maps + "/a%20map", "{\"chargedTo\":\"writer\"}").json();
    assertThat(charging.path("chargedTo").asText()).isEqualTo("writer");
    assertThat(charging.path("chargedToIsDefault").asBoolean()).isFalse();
    assertThat(charging.path("overMemory").asText()).isEqualTo("evict");
    JsonNode again =
        server
            .operator(
                "PUT",
                maps + "/a%20map",
                "{\"durability\":\"default\",\"overMemory\":\"default\",\"chargedTo\":\"default\"}")
            .json();
    assertThat(again).isEqualTo(before);
    assertThat(server.operator("GET", maps, "").json().path("maps")).isEmpty();
  }

  @Test
  void tellsWhatIsWrongWithTheSettingsOfAMap() {
    server.operator("POST", "/api/v1/tenants", "{\"name\":\"wrong\"}").is(201);
    String map = "/api/v1/tenants/wrong/maps/orders";
    for (String body : List.of("{}", "{\"durability\":\"often\"}", "{\"durability\":7}")) {
      Answer refused = server.operator("PUT", map, body).is(400, "bad_request");
      assertThat(refused.json().path("error").path("field").asText()).isEqualTo("durability");
      assertThat(refused.json().path("error").path("message").asText())
          .contains("none, everysec, always or default");
    }
    Answer never = server.operator("PUT", map, "{\"overMemory\":\"never\"}").is(400, "bad_request");
    assertThat(never.json().path("error").path("field").asText()).isEqualTo("overMemory");
    Answer everybody =
        server.operator("PUT", map, "{\"chargedTo\":\"everybody\"}").is(400, "bad_request");
    assertThat(everybody.json().path("error").path("field").asText()).isEqualTo("chargedTo");
    Answer unknown =
        server
            .operator("PUT", map, "{\"durability\":\"none\",\"colour\":\"red\"}")
            .is(400, "bad_request");
    assertThat(unknown.json().path("error").path("field").asText()).isEqualTo("colour");
    String none = "{\"durability\":\"none\"}";
    String tooLong = "/api/v1/tenants/wrong/maps/" + "m".repeat(256);
    server.operator("PUT", tooLong, none).is(400, "invalid_name");
    server.operator("PUT", "/api/v1/tenants/nobody/maps/a", none).is(404, "no_such_tenant");
    server.operator("GET", "/api/v1/tenants/nobody/maps", "").is(404, "no_such_tenant");
    server.operator("POST", map, none).is(405, "method_not_allowed");
  }

  @Test
  void refusesDurabilityWhereNothingIsOnDisk() {
    try (HttpServerUnderTest dev = HttpServerUnderTest.start(Map.of("dev", "true"))) {
      String map = "/api/v1/tenants/dev/maps/orders";
      Answer refused =
          dev.by(null, "PUT", map, "{\"durability\":\"always\"}").is(409, "nothing_on_disk");
      assertThat(refused.json().path("error").path("message").asText()).contains("--data");
      assertThat(dev.by(null, "GET", map, "").json().path("durability").asText()).isEqualTo("none");
    }
  }
}
