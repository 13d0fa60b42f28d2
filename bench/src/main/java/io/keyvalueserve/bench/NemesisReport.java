package io.keyvalueserve.bench;

import static io.keyvalueserve.bench.Table.count;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A run of faults as a table and as JSON. */
final class NemesisReport implements CrashBench.Report {
  private static final String NAME = "nemesis";
  private static final int SHOWN = 5;

  /**
   * One round.
   *
   * @param done operations that were carried out
   * @param unknown writes whose outcome no client knows
   * @param notDone operations that were refused
   * @param othersNanos the longest time in which a client of a member that the fault did not hit
   *     had nothing carried out
   * @param servingNanos from the end of the fault until all members served
   * @param safeNanos from the end of the fault until each entry had its backups
   * @param undecided keys whose check took too many steps
   * @param seenUnacknowledged keys where a read saw a write that nobody acknowledged, and that was
   *     gone later
   */
  record Round(
      int number,
      NemesisFaults fault,
      long done,
      long unknown,
      long notDone,
      long othersNanos,
      long servingNanos,
      long safeNanos,
      int undecided,
      int seenUnacknowledged,
      List<String> violations) {
    boolean isWell() {
      return violations.isEmpty();
    }

    /** A line for a person who waits. */
    String line() {
      return String.format(
          Locale.ROOT,
          "%4d  %-38s %,7d done, %3d unknown, %5d refused; others waited %5.2f s; served after"
              + " %5.2f s, safe %5.2f s%s%s%s",
          number,
          fault,
          done,
          unknown,
          notDone,
          othersNanos / 1e9,
          servingNanos / 1e9,
          safeNanos / 1e9,
          seenUnacknowledged == 0 ? "" : "; seen and gone " + seenUnacknowledged,
          undecided == 0 ? "" : "; UNDECIDED " + undecided,
          isWell() ? "" : "; VIOLATIONS " + violations.size());
    }
  }

  private final String conditions;
  private final List<Round> rounds;
  private final Map<String, Long> carriedOut;
  private final Map<String, Long> errors;

  /**
   * @param carriedOut how many operations were carried out, by the way in which they were
   * @param errors how many errors clients got, by door and kind
   */
  NemesisReport(
      String conditions,
      List<Round> rounds,
      Map<String, Long> carriedOut,
      Map<String, Long> errors) {
    this.conditions = conditions;
    this.rounds = List.copyOf(rounds);
    this.carriedOut = carriedOut;
    this.errors = errors;
  }

  @Override
  public List<String> violations() {
    return rounds.stream().flatMap(round -> round.violations().stream()).toList();
  }

  @Override
  public String table() {
    Table table = new Table(conditions + "\n", 38, 0);
    table.row("rounds", count(rounds.size()));
    table.row("operations carried out", count(rounds.stream().mapToLong(Round::done).sum()));
    table.row("writes with unknown end", count(rounds.stream().mapToLong(Round::unknown).sum()));
    table.row("operations refused", count(rounds.stream().mapToLong(Round::notDone).sum()));
    table.row("keys not decided", count(rounds.stream().mapToLong(Round::undecided).sum()));
    table.row(
        "unacknowledged writes seen",
        count(rounds.stream().mapToLong(Round::seenUnacknowledged).sum()));
    table.row("violations", count(violations().size()));
    table.line(
        "%n%-26s %6s  %23s  %23s  %23s",
        "fault (median, longest s)",
        "rounds",
        "others waited",
        "all served after",
        "all safe after");
    byFault()
        .forEach(
            (what, those) ->
                table.line(
                    "%-26s %6d  %23s  %23s  %23s",
                    what,
                    those.size(),
                    seconds(those.stream().mapToLong(Round::othersNanos).toArray()),
                    seconds(those.stream().mapToLong(Round::servingNanos).toArray()),
                    seconds(those.stream().mapToLong(Round::safeNanos).toArray())));
    table.line("%ncarried out");
    carriedOut.forEach((way, n) -> table.row("  " + way, count(n)));
    table.line("%nerrors that clients got");
    errors.forEach((kind, n) -> table.row("  " + kind, count(n)));
    violations().stream().limit(SHOWN).forEach(each -> table.line("%n%s", each));
    return table.toString();
  }

  /** Single faults in the order in which they are declared, then pairs by name. */
  private Map<String, List<Round>> byFault() {
    Map<NemesisFault.What, List<Round>> single = new EnumMap<>(NemesisFault.What.class);
    Map<String, List<Round>> pairs = new TreeMap<>();
    for (Round round : rounds) {
      List<NemesisFault> faults = round.fault().each();
      List<Round> those =
          faults.size() == 1
              ? single.computeIfAbsent(faults.getFirst().what(), _ -> new ArrayList<>())
              : pairs.computeIfAbsent(round.fault().name(), _ -> new ArrayList<>());
      those.add(round);
    }
    Map<String, List<Round>> all = new LinkedHashMap<>();
    single.forEach((what, those) -> all.put(what.text, those));
    all.putAll(pairs);
    return all;
  }

  private static String seconds(long[] nanos) {
    Arrays.sort(nanos);
    return String.format(
        Locale.ROOT, "%.1f, %.1f", nanos[nanos.length / 2] / 1e9, nanos[nanos.length - 1] / 1e9);
  }

  @Override
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(NAME + ".txt"), table() + "\n");
    ObjectNode all =
        Json.object()
            .put("conditions", conditions)
            .putPOJO("carriedOut", carriedOut)
            .putPOJO("errors", errors);
    all.set("rounds", Json.array(rounds, NemesisReport::json));
    Files.writeString(folder.resolve(NAME + ".json"), Json.text(all));
  }

  private static ObjectNode json(Round round) {
    return Json.object()
        .put("round", round.number())
        .put("fault", round.fault().toString())
        .put("done", round.done())
        .put("unknown", round.unknown())
        .put("notDone", round.notDone())
        .put("othersWaitedSeconds", round.othersNanos() / 1e9)
        .put("servingSeconds", round.servingNanos() / 1e9)
        .put("safeSeconds", round.safeNanos() / 1e9)
        .put("undecided", round.undecided())
        .put("seenUnacknowledged", round.seenUnacknowledged())
        .putPOJO("violations", round.violations());
  }
}
