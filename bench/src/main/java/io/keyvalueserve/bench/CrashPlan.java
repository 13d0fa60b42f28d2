package io.keyvalueserve.bench;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say who is killed and how, what is written, and what is promised. */
final class CrashPlan {
  private static final List<KillKind> KINDS = List.of(KillKind.values());

  /** Whose writes must survive. */
  enum Of {
    KVS,
    REDIS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Which kills there are. */
  enum Kill {
    TOGETHER,
    ONE,
    STAGGERED,
    RANDOM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What ends servers. */
  enum Signal {
    KILL,
    TERM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What else is killed in some of the rounds. */
  enum During {
    NONE,
    RECOVERY,
    MIGRATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--of",
      defaultValue = "kvs",
      paramLabel = "NAME",
      description =
          "Whose writes have to survive: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  Of of = Of.KVS;

  @Option(
      names = "--rounds",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many rounds of writing, killing and checking. Default: ${DEFAULT-VALUE}")
  int rounds;

  @Option(
      names = "--members",
      defaultValue = "1",
      paramLabel = "N",
      description = "Members of the cluster. Default: ${DEFAULT-VALUE}")
  int members;

  @Option(
      names = "--durability",
      defaultValue = "everysec",
      paramLabel = "WHEN",
      description =
          "When servers write to the disk: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
  Durability durability = Durability.EVERYSEC;

  @Option(
      names = "--disk",
      defaultValue = "real",
      paramLabel = "WHAT",
      description =
          "What the data of members are on: ${COMPLETION-CANDIDATES}. The file system, which keeps"
              + " what a killed process wrote; one that loses with the process what was not synced,"
              + " and in every other life keeps some of it; one that never syncs, a control that"
              + " has to fail. Default: ${DEFAULT-VALUE}")
  CrashDisk disk = CrashDisk.REAL;

  @Option(
      names = "--promise",
      paramLabel = "WHAT",
      description =
          "What they are held to: ${COMPLETION-CANDIDATES}; no acknowledged write is lost, or none"
              + " that is older than a second. Default: as --durability, and everysec for none;"
              + " always with --signal term")
  private @Nullable Promise promise;

  @Option(
      names = "--allowance",
      defaultValue = "0.5",
      paramLabel = "SECONDS",
      description = "How much more than a second everysec may take. Default: ${DEFAULT-VALUE}")
  private double allowanceSeconds;

  @Option(
      names = "--kill",
      defaultValue = "random",
      paramLabel = "HOW",
      description =
          "Members that are killed: ${COMPLETION-CANDIDATES}. All together; one, which comes back"
              + " under load; all, one after the other. Default: ${DEFAULT-VALUE}")
  private Kill kill = Kill.RANDOM;

  @Option(
      names = "--signal",
      defaultValue = "kill",
      paramLabel = "NAME",
      description =
          "How they are: ${COMPLETION-CANDIDATES}. SIGKILL, which gives them no chance to do"
              + " anything; SIGTERM, which asks them to end: then nothing may be lost that was"
              + " acknowledged, with any durability but none. Default: ${DEFAULT-VALUE}")
  Signal signal = Signal.KILL;

  @Option(
      names = "--during",
      split = ",",
      defaultValue = "recovery,migration",
      paramLabel = "WHAT,...",
      description =
          "What is hit by another kill in a third of the rounds: ${COMPLETION-CANDIDATES}. The"
              + " start of what was killed; the migration after one came back. Default:"
              + " ${DEFAULT-VALUE}")
  private Set<During> during = EnumSet.of(During.NONE);

  @Option(
      names = "--longest",
      defaultValue = "3",
      paramLabel = "SECONDS",
      description =
          "How long writers write before a kill, at most, from the first acknowledgement on;"
              + " 0.05 s at least. Default:"
              + " ${DEFAULT-VALUE}")
  private double longestSeconds;

  @Option(
      names = "--writers",
      defaultValue = "4",
      paramLabel = "N",
      description = "Connections; each writes to its own keys. Default: ${DEFAULT-VALUE}")
  int writers;

  @Option(
      names = "--pipeline",
      defaultValue = "16",
      paramLabel = "N",
      description = "Commands that each sends at once. Default: ${DEFAULT-VALUE}")
  private int pipeline;

  @Option(
      names = "--rate",
      defaultValue = "20000",
      paramLabel = "OPS/S",
      description =
          "Commands of all in a second; 0 for as many as they can, which needs a heap for what is"
              + " known of them (KVS_JAVA_OPTS=-Xmx2g). Default: ${DEFAULT-VALUE}")
  private double rate;

  @Option(
      names = "--keys",
      defaultValue = "20000",
      paramLabel = "N",
      description = "How many keys there are. Default: ${DEFAULT-VALUE}")
  int keys;

  @Option(
      names = "--value-bytes",
      defaultValue = "24-1000",
      paramLabel = "FROM-TO",
      converter = Sizes.Parser.class,
      description =
          "The size of values, 24 at least; one in 1000 has 250 to 300 KiB. Default:"
              + " ${DEFAULT-VALUE}")
  private Sizes valueBytes = new Sizes(24, 1000);

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Which moments, kills and commands are drawn. Default: another one each time")
  private @Nullable Long chosenSeed;

  @Option(
      names = "--copy",
      description =
          "Keep, beside the data of each server, a copy (crashed) as the last kill left them.")
  boolean copy;

  /** The seed of this run. */
  long seed;

  /** Refuses what cannot be run. */
  void check(CommandSpec spec) {
    boolean positive = rounds > 0 && members > 0 && writers > 0 && pipeline > 0;
    boolean times = allowanceSeconds >= 0 && longestSeconds > 0;
    boolean sizes =
        valueBytes.from() >= StampedValue.SHORTEST
            && valueBytes.to() >= valueBytes.from()
            && rate >= 0;
    Bench.refuse(
        spec,
        !positive || !times || !sizes || keys < writers,
        "--rounds, --members, --writers, --pipeline and --longest are positive, --allowance and"
            + " --rate not negative; --value-bytes is a range from 24 on; there are"
            + " as many --keys as --writers at least");
    Bench.refuse(spec, of == Of.REDIS && members > 1, "--of redis has one member");
    Bench.refuse(
        spec, of == Of.REDIS && disk != CrashDisk.REAL, "--of redis has its data on a real disk");
    seed = chosenSeed == null ? System.nanoTime() & 0xffff_ffffL : chosenSeed;
  }

  Promise promise() {
    if (promise != null) {
      return promise;
    }
    return durability == Durability.ALWAYS || signal == Signal.TERM
        ? Promise.ALWAYS
        : Promise.EVERYSEC;
  }

  /** Draws the kind of a kill. */
  KillKind kind(SplittableRandom random) {
    if (members == 1) {
      return KillKind.TOGETHER;
    }
    return switch (kill) {
      case TOGETHER -> KillKind.TOGETHER;
      case ONE -> KillKind.ONE;
      case STAGGERED -> KillKind.STAGGERED;
      case RANDOM -> KINDS.get(random.nextInt(KINDS.size()));
    };
  }

  boolean isDuring(During what) {
    return during.contains(what);
  }

  CrashMix mix() {
    return new CrashMix(pipeline, valueBytes.from(), valueBytes.to(), rate / writers);
  }

  long allowanceNanos() {
    return (long) (allowanceSeconds * 1e9);
  }

  long longestNanos() {
    return (long) (longestSeconds * 1e9);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "durability %s, held to %s; signal %s; disk %s; seed %d; %d writers, pipeline %d, %s"
            + " commands/s; %,d keys, %d-%d B values and some of 250-300 KiB",
        durability,
        promise() == Promise.EVERYSEC
            ? String.format(Locale.ROOT, "everysec + %.2f s", allowanceSeconds)
            : promise().toString(),
        signal,
        disk,
        seed,
        writers,
        pipeline,
        rate == 0 ? "unbridled" : String.format(Locale.ROOT, "%,.0f", rate),
        keys,
        valueBytes.from(),
        valueBytes.to());
  }
}
