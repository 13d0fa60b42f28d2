package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Writes of every durability, by {@code kvs bench restart}; {@link RestartBenchTest} has its
 * restarts.
 */
class DurabilityBenchTest {
  @TempDir private Path folder;

  @Test
  void measuresWritesOfEveryDurability() throws IOException {
    JsonNode result =
        Ran.shortly(
            "restart",
            "--parts writes --write-bytes 100 --rounds 1 --connections 1,64 --pipeline 16"
                + " --without redis",
            folder.resolve("restart-writes.json"));
    assertThat(result.path("shapes")).hasSize(2);
    JsonNode usual = result.at("/shapes/0/servers");
    assertThat(usual)
        .extracting(server -> server.path("server").asText())
        .containsExactly("kvs everysec", "kvs none", "kvs always");
    for (JsonNode shape : result.path("shapes")) {
      for (JsonNode server : shape.path("servers")) {
        assertThat(server.at("/rounds/0/operationsPerSecond").asDouble()).isPositive();
        assertThat(server.at("/rounds/0/serverCpuMicros").asDouble()).isPositive();
      }
    }
    assertThat(result.path("goals")).isNotEmpty();
  }
}
