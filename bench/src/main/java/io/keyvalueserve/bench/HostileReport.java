package io.keyvalueserve.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What became of a member beside hostile peers, for people and as JSON.
 *
 * @param conditions what was run, and where
 * @param again the options that repeat it
 * @param result of the run
 */
record HostileReport(String conditions, String again, HostileResult result) {
  private static final double MIB = 1 << 20;

  private static final String LEGEND =
      """
      answered, errors: inputs that something came back for. closed: connections that the member closed.
      silent: nothing came back within 250 ms, or the peer did not read.
      heap: alive after a full collection. direct: direct buffers and all else that Java code has
      allocated off the heap, without entries. before: after the rehearsal.\
      """;

  /** Returns whether every promise was kept. */
  boolean isKept() {
    return goals().stream().allMatch(Goal::isMet);
  }

  private List<Goal> goals() {
    return HostileGoals.of(result);
  }

  /** Returns lines for a person. */
  String table() {
    Formatter table = new Formatter(Locale.ROOT).format("%s%n%n", conditions);
    table.format(
        "%-27s %10s %10s %10s %10s %10s %10s%n",
        "inputs", "sent", "answered", "errors", "closed", "silent", "MiB sent");
    result.doors().forEach((door, sums) -> doorRow(table, door, sums));
    table.format(
        "%nconnections refused: %,d; idle connections closed: %,d%n%n",
        result.refusedConnections(), result.idleClosed());
    table.format(
        "%-27s %10s %10s %10s %10s%n", "member", "heap MiB", "direct MiB", "files", "threads");
    footprint(table, "fresh", result.fresh());
    footprint(table, "before", result.before());
    result.after().ifPresent(after -> footprint(table, "after", after));
    table.format("at rest after %.1f s%n%n", result.restSeconds());
    HostileVictim.Seen victim = result.victim();
    table.format(
        "victim: %,d answers, p50 %.1f ms, p99 %.1f ms, longest %.1f ms, errors %s%n%n",
        victim.answered(),
        victim.p50Micros() / 1e3,
        victim.p99Micros() / 1e3,
        victim.longestMicros() / 1e3,
        victim.errors());
    result.leaks().forEach((what, count) -> table.format("received: %s: %,d times%n", what, count));
    result.failures().forEach(failure -> table.format("load: %s%n", failure));
    result.log().samples().forEach(sample -> table.format("stack trace after: %s%n", sample));
    goals().forEach(goal -> table.format("%s%n", goal));
    return table.format("%n%s%n%s", LEGEND, verdict()).toString();
  }

  /** Returns what the run shows, in a sentence for each promise that was not kept. */
  String verdict() {
    Formatter text = new Formatter(Locale.ROOT);
    for (Goal goal : goals()) {
      if (!goal.isMet()) {
        text.format(
            "A promise was not kept: %s: %.1f; at %s %.1f is promised.%n",
            goal.what(), goal.figure(), goal.atMost() ? "most" : "least", goal.bound());
      }
    }
    result.ended().ifPresent(how -> text.format("The member ended: %s%n", how));
    if (isKept()) {
      return "Every promise was kept.";
    }
    text.format("Repeat it with %s. last-inputs.txt has what each peer sent last.", again);
    return text.toString();
  }

  private static void doorRow(Formatter table, String door, HostileTally.Sums sums) {
    table.format(
        "%-27s %,10d %,10d %,10d %,10d %,10d %,10.1f%n",
        door,
        sums.sent.sum(),
        sums.answered.sum(),
        sums.errors.sum(),
        sums.closed.sum(),
        sums.silent.sum(),
        sums.bytesSent.sum() / MIB);
  }

  private static void footprint(Formatter table, String name, HostileFootprint footprint) {
    table.format(
        "%-27s %10.1f %10.1f %,10d %,10d%n",
        name,
        footprint.heapBytes() / MIB,
        footprint.directBytes() / MIB,
        footprint.openFiles(),
        footprint.threads());
  }

  /** Returns all figures. */
  String json() {
    ObjectNode all =
        Json.object()
            .put("conditions", conditions)
            .put("kept", isKept())
            .put("verdict", verdict())
            .put("seconds", result.seconds())
            .put("restSeconds", result.restSeconds())
            .put("ready", result.ready())
            .putPOJO("fresh", result.fresh())
            .putPOJO("before", result.before());
    result.after().ifPresent(after -> all.putPOJO("after", after));
    all.putPOJO("victim", result.victim())
        .put("refusedConnections", result.refusedConnections())
        .put("idleClosed", result.idleClosed())
        .putPOJO("leaks", result.leaks())
        .putPOJO("log", result.log())
        .putPOJO("failures", result.failures());
    all.set("doors", sums(result.doors()));
    all.set("kinds", sums(result.kinds()));
    all.set("goals", Json.array(goals(), Goal::json));
    return Json.text(all);
  }

  private static ObjectNode sums(Map<String, HostileTally.Sums> all) {
    ObjectNode node = Json.object();
    all.forEach(
        (name, sums) ->
            node.putObject(name)
                .put("sent", sums.sent.sum())
                .put("answered", sums.answered.sum())
                .put("errors", sums.errors.sum())
                .put("closed", sums.closed.sum())
                .put("silent", sums.silent.sum())
                .put("bytesSent", sums.bytesSent.sum()));
    return node;
  }

  /** Writes table, JSON and the last inputs. */
  void write(Path folder) throws IOException {
    Files.writeString(folder.resolve("hostile.txt"), table() + "\n");
    Files.writeString(folder.resolve("hostile.json"), json());
    Files.writeString(folder.resolve("last-inputs.txt"), String.join("\n", result.last()) + "\n");
  }
}
