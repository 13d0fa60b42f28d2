package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands themselves, with real servers and for moments only: that they work, not how fast.
 */
class BenchRunTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  void peersMeasuresTheServerOfThisProduct() throws IOException {
    JsonNode results =
        run(
            "peers",
            "peers.json",
            "--rounds 2 --without redis,memcached,valkey,infinispan --connections 2 --pipeline 4"
                + " --workloads 50/50 --rate 5000");
    JsonNode server = results.at("/shapes/0/servers/0");
    assertThat(server.path("server").asText()).isEqualTo("kvs");
    assertThat(server.path("rounds")).hasSize(2);
    assertThat(server.at("/rounds/1/operationsPerSecond").asDouble()).isPositive();
    assertThat(server.at("/rounds/1/p99Micros").asDouble()).isPositive();
    assertThat(server.at("/rounds/1/offeredPerSecond").asInt()).isEqualTo(5000);
    assertThat(results.at("/warmUps/0/server").asText()).isEqualTo("kvs");
    assertThat(results.at("/warmUps/0/cpuMicros/0").asDouble()).isPositive();
    assertThat(folder.resolve("peers.txt"))
        .content()
        .contains("2 connections, pipeline 4, 50/50, 5,000 ops/s offered");
  }

  @Test
  void peersDrawsACurveForEachNumberOfChannels() throws IOException {
    JsonNode results =
        run(
            "peers",
            "peers.json",
            "--rounds 1 --without redis,memcached,valkey,infinispan --members 2 --channels 0,2"
                + " --connections 1,2 --pipeline 4 --workloads get");
    assertThat(results.path("shapes")).hasSize(2);
    assertThat(results.at("/shapes/0/shape/members").asInt()).isEqualTo(2);
    assertThat(results.at("/shapes/0/servers")).as("2 is what kvs has anyway").hasSize(2);
    JsonNode curve = results.at("/channelCurves/0");
    assertThat(curve.path("connections").toString()).isEqualTo("[1,2]");
    assertThat(curve.at("/series/0/channels").asInt()).isZero();
    assertThat(curve.at("/series/1/channels").asInt()).isEqualTo(2);
    for (JsonNode series : curve.path("series")) {
      assertThat(series.at("/entryCpuMicros/1").asDouble()).isPositive();
      assertThat(series.at("/operationsPerSecond/1").asDouble()).isPositive();
    }
    assertThat(folder.resolve("peers-channels-cpu.svg")).content().contains("m=off", "m=2");
  }

  @Test
  void clientsMeasuresBothKindsOfMembers() throws IOException {
    JsonNode results =
        run(
            "clients",
            "clients.json",
            "--rounds 2 --without coalescing-off --clients 2 --threads 3 --workloads a --members 1");
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

  private JsonNode run(String command, String file, String options) throws IOException {
    String line = "bench " + command + " " + options + " --seconds 0.2 --warm-up 0.2 --entries 500";
    List<String> words = new ArrayList<>(List.of((line + " --results").split(" ")));
    words.add(folder.toString());
    Ran.endsWith(0, words);
    assertThat(Files.exists(folder.resolve(file))).isTrue();
    return JSON.readTree(folder.resolve(file).toFile());
  }
}
