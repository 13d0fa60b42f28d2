package io.keyvalueserve.bench;

import java.util.Locale;

/**
 * A round of a crash test.
 *
 * @param number from 1
 * @param kind of kill
 * @param afterNanos from the first acknowledgement to the first kill
 * @param kills how many processes were killed in all
 * @param duringRecovery how many of them while they started
 * @param duringMigration whether all were killed soon after one had come back
 * @param restartNanos from the start of what was killed until all served
 */
record CrashRound(
    int number,
    KillKind kind,
    long afterNanos,
    int kills,
    int duringRecovery,
    boolean duringMigration,
    WriteTotals writes,
    long restartNanos,
    Check.Result found) {
  /** A line for a person. */
  String line(int rounds) {
    return String.format(
        Locale.ROOT,
        "round %d/%d: %s after %.2f s%s%s; %,d acknowledged, %,d in doubt%s; ready after %.2f s;"
            + " %,d keys; %s; %s",
        number,
        rounds,
        kind,
        afterNanos / 1e9,
        duringRecovery > 0 ? ", and while starting" : "",
        duringMigration ? ", then all in the migration" : "",
        writes.acknowledged(),
        writes.inDoubt(),
        writes.errors().isEmpty() ? "" : ", errors " + writes.errors(),
        restartNanos / 1e9,
        found.present(),
        found.lost() == 0
            ? "nothing lost"
            : String.format(
                Locale.ROOT,
                "%,d lost, the oldest of %.3f s",
                found.lost(),
                found.oldestLostNanos() / 1e9),
        found.violations().isEmpty()
            ? "no violation"
            : String.format(Locale.ROOT, "%,d VIOLATIONS", found.violations().size()));
  }
}
