package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.Table.figure;

import io.keyvalueserve.bench.IsolationServer.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What isolation came to, as tables, as JSON and as plots.
 *
 * @param conditions what was measured, and where
 * @param warmUps of the servers
 * @param results of victims beside aggressors
 * @param fairness of each server
 * @param cost of tenancy; null if it was not measured
 */
record IsolationReport(
    String conditions,
    List<WarmUp.Result> warmUps,
    List<IsolationResult> results,
    List<IsolationFairness> fairness,
    @Nullable IsolationCost cost) {
  private static final String NAME = "isolation";
  private static final int LABEL = 24;
  private static final String LEGEND =
      """
      victim: asks at its rate whatever the server does; a latency counts from when a request was due, in us. x: beside
        by alone, the median of what the rounds say; more than 1 of ops/s: what had piled up before was answered.
        errors: what the victim met beside the aggressor, in all rounds. late: how late the victim's own load sent what
        nothing held up, 99 of 100 times less: it cannot see better.
      aggressor: what it was answered; refused: what met its limits; failed: what met errors. server: how much of its
        core the server used beside. load: how much of theirs victim and aggressors used. control asks nothing: its
        line says what the load costs the victim that shares a core with it.
      peers: connections without a key. answered is how many were opened a second, refused how many could not be. Below:
        how many were open on average, and how many the server closed. Their goal is 2 times alone.
      locks: a Hazelcast client locks keys of the victim's map, but none that the victim uses: those would wait.
      disturbed: others used a tenth or more of a core in most rounds, or late is 10 ms or more: mistrust the line.\
      """;

  /** Lines for a person. */
  String table() {
    Table table = new Table(conditions, LABEL, 10);
    if (!warmUps.isEmpty()) {
      table.line(
          "warmed up: %s",
          warmUps.stream().map(WarmUp.Result::toString).collect(Collectors.joining("; ")));
    }
    bySubject().forEach((subject, own) -> victims(table, subject, own));
    fairness.forEach(fair -> fairness(table, fair));
    if (cost != null) {
      cost(table, cost);
    }
    table.goals(goals());
    return table + "\n" + LEGEND;
  }

  /** Whether the goals are kept. */
  List<Goal> goals() {
    return IsolationGoals.of(results, fairness, cost);
  }

  private Map<Subject, List<IsolationResult>> bySubject() {
    return results.stream()
        .collect(
            Collectors.groupingBy(
                IsolationResult::subject, () -> new EnumMap<>(Subject.class), Collectors.toList()));
  }

  private static void victims(Table table, Subject subject, List<IsolationResult> results) {
    table.line("%n%s", subject);
    table.row(
        "victim",
        "ops/s",
        "x",
        "p50 alone",
        "beside",
        "p99 alone",
        "beside",
        "x",
        "99.9 alone",
        "beside",
        "errors",
        "late");
    results.forEach(result -> victim(table, result));
    table.row("aggressor", "answered/s", "refused/s", "failed", "server", "load");
    results.stream()
        .filter(IsolationResult::isMeasured)
        .forEach(result -> aggressor(table, result));
    results.stream()
        .filter(result -> result.kind() == IsolationAggression.PEERS && result.isMeasured())
        .forEach(result -> peers(table, result));
    results.forEach(result -> errors(table, result));
  }

  private static void peers(Table table, IsolationResult result) {
    table.row("peers without a key", "wanted", "open", "opened/s", "refused/s", "closed/s");
    for (HostileDoor door : HostileDoor.values()) {
      peers(
          table, "  at " + door, result, done -> done.peers().getOrDefault(door, KeylessSeen.NONE));
    }
    peers(table, "  in all", result, IsolationDone::allPeers);
  }

  private static void peers(
      Table table,
      String label,
      IsolationResult result,
      Function<IsolationDone, KeylessSeen> part) {
    ToDoubleFunction<ToDoubleFunction<KeylessSeen>> median =
        figure -> result.median(round -> figure.applyAsDouble(part.apply(round.aggressor())));
    ToDoubleFunction<ToLongFunction<KeylessSeen>> perSecond =
        count ->
            result.median(
                round -> round.perSecond(count.applyAsLong(part.apply(round.aggressor()))));
    table.row(
        label,
        figure(median.applyAsDouble(KeylessSeen::wanted), 0),
        figure(median.applyAsDouble(KeylessSeen::open), 0),
        figure(perSecond.applyAsDouble(KeylessSeen::opened), 0),
        figure(perSecond.applyAsDouble(KeylessSeen::refused), 0),
        figure(perSecond.applyAsDouble(KeylessSeen::closed), 0));
  }

  private static void victim(Table table, IsolationResult result) {
    String label = "  " + result.label();
    if (!result.isMeasured()) {
      table.line("%-" + LABEL + "s  not measured: %s", label, result.note());
      return;
    }
    table.row(
        label,
        figure(result.beside(Window::operationsPerSecond), 0),
        figure(result.ratio(Window::operationsPerSecond), 3),
        figure(result.alone(window -> window.micros(50)), 0),
        figure(result.beside(window -> window.micros(50)), 0),
        figure(result.alone(window -> window.micros(99)), 0),
        figure(result.beside(window -> window.micros(99)), 0),
        figure(result.ratio(window -> window.micros(99)), 2),
        figure(result.alone(window -> window.micros(99.9)), 0),
        figure(result.beside(window -> window.micros(99.9)), 0),
        figure((double) result.errors(), 0),
        figure(result.beside(window -> window.offer().lateMicros(99)), 0),
        (result.isDisturbed() ? " disturbed" : "")
            + (result.note().isEmpty() ? "" : " " + result.note()));
  }

  private static void aggressor(Table table, IsolationResult result) {
    table.row(
        "  " + result.label(),
        figure(result.median(IsolationResult.Round::aggressorPerSecond), 0),
        figure(result.median(IsolationResult.Round::refusedPerSecond), 0),
        figure(result.rounds().stream().mapToDouble(round -> round.aggressor().failed()).sum(), 0),
        Table.percent(result.beside(Window::serverBusy), 0),
        Table.percent(result.beside(Window::loadBusy), 0));
  }

  private static void errors(Table table, IsolationResult result) {
    SortedMap<String, Long> victims = new TreeMap<>();
    SortedMap<String, Long> alone = new TreeMap<>();
    SortedMap<String, Long> aggressors = new TreeMap<>();
    for (IsolationResult.Round round : result.rounds()) {
      round.beside().errors().forEach((kind, count) -> victims.merge(kind, count, Long::sum));
      round.alone().errors().forEach((kind, count) -> alone.merge(kind, count, Long::sum));
      round.aggressor().errors().forEach((kind, count) -> aggressors.merge(kind, count, Long::sum));
    }
    errors(table, result, "the victim alone", alone);
    errors(table, result, "the victim beside", victims);
    errors(table, result, "the aggressor", aggressors);
  }

  private static void errors(
      Table table, IsolationResult result, String who, SortedMap<String, Long> errors) {
    errors.forEach(
        (kind, count) ->
            table.line("  %s: %s met %,d times: %s", result.label(), who, count, kind));
  }

  private static void fairness(Table table, IsolationFairness fair) {
    table.line(
        "%n%s: %d equal tenants, connections x pipeline; min-max ratio %.3f, server %.0f%%%s",
        fair.subject(),
        fair.loads().size(),
        fair.medianMinMax(),
        100 * fair.serverBusy(),
        fair.isSaturated() ? "" : ": NOT SATURATED, so there was nothing to divide");
    for (int i = 0; i < fair.loads().size(); i++) {
      table.row("  " + fair.loads().get(i), figure(fair.perSecond(i), 0) + "/s");
    }
    if (fair.failed() > 0) {
      table.line("  errors: %,d", fair.failed());
    }
  }

  private static void cost(Table table, IsolationCost cost) {
    table.line(
        "%nwhat tenancy costs (NoWork: nobody asks; Work: the tenant of --dev; Service:"
            + " a tenant's own map, or another's as it is granted; audit on, %s)",
        cost.hasQuotas() ? "quotas on" : "no quotas");
    table.row("", "CPU us/op", "/ Work", "ops/s", "server");
    table.row("  NoWork", "-", "-", "0", Table.percent(cost.idle(), 1));
    for (int i = 0; i < cost.cells().size(); i++) {
      Cell cell = cost.cells().get(i);
      if (i % IsolationCost.EACH == 0) {
        table.line("  %s", cell.shape());
      }
      table.row(
          "  " + cell.server(),
          figure(cell.median(Window::serverCpuMicros), 2),
          figure(cost.ratio(i), 3),
          figure(cell.median(Window::operationsPerSecond), 0),
          Table.percent(cell.median(Window::serverBusy), 0),
          cell.mostly(Window::isDisturbed) ? "disturbed" : "");
    }
  }

  /** Writes table, JSON and plots of latencies and throughput. */
  void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    Files.writeString(folder.resolve(NAME + ".json"), IsolationJson.of(this) + "\n");
    List<IsolationResult> measured = new ArrayList<>(results);
    measured.removeIf(result -> !result.isMeasured());
    Bars latency = new Bars("The victim's 99th percentile of latency, beside / alone", "x");
    Bars throughput = new Bars("The victim's throughput, beside / alone", "x");
    for (IsolationResult result : measured) {
      String label = result.subject() + ", " + result.label();
      latency.add(label, result.ratio(window -> window.micros(99)));
      throughput.add(label, result.ratio(Window::operationsPerSecond));
    }
    Files.writeString(folder.resolve(NAME + "-p99.svg"), latency.svg());
    Files.writeString(folder.resolve(NAME + "-throughput.svg"), throughput.svg());
  }
}
