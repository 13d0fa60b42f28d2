package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands themselves, with real servers and for moments only: that they work, not how fast. As
 * {@link PeersBenchTest}, which is apart since both take long.
 */
class BenchRunTest {
  @TempDir private Path folder;

  @Test
  void clientsMeasuresBothKindsOfMembers() throws IOException {
    JsonNode results =
        run(
            "clients",
            "clients.json",
            "--rounds 1 --without coalescing-off --clients 2 --threads 3 --workloads a --members 1");
    assertThat(results.path("shapes")).hasSize(2);
    for (JsonNode shape : results.path("shapes")) {
      assertThat(shape.path("servers")).hasSize(2);
      for (JsonNode server : shape.path("servers")) {
        assertThat(server.at("/rounds/0/operationsPerSecond").asDouble()).isPositive();
      }
    }
    assertThat(results.at("/shapes/0/servers/1/rounds/0/operations")).hasSize(2);
    assertThat(results.at("/shapes/1/shape/threads").asInt()).isEqualTo(3);
  }

  @Test
  void stormOpensAndClosesManyConnectionsOfBothKinds() throws IOException {
    JsonNode results =
        run(
            "storm",
            "storm.json",
            "--rounds 1 --without redis,stock --connections 200 --rate 10 --hazelcast-connections 50"
                + " --hazelcast-rate 20");
    assertThat(results.path("storms")).hasSize(2);
    for (JsonNode storm : results.path("storms")) {
      assertThat(storm.path("results")).isNotEmpty();
      int connections = storm.at("/shape/connections").asInt();
      for (JsonNode result : storm.path("results")) {
        assertThat(result.at("/opening/answered").asInt()).isEqualTo(connections);
        assertThat(result.at("/active/operationsPerSecond").asDouble()).isPositive();
        assertThat(result.at("/active/lost")).isEmpty();
        int before = result.at("/memory/before/openFiles").asInt();
        assertThat(result.at("/memory/open/openFiles").asInt() - before)
            .as("some that the server had open itself may be closed by now")
            .isGreaterThanOrEqualTo(connections - Storm.STRAY_FILES);
        assertThat(result.at("/memory/filesKept").asInt()).isLessThan(connections / 2);
        assertThat(result.at("/memory/healthy").asBoolean()).isTrue();
      }
    }
  }

  @Test
  void queriesComparesAnswersOfThisProductAndOfStock() throws IOException {
    JsonNode results =
        run(
            "queries",
            "queries.json",
            "--rounds 1 --contenders ours,predicate-compact --clients 2 --queries get,q1,q3");
    assertThat(results.path("shapes")).hasSize(3);
    for (JsonNode shape : results.path("shapes")) {
      assertThat(shape.path("servers")).hasSize(2);
      for (JsonNode server : shape.path("servers")) {
        assertThat(server.at("/rounds/0/operationsPerSecond").asDouble()).isPositive();
      }
    }
    assertThat(results.at("/shapes/1/shape/rows").asInt()).isEqualTo(Query.Q1.expected(500).rows());
    assertThat(results.path("goals")).as("CPU and queries/s").hasSize(6);
  }

  private JsonNode run(String command, String file, String options) throws IOException {
    return Ran.shortly(command, options, folder.resolve(file));
  }
}
