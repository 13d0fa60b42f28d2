package io.keyvalueserve.bench;

import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say how often and how long is measured, and what comes before. */
final class Rounds {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often each server has its turn. Default: ${DEFAULT-VALUE}")
  int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      description = "How long a turn lasts, as 0.5 or 10. Default: ${DEFAULT-VALUE}")
  double seconds;

  @Mixin Preparation preparation = new Preparation();

  Rounds() {
    this(5, 2);
  }

  /** With other numbers for those who choose none. */
  Rounds(int rounds, double seconds) {
    this.rounds = rounds;
    this.seconds = seconds;
  }

  long nanos() {
    return (long) (seconds * 1e9);
  }

  int entries() {
    return preparation.entries;
  }

  int valueBytes() {
    return preparation.valueBytes;
  }

  /** A tenth of a turn, at most half a second: connections are new, buffers small. */
  long leadNanos() {
    return Math.min(nanos() / 10, 500_000_000L);
  }

  /** Refuses what cannot be measured. */
  void check(CommandSpec spec) {
    Bench.refuse(
        spec,
        rounds < 1 || nanos() < 1 || !preparation.isPossible(),
        "--rounds, --seconds, --entries and --value are positive, --warm-up is not negative");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d keys, %d B values; %d rounds of %.1f s, in turns",
        entries(),
        valueBytes(),
        rounds,
        seconds);
  }
}
