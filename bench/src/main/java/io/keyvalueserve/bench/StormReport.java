package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.Table.figure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
      disturbed: others used a tenth or more of the server's or the load's core: mistrust the line.\
      """;

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
    Table table = new Table(conditions, LABEL, 11);
    groups.forEach(
        (shape, results) -> {
          table.line("%n%s", shape);
          opening(table, results);
          active(table, results);
          memory(table, results);
          results.forEach(
              result -> {
                reasons(table, result, "refused", result.opening().refusals());
                reasons(table, result, "lost", result.activity().losses());
              });
        });
    return table + "\n" + LEGEND;
  }

  private static void reasons(
      Table table, StormResult result, String what, Map<String, Integer> reasons) {
    reasons.forEach(
        (reason, count) -> table.line("  %s: %,d %s: %s", result.label(), count, what, reason));
  }

  private static void opening(Table table, List<StormResult> results) {
    table.row(
        "opening",
        "all s",
        "open",
        "refused",
        "1st p50 ms",
        "1st p99 ms",
        "1st max ms",
        "CPU us",
        "full");
    for (StormResult result : results) {
      Opening o = result.opening();
      table.row(
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
  }

  private static void active(Table table, List<StormResult> results) {
    table.row(
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
    for (StormResult result : results) {
      Window w = result.activity().window();
      table.row(
          "  " + result.label(),
          figure(w.operationsPerSecond(), 0),
          figure(w.serverCpuMicros(), 2),
          figure(w.micros(50), 1),
          figure(w.micros(99), 1),
          figure(w.micros(99.9), 1),
          figure(result.activity().lateMicros(99), 1),
          Table.percent(w.serverBusy(), 0),
          Table.percent(w.others(), 0),
          Table.percent(w.loadBusy(), 0),
          figure(result.activity().lost(), 0),
          w.isDisturbed() ? " disturbed" : "");
    }
  }

  private static void memory(Table table, List<StormResult> results) {
    table.row(
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
    for (StormResult r : results) {
      table.row(
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
  }

  /** Writes table, JSON and plots of opening, latency and memory. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    Files.writeString(folder.resolve(NAME + ".json"), Json.text(json()));
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

  private ObjectNode json() {
    ObjectNode all = Json.object().put("conditions", conditions);
    ArrayNode storms = all.putArray("storms");
    groups.forEach(
        (shape, results) ->
            storms
                .addObject()
                .put("name", shape.toString())
                .putPOJO("shape", shape)
                .set("results", Json.array(results, StormReport::json)));
    return all;
  }

  private static ObjectNode json(StormResult result) {
    ObjectNode node = Json.object();
    node.put("server", result.server());
    node.put("round", result.round());
    Opening opening = result.opening();
    node.putObject("opening")
        .put("asked", opening.asked())
        .put("answered", opening.answered())
        .put("seconds", opening.seconds())
        .put("firstP50Millis", opening.millis(50))
        .put("firstP99Millis", opening.millis(99))
        .put("firstLongestMillis", opening.millis(100))
        .put("serverCpuMicros", opening.serverCpuMicros())
        .put("queueOverflows", opening.overflows())
        .putPOJO("refused", opening.refusals());
    Window window = result.activity().window();
    node.set(
        "active",
        window
            .json()
            .put("loadLateP99Micros", result.activity().lateMicros(99))
            .put("disturbed", window.isDisturbed())
            .putPOJO("lost", result.activity().losses()));
    node.putObject("memory")
        .putPOJO("before", result.before())
        .putPOJO("open", result.opened())
        .putPOJO("closed", result.closed())
        .put("heapBytesForEach", result.heapBytesEach())
        .put("residentBytesForEach", result.residentBytesEach())
        .put("heapBytesKeptForEach", result.heapBytesKept())
        .put("residentBytesKeptForEach", result.residentBytesKept())
        .put("filesKept", result.filesKept())
        .put("closedInSeconds", result.closedNanos() / 1e9)
        .put("healthy", result.healthy());
    return node;
  }
}
