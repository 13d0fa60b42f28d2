package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kvs bench peers} itself, with real servers and for moments only: that it works, not how
 * fast.
 */
class PeersBenchTest {
  @TempDir private Path folder;

  @Test
  void peersMeasuresTheServerOfThisProduct() throws IOException {
    JsonNode results =
        run(
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
  void peersMeasuresTypes() throws IOException {
    JsonNode results =
        run(
            "--rounds 1 --without redis,valkey --connections 2 --pipeline 2 --workloads types"
                + " --leaderboard 300 --subscribers 3");
    assertThat(results.path("shapes")).hasSize(TypeLoad.values().length);
    for (JsonNode shape : results.path("shapes")) {
      assertThat(shape.at("/servers/0/rounds/0/operationsPerSecond").asDouble())
          .as(shape.path("name").asText())
          .isPositive();
    }
    assertThat(results.at("/shapes/11/name").asText())
        .isEqualTo("3 connections, pipeline 2, pubsub");
    assertThat(results.path("memory")).hasSize(4);
    assertThat(results.at("/memory/3/type").asText()).isEqualTo("sorted set");
    assertThat(folder.resolve("peers.txt")).content().contains("sorted set, 200 elements of 24 B");
  }

  private JsonNode run(String options) throws IOException {
    return Ran.shortly("peers", options, folder.resolve("peers.json"));
  }
}
