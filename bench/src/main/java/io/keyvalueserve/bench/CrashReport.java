package io.keyvalueserve.bench;

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
    StringBuilder table = new StringBuilder(conditions).append("\n\n");
    line(table, "rounds", rounds.size() + ": " + kinds());
    line(table, "kills", kills());
    line(table, "acknowledged writes", count(writes.acknowledged()));
    line(table, "in doubt, refused", count(writes.inDoubt()) + ", " + count(writes.refused()));
    line(
        table,
        "answers with errors",
        writes.errors().isEmpty() ? "none" : writes.errors().toString());
    line(
        table,
        "lost within the promise",
        count(lost()) + (lost() == 0 ? "" : "; the oldest was " + seconds(oldestLostSeconds())));
    line(
        table,
        "restart",
        "median "
            + seconds(restarts[restarts.length / 2])
            + ", longest "
            + seconds(restarts[restarts.length - 1]));
    line(table, "keys at the end", count(rounds.getLast().found().present()));
    line(table, "violations", count(violations().size()));
    violations().stream()
        .limit(SHOWN)
        .forEach(each -> table.append('\n').append(each).append('\n'));
    return table.toString();
  }

  @Override
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    CrashJson.write(folder.resolve(NAME + ".json"), conditions, this, rounds);
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

  private static void line(StringBuilder table, String label, String figures) {
    table.append(String.format(Locale.ROOT, "%-25s %s%n", label, figures));
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}
