package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is computed of a storm, and what is written of it. */
class StormResultTest {
  private static final StormShape SHAPE = new StormShape("RESP", 1000, 2, Mix.of("50/50"));

  @Test
  void dividesWhatItTakesByTheConnectionsThatItHas() {
    StormResult result = result("kvs", 200);
    assertThat(result.opening().answered()).isEqualTo(800);
    assertThat(result.opening().serverCpuMicros()).isEqualTo(50);
    assertThat(result.residentBytesEach()).isEqualTo(2000);
    assertThat(result.heapBytesEach()).isEqualTo(1000);
    assertThat(result.residentBytesKept()).isEqualTo(500);
    assertThat(result.heapBytesKept()).isEqualTo(-10);
    assertThat(result.filesKept()).isEqualTo(3);
  }

  @Test
  void givesEveryConnectionItsTurnOnceAPeriod() {
    assertThat(SHAPE.gapNanos()).isEqualTo(500_000);
    assertThat(SHAPE.periodNanos()).isEqualTo(500_000_000);
    StormShape odd = new StormShape("RESP", 7, 3, Mix.of("get"));
    assertThat(odd.periodNanos()).isEqualTo(7 * odd.gapNanos());
    assertThat(new StormShape("RESP", 10_000, 0.2, Mix.of("get")))
        .hasToString("RESP, 10,000 connections, 0.2/s each, get");
  }

  @Test
  void takesAnotherAddressBeforePortsRunOut() throws IOException {
    assertThat(StormConnection.source(19_999).getHostAddress()).isEqualTo("127.0.0.1");
    assertThat(StormConnection.source(20_000).getHostAddress()).isEqualTo("127.0.0.2");
    assertThat(StormConnection.source(6_000_000).getHostAddress()).isEqualTo("127.0.1.45");
  }

  @Test
  void writesTablesFiguresAndPlots(@TempDir Path folder) throws IOException {
    StormReport report = new StormReport("here", List.of(result("kvs", 200), result("redis", 0)));
    report.write(folder);
    assertThat(report.table())
        .contains("RESP, 1,000 connections, 2/s each, 50/50")
        .containsPattern("kvs +2\\.50 +800 +200 ")
        .containsPattern("kvs +0\\.0 +1\\.0 +1,000 +2,000 ")
        .contains("kvs: 200 refused: too many")
        .doesNotContain("redis: 0 refused");
    assertThat(folder.resolve("storm.txt")).content().contains(report.table());
    JsonNode json = new ObjectMapper().readTree(folder.resolve("storm.json").toFile());
    assertThat(json.at("/storms/0/shape/connections").asInt()).isEqualTo(1000);
    JsonNode first = json.at("/storms/0/results/0");
    assertThat(first.at("/opening/refused/too many").asInt()).isEqualTo(200);
    assertThat(first.at("/memory/residentBytesForEach").asDouble()).isEqualTo(2000);
    assertThat(first.at("/active/operationsPerSecond").asDouble()).isEqualTo(1600);
    assertThat(folder.resolve("storm-memory.svg")).content().contains("redis, RESP, 1,000");
    assertThat(folder.resolve("storm-opening.svg")).isNotEmptyFile();
    assertThat(folder.resolve("storm-p99.svg")).isNotEmptyFile();
  }

  private static StormResult result(String server, int refused) {
    Map<String, Integer> refusals = refused == 0 ? Map.of() : Map.of("too many", refused);
    Opening opening =
        new Opening(1000, new TreeMap<>(refusals), 2_500_000_000L, 40_000_000, 0, new Histogram(3));
    Costs costs = new Costs(0, 0, 0, new CoreTimes(0, 0));
    Window window = new Window(List.of(1600L), 1_000_000_000, costs, 1, new Histogram(3));
    return new StormResult(
        SHAPE,
        server,
        1,
        true,
        opening,
        new Activity(window, new TreeMap<>(), new Histogram(3)),
        new Footprint(1 << 20, 10_000, 20),
        new Footprint((1 << 20) + 1_600_000, 810_000, 820),
        new Footprint((1 << 20) + 400_000, 2_000, 23),
        1_000_000,
        true);
  }
}
