package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.Table.figure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A comparison as a table, as JSON and as plots. The first server of each shape is the one that the
 * others are compared with.
 */
final class ComparisonReport {
  private static final String RATE_LEGEND =
      """

      Requests were sent by a timetable, whatever the server did: latencies count from when a request was due, also of
      those that were not answered when the time was up. "late": how late the load itself was, 99 of 100 times less:
      latencies are not more exact. "MISSED THE RATE": the server answered only so much of what was offered.\
      """;

  private final String conditions;
  private final List<WarmUp.Result> warmUps;
  private final Map<Record, List<Cell>> groups = new LinkedHashMap<>();
  private final List<ChannelCurve> curves;
  private final List<TypeMemory> memory = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();
  private final StringBuilder more = new StringBuilder();

  /**
   * @param conditions what was measured, and where
   * @param warmUps how the servers were warmed up
   * @param cells the results of a shape follow each other
   * @param curves drawn of some of the cells
   */
  ComparisonReport(
      String conditions, List<WarmUp.Result> warmUps, List<Cell> cells, List<ChannelCurve> curves) {
    this.conditions = conditions;
    this.warmUps = warmUps;
    this.curves = curves;
    for (Cell cell : cells) {
      groups.computeIfAbsent(cell.shape(), _ -> new ArrayList<>()).add(cell);
    }
  }

  /** Adds what elements take. */
  void weigh(List<TypeMemory> more) {
    memory.addAll(more);
  }

  /** Adds tables of another kind. */
  void append(String tables) {
    more.append(tables);
  }

  /** Adds what the figures are held to. */
  void add(List<Goal> some) {
    goals.addAll(some);
  }

  /** Lines for a person. */
  String table() {
    Table table = new Table(conditions, 24, 9);
    table.line(
        "warmed up, CPU for an operation: %s",
        warmUps.stream().map(WarmUp.Result::toString).collect(Collectors.joining("; ")));
    table.row(
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
    groups.forEach(
        (shape, cells) -> {
          table.line("%s", shape);
          cells.forEach(cell -> row(table, cell, cells.getFirst()));
        });
    for (ChannelCurve curve : curves) {
      table.line("%nn connections, m messages under way to each other member: %s", curve.table());
    }
    memory(table);
    if (!more.isEmpty()) {
      table.line("%s", more);
    }
    table.goals(goals);
    return table + legend();
  }

  private void memory(Table table) {
    if (memory.isEmpty()) {
      return;
    }
    table.line("%nmemory of an element in B, above what a client has given: all; resident memory");
    for (TypeMemory each : memory) {
      table.row(
          "  " + each.server(),
          figure(each.overheadBytes(), 1),
          figure(each.residentBytes() - each.payloadBytes(), 1),
          String.format(
              Locale.ROOT,
              "  %s, %,d elements of %d B",
              each.type(),
              each.elements(),
              each.payloadBytes()));
    }
  }

  private String legend() {
    List<String> firsts =
        groups.values().stream().map(cells -> cells.getFirst().server()).distinct().toList();
    String first = firsts.size() == 1 ? firsts.getFirst() : "the first of the same lines";
    boolean rates =
        groups.values().stream().flatMap(List::stream).anyMatch(ComparisonReport::hasRate);
    return """
    Figures are medians of the rounds. slowest: ops/s of the client that did the fewest. Latencies are
    those of a batch. server, others, load: how much of its core the server used, others used there,
    and how much of a core the load used. x: %s divided by that server, round by round, then the
    median: of CPU and latency below 1 is better, of ops/s above 1. At the end of a line:
    "load": the load used up its core and the server did not: ops/s and latency are the load's limit;
    "disturbed": others used a tenth or more of the server's or the load's core: mistrust the line, CPU least.\
    """
            .formatted(first)
        + (rates ? RATE_LEGEND : "");
  }

  /** Writes table, JSON and plots of the processor time and of the 99th percentile. */
  void write(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(name + ".txt"), table() + "\n");
    Files.writeString(
        folder.resolve(name + ".json"),
        ComparisonJson.of(conditions, warmUps, groups, curves, memory, goals));
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
    if (!curves.isEmpty()) {
      Lines cpus = new Lines("The entry's CPU for an operation", "us", "connections");
      Lines operations = new Lines("Operations", "1/s", "connections");
      for (ChannelCurve curve : curves) {
        draw(cpus, curve, curve::cpuMicros);
        draw(operations, curve, curve::operationsPerSecond);
      }
      Files.writeString(folder.resolve(name + "-channels-cpu.svg"), cpus.svg());
      Files.writeString(folder.resolve(name + "-channels-ops.svg"), operations.svg());
    }
  }

  private static void draw(Lines lines, ChannelCurve curve, IntFunction<List<Double>> figures) {
    lines.plot(curve.toString(), curve.connections());
    curve.cells().keySet().forEach(m -> lines.line(ChannelCurve.label(m), figures.apply(m)));
  }

  private static void row(Table table, Cell cell, Cell first) {
    boolean compared = !cell.isOf(first);
    table.row(
        "  " + cell.server(),
        figure(cell.median(Window::operationsPerSecond), 0),
        cell.hasClients() ? figure(cell.median(Window::slowestPerSecond), 0) : "",
        figure(cell.median(Window::serverCpuMicros), 2),
        figure(cell.median(w -> w.micros(50)), 1),
        figure(cell.median(w -> w.micros(99)), 1),
        figure(cell.median(w -> w.micros(99.9)), 1),
        Table.percent(cell.median(Window::serverBusy), 0),
        Table.percent(cell.median(Window::others), 0),
        Table.percent(cell.median(Window::loadBusy), 0),
        compared ? figure(first.ratio(cell, Window::serverCpuMicros), 2) : "",
        compared ? figure(first.ratio(cell, Window::operationsPerSecond), 2) : "",
        compared ? figure(first.ratio(cell, w -> w.micros(99)), 2) : "",
        remarks(cell));
  }

  private static String remarks(Cell cell) {
    List<String> remarks = new ArrayList<>();
    if (hasRate(cell)) {
      remarks.add(" late " + figure(cell.median(w -> w.offer().lateMicros(99)), 0) + " us");
    }
    if (cell.mostly(Window::isRateMissed)) {
      remarks.add(" MISSED THE RATE: " + Table.percent(cell.median(Window::kept), 0));
    }
    if (cell.mostly(Window::isLoadBound)) {
      remarks.add(" load");
    }
    if (cell.mostly(Window::isDisturbed)) {
      remarks.add(" disturbed");
    }
    return String.join(" ", remarks);
  }

  private static boolean hasRate(Cell cell) {
    return cell.mostly(window -> window.offer().hasRate());
  }
}
