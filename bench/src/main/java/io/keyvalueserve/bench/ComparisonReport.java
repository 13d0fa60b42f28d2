package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A comparison as a table, as JSON and as plots. The first server of each shape is the one that the
 * others are compared with.
 */
final class ComparisonReport {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HEAD =
      String.format(
          "%-24s %11s %9s %8s %9s %9s %9s %6s %6s %6s   %7s %7s %7s",
          "",
          "ops/s",
          "slowest",
          "CPU us",
          "p50 us",
          "p99 us",
          "p99.9 us",
          "server",
          "others",
          "load",
          "CPU x",
          "ops/s x",
          "p99 x");

  private final String conditions;
  private final Map<Record, List<Cell>> groups = new LinkedHashMap<>();

  /**
   * @param conditions what was measured, and where
   * @param cells the results of a shape follow each other
   */
  ComparisonReport(String conditions, List<Cell> cells) {
    this.conditions = conditions;
    for (Cell cell : cells) {
      groups.computeIfAbsent(cell.shape(), _ -> new ArrayList<>()).add(cell);
    }
  }

  /** Lines for a person. */
  String table() {
    StringBuilder table = new StringBuilder(conditions).append('\n').append(HEAD);
    groups.forEach(
        (shape, cells) -> {
          table.append('\n').append(shape);
          for (Cell cell : cells) {
            table.append('\n').append(row(cell, cells.getFirst()));
          }
        });
    return table.append('\n').append(legend()).toString();
  }

  private String legend() {
    String first = groups.values().iterator().next().getFirst().server();
    return """
        Figures are medians of the rounds. slowest: ops/s of the client that did the fewest. Latencies are
        those of a batch. server, others, load: how much of its core the server used, others used there,
        and how much of a core the load used. x: %s divided by that server, round by round, then the
        median: of CPU and latency below 1 is better, of ops/s above 1. At the end of a line:
        "load": the load used up its core and the server did not: ops/s and latency are the load's limit;
        "disturbed": others used a tenth or more of the server's or the load's core: mistrust the line, CPU least."""
        .formatted(first);
  }

  /** Writes table, JSON and plots of the processor time and of the 99th percentile. */
  void write(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".txt"), table() + "\n");
    JSON.writerWithDefaultPrettyPrinter()
        .writeValue(folder.resolve(name + ".json").toFile(), json());
    Bars cpu = new Bars("Server CPU for an operation", "us");
    Bars ratios = new Bars("Server CPU for an operation, of the other server's", "ratio");
    Bars latency = new Bars("99th percentile of latency", "us");
    groups.forEach(
        (shape, cells) -> {
          for (Cell cell : cells) {
            String label = cell.server() + ", " + shape;
            cpu.add(label, cell.median(Window::serverCpuMicros));
            latency.add(label, cell.median(w -> w.micros(99)));
            if (!cell.isOf(cells.getFirst())) {
              ratios.add(
                  cells.getFirst().server() + " / " + label,
                  cells.getFirst().ratio(cell, Window::serverCpuMicros));
            }
          }
        });
    Files.writeString(folder.resolve(name + "-cpu.svg"), cpu.svg());
    Files.writeString(folder.resolve(name + "-cpu-ratio.svg"), ratios.svg());
    Files.writeString(folder.resolve(name + "-p99.svg"), latency.svg());
  }

  private static String row(Cell cell, Cell first) {
    String figures =
        String.format(
            Locale.ROOT,
            "  %-22s %,11.0f %9s %8.2f %9.1f %9.1f %9.1f %5.0f%% %5.0f%% %5.0f%%",
            cell.server(),
            cell.median(Window::operationsPerSecond),
            cell.hasClients()
                ? String.format(Locale.ROOT, "%,.0f", cell.median(Window::slowestPerSecond))
                : "",
            cell.median(Window::serverCpuMicros),
            cell.median(w -> w.micros(50)),
            cell.median(w -> w.micros(99)),
            cell.median(w -> w.micros(99.9)),
            100 * cell.median(Window::serverBusy),
            100 * cell.median(Window::others),
            100 * cell.median(Window::loadBusy));
    String ratios =
        cell.isOf(first)
            ? ""
            : String.format(
                Locale.ROOT,
                "   %7.2f %7.2f %7.2f",
                first.ratio(cell, Window::serverCpuMicros),
                first.ratio(cell, Window::operationsPerSecond),
                first.ratio(cell, w -> w.micros(99)));
    return figures
        + ratios
        + (cell.mostly(Window::isLoadBound) ? "  load" : "")
        + (cell.mostly(Window::isDisturbed) ? "  disturbed" : "");
  }

  private ObjectNode json() {
    ObjectNode all = JSON.createObjectNode();
    all.put("conditions", conditions);
    ArrayNode shapes = all.putArray("shapes");
    groups.forEach(
        (shape, cells) -> {
          ObjectNode group = shapes.addObject();
          group.put("name", shape.toString());
          group.putPOJO("shape", shape);
          ArrayNode servers = group.putArray("servers");
          for (Cell cell : cells) {
            servers.add(json(cell, cells.getFirst()));
          }
        });
    return all;
  }

  private static ObjectNode json(Cell cell, Cell first) {
    ObjectNode node = JSON.createObjectNode();
    node.put("server", cell.server());
    node.put("loadBound", cell.mostly(Window::isLoadBound));
    node.put("disturbed", cell.mostly(Window::isDisturbed));
    if (!cell.isOf(first)) {
      ObjectNode ratios = node.putObject("ratiosOfFirst");
      ratios.put("serverCpu", first.ratio(cell, Window::serverCpuMicros));
      ratios.put("operationsPerSecond", first.ratio(cell, Window::operationsPerSecond));
      ratios.put("p99", first.ratio(cell, w -> w.micros(99)));
    }
    ArrayNode rounds = node.putArray("rounds");
    for (Window window : cell.rounds()) {
      ObjectNode round = rounds.addObject();
      round.putPOJO("operations", window.operations());
      round.put("operationsPerSecond", window.operationsPerSecond());
      round.put("serverCpuMicros", window.serverCpuMicros());
      round.put("companionsCpuMicros", window.companionsCpuMicros());
      round.put("p50Micros", window.micros(50));
      round.put("p99Micros", window.micros(99));
      round.put("p999Micros", window.micros(99.9));
      round.put("longestMicros", window.micros(100));
      round.put("serverBusy", window.serverBusy());
      round.put("loadBusy", window.loadBusy());
      round.put("othersOnServerCore", window.others());
    }
    return node;
  }
}
