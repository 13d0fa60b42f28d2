package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Storms as tables, as JSON and as plots. */
final class StormReport {
  private static final double MIB = 1 << 20;
  private static final int LABEL = 14;
  private static final String NAME = "storm";
  private static final String LEGEND =
      """
      opening: all at once, until each was answered its first request. refused: had no answer within 60 s, or were
        sent away. first: from the attempt to the answer. CPU us: the server's for each. full: how often a queue of
        connections to accept was full on this machine; a client then tries again after 1 s, 2 s, 4 s.
      active: latencies count from when a request was due. late: how late the load itself was, 99 of 100 times less.
        server, others: how much of its core the server used, and others used there. load: how much of a core the
        load used; it looks for answers all the time. lost: connections.
      memory: heap is what is alive on the Java heap, RSS what the operating system counts, without the kernel's
        own for connections; B: for each connection, open and then after all were closed. files: open ones that
        were not there before. A JVM whose heap was resident before grows by less than what is alive there.
      disturbed: others used a tenth or more of the server's or the load's core: mistrust the line.""";

  private final String conditions;
  private final Map<StormShape, List<StormResult>> groups = new LinkedHashMap<>();

  /**
   * @param conditions what was measured, and where
   */
  StormReport(String conditions, List<StormResult> results) {
    this.conditions = conditions;
    for (StormResult result : results) {
      groups.computeIfAbsent(result.shape(), _ -> new ArrayList<>()).add(result);
    }
  }

  /** Lines for a person. */
  String table() {
    StringBuilder table = new StringBuilder(conditions).append('\n');
    groups.forEach(
        (shape, results) -> {
          table.append('\n').append(shape).append('\n');
          part(table, openingHead(), results, StormReport::openingRow);
          part(table, activeHead(), results, StormReport::activeRow);
          part(table, memoryHead(), results, StormReport::memoryRow);
          results.forEach(result -> reasons(table, result));
        });
    return table.append('\n').append(LEGEND).toString();
  }

  private static void part(
      StringBuilder table,
      String head,
      List<StormResult> results,
      Function<StormResult, String> row) {
    table.append(head).append('\n');
    results.forEach(result -> table.append(row.apply(result)).append('\n'));
  }

  private static void reasons(StringBuilder table, StormResult result) {
    result
        .opening()
        .refusals()
        .forEach((reason, count) -> reason(table, result, "refused", reason, count));
    result
        .activity()
        .losses()
        .forEach((reason, count) -> reason(table, result, "lost", reason, count));
  }

  private static void reason(
      StringBuilder table, StormResult result, String what, String reason, int count) {
    table.append(
        String.format(Locale.ROOT, "  %s: %,d %s: %s%n", result.label(), count, what, reason));
  }

  private static String openingHead() {
    return row(
        "opening",
        "all s",
        "open",
        "refused",
        "1st p50 ms",
        "1st p99 ms",
        "1st max ms",
        "CPU us",
        "full");
  }

  private static String openingRow(StormResult result) {
    Opening o = result.opening();
    return row(
        "  " + result.label(),
        figure(o.seconds(), 2),
        figure(o.answered(), 0),
        figure(o.refused(), 0),
        figure(o.millis(50), 1),
        figure(o.millis(99), 1),
        figure(o.millis(100), 1),
        figure(o.serverCpuMicros(), 1),
        figure((double) o.overflows(), 0));
  }

  private static String activeHead() {
    return row(
        "active",
        "ops/s",
        "CPU us",
        "p50 us",
        "p99 us",
        "p99.9 us",
        "late us",
        "server",
        "others",
        "load",
        "lost");
  }

  private static String activeRow(StormResult result) {
    Window w = result.activity().window();
    return row(
            "  " + result.label(),
            figure(w.operationsPerSecond(), 0),
            figure(w.serverCpuMicros(), 2),
            figure(w.micros(50), 1),
            figure(w.micros(99), 1),
            figure(w.micros(99.9), 1),
            figure(result.activity().lateMicros(99), 1),
            figure(100 * w.serverBusy(), 0) + "%",
            figure(100 * w.others(), 0) + "%",
            figure(100 * w.loadBusy(), 0) + "%",
            figure(result.activity().lost(), 0))
        + (w.isDisturbed() ? "  disturbed" : "");
  }

  private static String memoryHead() {
    return row(
        "memory",
        "heap MiB",
        "RSS MiB",
        "heap B",
        "RSS B",
        "closed in s",
        "heap B",
        "RSS B",
        "files",
        "healthy");
  }

  private static String memoryRow(StormResult r) {
    return row(
        "  " + r.label(),
        r.java() ? figure(r.before().liveHeapBytes() / MIB, 1) : "-",
        figure(r.before().residentBytes() / MIB, 1),
        r.java() ? figure(r.heapBytesEach(), 0) : "-",
        figure(r.residentBytesEach(), 0),
        figure(r.closedNanos() / 1e9, 2),
        r.java() ? figure(r.heapBytesKept(), 0) : "-",
        figure(r.residentBytesKept(), 0),
        figure(r.filesKept(), 0),
        r.healthy() ? "yes" : "NO");
  }

  private static String row(String label, String... figures) {
    StringBuilder row = new StringBuilder(String.format("%-" + LABEL + "s", label));
    for (String figure : figures) {
      row.append(String.format(" %11s", figure));
    }
    return row.toString();
  }

  private static String figure(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** Writes table, JSON and plots of opening, latency and memory. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    StormJson.write(folder.resolve(NAME + ".json"), conditions, groups);
    Bars opening = new Bars("Until all connections were answered", "s");
    Bars latency = new Bars("99th percentile of latency, all connections open", "us");
    Bars memory = new Bars("Resident memory for a connection", "KiB");
    groups.forEach(
        (shape, results) -> {
          for (StormResult result : results) {
            String label = result.label() + ", " + shape;
            opening.add(label, result.opening().seconds());
            latency.add(label, result.activity().window().micros(99));
            memory.add(label, result.residentBytesEach() / 1024);
          }
        });
    Files.writeString(folder.resolve(NAME + "-opening.svg"), opening.svg());
    Files.writeString(folder.resolve(NAME + "-p99.svg"), latency.svg());
    Files.writeString(folder.resolve(NAME + "-memory.svg"), memory.svg());
  }
}
