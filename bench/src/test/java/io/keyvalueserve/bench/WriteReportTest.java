package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteReportTest {
  private static final WarmUp.Result WARM_UP =
      new WarmUp.Result("kvs everysec", 12, true, List.of(25.0, 1.3));

  @Test
  void chargesWritesWithWhatTheServerDoesLater(@TempDir Path folder) throws IOException {
    WriteReport report = report(100);
    report.write(folder);
    assertThat(report.table())
        .contains("100 B, 64 connections, pipeline 16, set")
        .containsPattern("kvs everysec +1,000 +1\\.20 ")
        .containsPattern("kvs none +1,000 +1\\.00 ");
    assertThat(
            new ObjectMapper()
                .readTree(folder.resolve("restart-writes.json").toFile())
                .at("/shapes/0/servers/0/rounds/0/laterCpuMicros")
                .asDouble())
        .isEqualTo(0.2, within(1e-9));
    assertThat(folder.resolve("restart-writes-cpu.svg")).content().contains("redis always");
  }

  @Test
  void holdsSmallAndLargeValuesToTheirGoals() {
    assertThat(WriteGoals.of(cells(100)))
        .extracting(Goal::bound, Goal::isMet)
        .containsExactly(tuple(1.25, true), tuple(0.8, true), tuple(1.0, false));
    assertThat(WriteGoals.of(cells(1024)))
        .extracting(Goal::bound, Goal::isMet)
        .containsExactly(tuple(1.5, true), tuple(0.6, true), tuple(1.0, false));
    assertThat(WriteGoals.of(cells(100).subList(0, 1))).isEmpty();
  }

  private static org.assertj.core.groups.Tuple tuple(double bound, boolean met) {
    return org.assertj.core.groups.Tuple.tuple(bound, met);
  }

  private static WriteReport report(int valueBytes) {
    return new WriteReport("here", new WriteRun.Results(List.of(WARM_UP), cells(valueBytes)));
  }

  private static List<Cell> cells(int valueBytes) {
    WriteShape shape = WriteShape.of(valueBytes, 64, 16);
    return List.of(
        cell(shape, WriteRun.kvs(Durability.EVERYSEC), 1000, 1_000_000, 200_000),
        cell(shape, WriteRun.kvs(Durability.NONE), 1000, 1_000_000, 0),
        cell(shape, WriteRun.kvs(Durability.ALWAYS), 900, 1_000_000, 0),
        cell(shape, WriteRun.redis(Durability.EVERYSEC), 1000, 2_000_000, 0),
        cell(shape, WriteRun.redis(Durability.ALWAYS), 1000, 2_000_000, 0));
  }

  private static Cell cell(WriteShape shape, String server, long writes, long cpu, long later) {
    Cell cell = new Cell(shape, server);
    Costs costs = new Costs(cpu, 0, 0, new CoreTimes(cpu, 0));
    Window window = new Window(List.of(writes), 1_000_000_000, costs, 1, new Histogram(3));
    cell.rounds().add(window.later(later));
    return cell;
  }
}
