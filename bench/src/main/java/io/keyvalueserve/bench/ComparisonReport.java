package io.keyvalueserve.bench;

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
  private final List<Goal> goals = new ArrayList<>();

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

  /** Adds what the figures are held to. */
  void add(List<Goal> more) {
    goals.addAll(more);
  }

  /** Lines for a person. */
  String table() {
    StringBuilder table = new StringBuilder(conditions).append('\n');
    table.append(
        warmUps.stream()
            .map(WarmUp.Result::toString)
            .collect(Collectors.joining("; ", "warmed up, CPU for an operation: ", "\n")));
    table.append(HEAD);
    groups.forEach(
        (shape, cells) -> {
          table.append('\n').append(shape);
          for (Cell cell : cells) {
            table.append('\n').append(row(cell, cells.getFirst()));
          }
        });
    for (ChannelCurve curve : curves) {
      table.append("\n\nn connections, m messages under way to each other member: ");
      table.append(curve.table());
    }
    if (!goals.isEmpty()) {
      table.append("\ngoals");
      goals.forEach(goal -> table.append("\n  ").append(goal));
    }
    return table.append('\n').append(legend()).toString();
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
        ComparisonJson.of(conditions, warmUps, groups, curves, goals));
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
            ? " ".repeat(26)
            : String.format(
                Locale.ROOT,
                "   %7.2f %7.2f %7.2f",
                first.ratio(cell, Window::serverCpuMicros),
                first.ratio(cell, Window::operationsPerSecond),
                first.ratio(cell, w -> w.micros(99)));
    return (figures + ratios + remarks(cell)).stripTrailing();
  }

  private static String remarks(Cell cell) {
    StringBuilder remarks = new StringBuilder();
    if (hasRate(cell)) {
      remarks.append(
          String.format(Locale.ROOT, "  late %.0f us", cell.median(w -> w.offer().lateMicros(99))));
    }
    if (cell.mostly(Window::isRateMissed)) {
      remarks.append(
          String.format(Locale.ROOT, "  MISSED THE RATE: %.0f%%", 100 * cell.median(Window::kept)));
    }
    if (cell.mostly(Window::isLoadBound)) {
      remarks.append("  load");
    }
    if (cell.mostly(Window::isDisturbed)) {
      remarks.append("  disturbed");
    }
    return remarks.toString();
  }

  private static boolean hasRate(Cell cell) {
    return cell.mostly(window -> window.offer().hasRate());
  }
}
