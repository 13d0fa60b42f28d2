package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonReportTest {
  private static final WarmUp.Result WARM_UP =
      new WarmUp.Result("kvs", 12.4, false, List.of(25.0, 13.2));

  @Test
  void writesTableFiguresAndPlots(@TempDir Path folder) throws IOException {
    Shape shape = new Shape(1, 64, 16, Mix.of("50/50"), 0);
    Cell own = new Cell(shape, "kvs");
    Cell peer = new Cell(shape, "redis");
    own.rounds().add(window(1000, 2_000_000));
    peer.rounds().add(window(1000, 4_000_000));
    ComparisonReport report =
        new ComparisonReport("here", List.of(WARM_UP), List.of(own, peer), List.of());
    report.write(folder, "peers");

    assertThat(report.table())
        .contains("64 connections, pipeline 16, 50/50")
        .containsPattern("kvs +1,000 +2\\.00 ")
        .containsPattern("redis +1,000 +4\\.00 .* 0\\.50 +1\\.00 ");
    assertThat(folder.resolve("peers.txt")).content().contains(report.table());
    JsonNode json = new ObjectMapper().readTree(folder.resolve("peers.json").toFile());
    JsonNode group = json.at("/shapes/0");
    assertThat(group.at("/shape/connections").asInt()).isEqualTo(64);
    assertThat(group.at("/shape/mix/readPercent").asInt()).isEqualTo(50);
    assertThat(group.at("/servers/1/ratiosOfFirst/serverCpu").asDouble()).isEqualTo(0.5);
    assertThat(group.at("/servers/0/rounds/0/serverCpuMicros").asDouble()).isEqualTo(2);
    assertThat(Files.readString(folder.resolve("peers-cpu.svg"))).contains("redis, 64 connections");
    assertThat(folder.resolve("peers-cpu-ratio.svg")).content().contains("kvs / redis");
    assertThat(folder.resolve("peers-p99.svg")).isNotEmptyFile();
  }

  @Test
  void saysWhoWasNotWarm(@TempDir Path folder) throws IOException {
    Cell own = new Cell(new Shape(1, 1, 1, Mix.of("get"), 0), "kvs");
    own.rounds().add(window(1000, 2_000_000));
    ComparisonReport report =
        new ComparisonReport("here", List.of(WARM_UP), List.of(own), List.of());
    report.write(folder, "peers");
    assertThat(report.table()).contains("kvs 12 s, from 25.00 to 13.20 us and STILL FALLING");
    JsonNode warmUp =
        new ObjectMapper().readTree(folder.resolve("peers.json").toFile()).at("/warmUps/0");
    assertThat(warmUp.path("server").asText()).isEqualTo("kvs");
    assertThat(warmUp.path("settled").asBoolean(true)).isFalse();
    assertThat(warmUp.at("/cpuMicros/1").asDouble()).isEqualTo(13.2);
  }

  @Test
  void saysWhoMissedTheRate(@TempDir Path folder) throws IOException {
    Shape shape = new Shape(1, 64, 1, Mix.of("get"), 2000);
    Cell own = new Cell(shape, "kvs");
    Cell peer = new Cell(shape, "redis");
    own.rounds().add(offered(2000));
    peer.rounds().add(offered(1500));
    ComparisonReport report =
        new ComparisonReport("here", List.of(), List.of(own, peer), List.of());
    report.write(folder, "peers");
    assertThat(report.table())
        .contains("64 connections, pipeline 1, get, 2,000 ops/s offered")
        .containsPattern("kvs .* late 7 us\n")
        .containsPattern("redis .* late 7 us  MISSED THE RATE: 75%\n");
    JsonNode servers =
        new ObjectMapper().readTree(folder.resolve("peers.json").toFile()).at("/shapes/0/servers");
    assertThat(servers.at("/0/rateMissed").asBoolean(true)).isFalse();
    assertThat(servers.at("/1/rateMissed").asBoolean(false)).isTrue();
    assertThat(servers.at("/1/rounds/0/offeredPerSecond").asInt()).isEqualTo(2000);
  }

  private static Window offered(long answered) {
    Histogram late = new Histogram(3);
    late.recordValue(7000);
    Window window = window(answered, 1_000_000);
    return new Window(
        window.operations(),
        window.nanos(),
        window.costs(),
        1,
        window.latencies(),
        new Offer(2000, late));
  }

  private static Window window(long operations, long cpuNanos) {
    Costs costs = new Costs(cpuNanos, 0, 0, new CoreTimes(cpuNanos, 0));
    return new Window(List.of(operations), 1_000_000_000, costs, 1, new Histogram(3));
  }
}
