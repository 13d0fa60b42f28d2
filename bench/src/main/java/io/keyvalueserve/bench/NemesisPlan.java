package io.keyvalueserve.bench;

import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code kvs bench crash} that put faults of the network and others to members. */
final class NemesisPlan {
  private static final int FEWEST_MEMBERS = 3;

  @Option(
      names = "--nemesis",
      split = ",",
      paramLabel = "KIND,...",
      description =
          "Do faults to a cluster of three or more members instead, each in a network namespace:"
              + " ${COMPLETION-CANDIDATES}. Networks that break, processes that are stopped and go"
              + " on, processes that are killed and start again, clocks that are set. Clients at"
              + " all doors read and write meanwhile. What they saw is checked key by key"
              + " (linearizability). Needs root; clock needs the Debian package faketime")
  private Set<NemesisKind> kinds = EnumSet.noneOf(NemesisKind.class);

  @Option(
      names = "--minutes",
      defaultValue = "5",
      paramLabel = "N",
      description = "How long, with --nemesis. Default: ${DEFAULT-VALUE}")
  double minutes;

  /** Whether faults are asked for. */
  boolean isChosen() {
    return !kinds.isEmpty();
  }

  Set<NemesisKind> kinds() {
    return kinds;
  }

  /** Refuses what cannot be run. */
  void check(CommandSpec spec, CrashPlan plan) {
    if (plan.of != CrashPlan.Of.KVS || plan.disk != CrashDisk.REAL) {
      throw new ParameterException(spec.commandLine(), "--nemesis goes without --of and --disk");
    }
    if (plan.members < FEWEST_MEMBERS || !(minutes > 0)) {
      throw new ParameterException(
          spec.commandLine(),
          "--nemesis needs --members "
              + FEWEST_MEMBERS
              + " or more, so that a majority can be left; --minutes is positive");
    }
    if (kinds.contains(NemesisKind.CLOCK) && NemesisCluster.clockLibrary().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--nemesis clock needs libfaketime: install it (apt install faketime), or leave out"
              + " clock");
    }
  }
}
