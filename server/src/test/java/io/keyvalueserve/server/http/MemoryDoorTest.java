package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The memory of a member over HTTP, as it is shown, counted and given back. */
@ExtendWith(SharedHttpServer.class)
class MemoryDoorTest {
  private static final long MEMORY_BYTES = 64L << 20;

  private final HttpServerUnderTest server;

  MemoryDoorTest(HttpServerUnderTest server) {
    this.server = server;
  }

  @Test
  void showsTheMemoryOfTheMemberAsItIsDocumented() {
    Answer shown = server.operator("GET", "/api/v1/memory", "").is(200);
    JsonNode memory = shown.json();
    assertThat(memory.path("capacityBytes").asLong()).isEqualTo(MEMORY_BYTES);
    assertThat(memory.path("member").path("address").asText()).startsWith("127.0.0.1:");
    JsonNode tier = memory.path("tiers").get(0);
    assertThat(tier.path("placement").asText()).isEqualTo("round-robin");
    assertThat(tier.path("pools").get(0).path("capacityBytes").asLong()).isEqualTo(MEMORY_BYTES);
    ApiSchema.of("Memory").assertIsThatOf(memory);
  }

  @Test
  void tellsWhatWasReclaimed() {
    JsonNode reclaimed = server.operator("GET", "/api/v1/memory/reclaimed", "").json();
    ApiSchema.of("Reclaimed").assertIsThatOf(reclaimed);
    assertThat(reclaimed.path("highPercent").asInt()).isEqualTo(95);
    assertThat(server.operator("GET", "/metrics", "").text())
        .contains("kvs_memory_compacted_bytes_total", "kvs_spill_capacity_bytes");
  }

  @Test
  void givesEmptyPagesBackToTheOperatingSystem() {
    Answer answer = server.operator("POST", "/api/v1/memory/return-to-os", "").is(200);
    assertThat(answer.json().path("returnedBytes").isNumber()).isTrue();
    assertThat(answer.json().path("residentBytes").isNumber()).isTrue();
    server.operator("GET", "/api/v1/memory/return-to-os", "").is(405, "method_not_allowed");
  }

  @Test
  void doesNotShowMemoryToTenants() {
    String tenantKey = server.tenant("nosy");
    for (String route : List.of("GET /api/v1/memory", "POST /api/v1/memory/return-to-os")) {
      String[] parts = route.split(" ", 2);
      server.by(tenantKey, parts[0], parts[1], "").is(403);
    }
  }

  @Test
  void countsMemoryByTierPoolAndKind() {
    String metrics = server.operator("GET", "/metrics", "").text();
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
}
