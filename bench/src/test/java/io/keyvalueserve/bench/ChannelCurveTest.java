package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelCurveTest {
  private static final Map<String, Integer> CHANNELS = Map.of("kvs", 2, "kvs-coalescing-off", 0);

  @Test
  void hasAPointForEachNumberOfConnectionsAndALineForEachNumberOfChannels() {
    List<ChannelCurve> curves = ChannelCurve.of(cells(), CHANNELS);
    assertThat(curves).hasSize(2);
    ChannelCurve get = curves.getFirst();
    assertThat(get).hasToString("3 members, pipeline 1, get");
    assertThat(get.connections()).containsExactly(8, 64);
    assertThat(get.cells()).containsOnlyKeys(0, 2);
    assertThat(get.cpuMicros(2)).containsExactly(8.0, 64.0);
    assertThat(get.cpuMicros(0)).containsExactly(16.0, 128.0);
    assertThat(get.operationsPerSecond(0)).containsExactly(1000.0, 1000.0);
    assertThat(get.table().lines().skip(1))
        .containsExactly(
            "  CPU us    n      m=off        m=2   ops/s      m=off        m=2",
            "            8      16.00       8.00              1,000      1,000",
            "           64     128.00      64.00              1,000      1,000");
  }

  @Test
  void isWrittenAndDrawn(@TempDir Path folder) throws IOException {
    List<Cell> cells = cells();
    List<ChannelCurve> curves = ChannelCurve.of(cells, CHANNELS);
    ComparisonReport report = new ComparisonReport("here", List.of(), cells, curves);
    report.write(folder, "peers");
    assertThat(report.table()).contains(curves.getFirst().table());
    JsonNode json = new ObjectMapper().readTree(folder.resolve("peers.json").toFile());
    JsonNode curve = json.at("/channelCurves/0");
    assertThat(curve.path("members").asInt()).isEqualTo(3);
    assertThat(curve.path("connections")).hasSize(2);
    assertThat(curve.at("/series/0/channels").asInt()).isZero();
    assertThat(curve.at("/series/0/entryCpuMicros/1").asDouble()).isEqualTo(128);
    assertThat(curve.at("/series/1/operationsPerSecond/0").asDouble()).isEqualTo(1000);
    assertThat(folder.resolve("peers-channels-cpu.svg"))
        .content()
        .contains("3 members, pipeline 1, get", "m=off", "m=2", ">64<")
        .contains("points=\"110.0,") // the first point is at the left
        .contains(" 780.0,84.0\""); // the highest is at the right, at the top
    assertThat(folder.resolve("peers-channels-ops.svg")).content().contains("3 members, pipeline");
  }

  /** For each n both clusters and a peer; the processor time is n, and twice that without. */
  private static List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Mix mix : List.of(Mix.of("get"), Mix.of("50/50"))) {
      for (int n : List.of(64, 8)) {
        Shape shape = new Shape(3, n, 1, mix, 0);
        cells.add(cell(shape, "kvs", n));
        cells.add(cell(shape, "kvs-coalescing-off", 2L * n));
        cells.add(cell(shape, "redis", 1));
      }
    }
    return cells;
  }

  private static Cell cell(Shape shape, String server, long cpuMicros) {
    Cell cell = new Cell(shape, server);
    Costs costs = new Costs(cpuMicros * 1_000_000, 0, 0, new CoreTimes(0, 0));
    cell.rounds().add(new Window(List.of(1000L), 1_000_000_000, costs, 1, new Histogram(3)));
    return cell;
  }
}
