package io.keyvalueserve.bench;

import picocli.CommandLine.Option;

/** The options that say what servers hold, and how long they are warmed up before they count. */
final class Preparation {
  @Option(
      names = "--entries",
      defaultValue = "100000",
      paramLabel = "N",
      description = "How many keys there are. Default: ${DEFAULT-VALUE}")
  int entries;

  @Option(
      names = "--value",
      defaultValue = "100",
      paramLabel = "BYTES",
      description = "The size of values. Default: ${DEFAULT-VALUE}")
  int valueBytes;

  @Option(
      names = "--warm-up",
      defaultValue = "90",
      paramLabel = "SECONDS",
      description =
          "How long each server is loaded before, at most: it ends when its processor time for an"
              + " operation has stopped falling. Default: ${DEFAULT-VALUE}")
  double warmUpSeconds;

  long warmUpNanos() {
    return (long) (warmUpSeconds * 1e9);
  }

  /** Whether it can be done. */
  boolean isPossible() {
    return entries > 0 && valueBytes > 0 && warmUpSeconds >= 0;
  }
}
