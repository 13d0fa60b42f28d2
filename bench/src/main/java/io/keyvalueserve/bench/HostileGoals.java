package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;

/** Promises beside hostile peers, and how a result compares with them. */
final class HostileGoals {
  /** Histograms, the audit trail and names of what was deleted fill up to their bounds. */
  static final long HEAP_SLACK = 16 << 20;

  /** Pools keep some chunks that were needed at once. */
  static final long DIRECT_SLACK = 32 << 20;

  /** Selectors and files that a member opens for itself. */
  static final int FILES_SLACK = 16;

  private static final double MIB = 1 << 20;
  private static final double KIB = 1 << 10;

  /** The log of a start, and of what has to be told once. */
  private static final double LOG_KIB = 256;

  private static final double LOG_KIB_PER_MINUTE = 32;

  /** A failure that nobody expected is told with its place, a few times. */
  private static final double TRACE_LINES = 200;

  private HostileGoals() {}

  /** Returns each promise and whether it was kept. */
  static List<Goal> of(HostileResult result) {
    List<Goal> goals = new ArrayList<>();
    goals.add(atMost("times that the member ended", result.ended().isEmpty() ? 0 : 1, 0));
    goals.add(atLeast("members ready at the end", result.ready() ? 1 : 0, 1));
    HostileVictim.Seen victim = result.victim();
    goals.add(atMost("wrong values of the victim", (double) victim.wrong(), 0));
    long errors = victim.errors().values().stream().mapToLong(count -> count).sum();
    goals.add(atMost("errors of the victim", (double) errors, 0));
    goals.add(
        atLeast("answers to the victim in a second", victim.answered() / result.seconds(), 1));
    goals.add(atMost("kinds of secrets that a hostile peer received", result.leaks().size(), 0));
    result.after().ifPresent(after -> compare(goals, result.before(), after));
    double minutes = result.seconds() / 60;
    goals.add(
        atMost("KiB of log", result.log().bytes() / KIB, LOG_KIB + LOG_KIB_PER_MINUTE * minutes));
    goals.add(
        atMost(
            "lines of stack traces in the log", (double) result.log().traceLines(), TRACE_LINES));
    goals.add(atMost("peers that failed by themselves", result.failures().size(), 0));
    return goals;
  }

  private static void compare(List<Goal> goals, HostileFootprint before, HostileFootprint after) {
    goals.add(
        atMost(
            "MiB more alive on the heap",
            (after.heapBytes() - before.heapBytes()) / MIB,
            HEAP_SLACK / MIB));
    goals.add(
        atMost(
            "MiB more of direct memory",
            (after.directBytes() - before.directBytes()) / MIB,
            DIRECT_SLACK / MIB));
    goals.add(atMost("more open descriptors", after.openFiles() - before.openFiles(), FILES_SLACK));
  }

  private static Goal atMost(String what, double figure, double bound) {
    return new Goal(what, figure, true, bound);
  }

  private static Goal atLeast(String what, double figure, double bound) {
    return new Goal(what, figure, false, bound);
  }
}
