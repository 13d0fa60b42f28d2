package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Who shares how much memory. */
final class HitsPlan {
  private static final int MOST_TENANTS = 100;

  @Option(
      names = "--subjects",
      split = ",",
      paramLabel = "NAME,...",
      description = "What is measured: ${COMPLETION-CANDIDATES}. Default: all that there are")
  Set<HitsSubject> subjects = EnumSet.noneOf(HitsSubject.class);

  @Option(
      names = "--memory",
      defaultValue = "64m",
      paramLabel = "SIZE",
      converter = DataSize.class,
      description = "What each server has for entries. Default: ${DEFAULT-VALUE}")
  long memoryBytes;

  @Option(
      names = "--active",
      defaultValue = "2",
      paramLabel = "N",
      description = "How many tenants are active. Default: ${DEFAULT-VALUE}")
  int active;

  @Option(
      names = "--quiet",
      defaultValue = "10",
      paramLabel = "N",
      description =
          "How many others there are, each of which asks a tenth as often. Default:"
              + " ${DEFAULT-VALUE}")
  int quiet;

  @Option(
      names = "--keys",
      defaultValue = "50000",
      paramLabel = "N",
      description =
          "How many keys each tenant asks for, by Zipf's distribution. Default: ${DEFAULT-VALUE}")
  int keys;

  @Option(
      names = "--value",
      defaultValue = "1000",
      paramLabel = "BYTES",
      description = "The size of values. Default: ${DEFAULT-VALUE}")
  int valueBytes;

  @Option(
      names = "--requests",
      defaultValue = "1000000",
      paramLabel = "N",
      description =
          "How often an active tenant asks; the last half counts. Default: ${DEFAULT-VALUE}")
  int requests;

  private Path folder = Path.of("");

  void check(CommandSpec spec) {
    Bench.refuse(
        spec,
        active < 1 || active + quiet > MOST_TENANTS,
        "--active is from 1, with --quiet to 100");
    Bench.refuse(spec, quiet < 1, "--quiet is 1 or more");
    Bench.refuse(spec, keys < 2 || keys > 10_000_000, "--keys are from 2 to 10000000");
    Bench.refuse(spec, valueBytes < 1 || valueBytes > 1 << 20, "--value is from 1 to 1048576");
    Bench.refuse(spec, requests < 100, "--requests are 100 or more");
    Bench.refuse(spec, memoryBytes < 32 << 20, "--memory is 32m or more");
    Bench.refuse(
        spec,
        subjects.stream().anyMatch(HitsSubject::isRedis)
            && Programs.here().find(Program.REDIS).isEmpty(),
        "redis-server is not installed (Debian package redis-server): leave redis-lru and"
            + " redis-lfu out of --subjects");
  }

  void keepIn(Path logs) {
    folder = logs;
  }

  Path folder(HitsSubject subject, String run) {
    return folder.resolve(subject + "-" + run);
  }

  int tenants() {
    return active + quiet;
  }

  long memoryMebibytes() {
    return memoryBytes >> 20;
  }

  List<HitsSubject> measured(Programs installed) {
    return subjects.isEmpty() ? HitsSubject.possible(installed) : List.copyOf(subjects);
  }

  @Override
  public String toString() {
    return memoryMebibytes()
        + " MiB for "
        + active
        + " active tenants and "
        + quiet
        + " that ask a tenth as often, each for "
        + keys
        + " keys with values of "
        + valueBytes
        + " B, by Zipf's distribution with exponent "
        + Zipfian.EXPONENT
        + ", the last "
        + requests / 2
        + " requests of each active one count";
  }
}
