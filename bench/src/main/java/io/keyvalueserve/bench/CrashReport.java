package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.Table.count;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A crash test as a table and as JSON. */
final class CrashReport implements CrashBench.Report {
  private static final String NAME = "crash";
  private static final int SHOWN = 5;

  /** The number of losses that are told in full; the rounds have the counts. */
  private static final int MOST = 1000;

  private final String conditions;
  private final List<CrashRound> rounds;

  /**
   * @param conditions what was tested, and where
   */
  CrashReport(String conditions, List<CrashRound> rounds) {
    this.conditions = conditions;
    this.rounds = List.copyOf(rounds);
  }

  @Override
  public List<Violation> violations() {
    return rounds.stream().flatMap(round -> round.found().violations().stream()).toList();
  }

  /** What became of all writes. */
  WriteTotals writes() {
    return rounds.stream().map(CrashRound::writes).reduce(WriteTotals.NONE, WriteTotals::plus);
  }

  long lost() {
    return rounds.stream().mapToLong(round -> round.found().lost()).sum();
  }

  double oldestLostSeconds() {
    return rounds.stream().mapToLong(round -> round.found().oldestLostNanos()).max().orElse(0)
        / 1e9;
  }

  /** How long restarts took, in ascending order, in seconds. */
  double[] restartSeconds() {
    return rounds.stream().mapToDouble(round -> round.restartNanos() / 1e9).sorted().toArray();
  }

  @Override
  public String table() {
    WriteTotals writes = writes();
    double[] restarts = restartSeconds();
    Table table = new Table(conditions + "\n", 25, 0);
    table.row("rounds", rounds.size() + ": " + kinds());
    table.row("kills", kills());
    table.row("acknowledged writes", count(writes.acknowledged()));
    table.row("in doubt, refused", count(writes.inDoubt()) + ", " + count(writes.refused()));
    table.row(
        "answers with errors", writes.errors().isEmpty() ? "none" : writes.errors().toString());
    table.row(
        "lost within the promise",
        count(lost()) + (lost() == 0 ? "" : "; the oldest was " + seconds(oldestLostSeconds())));
    table.row(
        "restart",
        "median "
            + seconds(restarts[restarts.length / 2])
            + ", longest "
            + seconds(restarts[restarts.length - 1]));
    table.row("keys at the end", count(rounds.getLast().found().present()));
    table.row("violations", count(violations().size()));
    violations().stream().limit(SHOWN).forEach(each -> table.line("%n%s", each));
    return table.toString();
  }

  @Override
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    Files.writeString(folder.resolve(NAME + ".json"), Json.text(json()));
  }

  private String kinds() {
    Map<KillKind, Long> counts =
        rounds.stream()
            .collect(
                Collectors.groupingBy(
                    CrashRound::kind, () -> new EnumMap<>(KillKind.class), Collectors.counting()));
    return counts.entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  private String kills() {
    return String.format(
        Locale.ROOT,
        "%,d processes, %,d of them while they started; %,d rounds with a kill in a migration",
        rounds.stream().mapToInt(CrashRound::kills).sum(),
        rounds.stream().mapToInt(CrashRound::duringRecovery).sum(),
        rounds.stream().filter(CrashRound::duringMigration).count());
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }

  private ObjectNode json() {
    double[] restarts = restartSeconds();
    ObjectNode all =
        Json.object()
            .put("conditions", conditions)
            .putPOJO("writes", writes())
            .put("lost", lost())
            .put("oldestLostSeconds", oldestLostSeconds())
            .put("restartMedianSeconds", restarts[restarts.length / 2])
            .put("restartLongestSeconds", restarts[restarts.length - 1]);
    all.set(
        "violations",
        Json.array(
            violations().stream().limit(MOST).toList(),
            violation ->
                Json.object()
                    .put("key", violation.key())
                    .put("kind", violation.kind().name())
                    .put("text", violation.text())));
    all.set("rounds", Json.array(rounds, CrashReport::json));
    return all;
  }

  private static ObjectNode json(CrashRound round) {
    Check.Result found = round.found();
    return Json.object()
        .put("round", round.number())
        .put("kill", round.kind().toString())
        .put("afterSeconds", round.afterNanos() / 1e9)
        .put("kills", round.kills())
        .put("killsDuringRecovery", round.duringRecovery())
        .put("killDuringMigration", round.duringMigration())
        .putPOJO("writes", round.writes())
        .put("restartSeconds", round.restartNanos() / 1e9)
        .put("keys", found.present())
        .put("lost", found.lost())
        .put("oldestLostSeconds", found.oldestLostNanos() / 1e9)
        .put("readErrors", found.readErrors())
        .put("violations", found.violations().size());
  }
}
