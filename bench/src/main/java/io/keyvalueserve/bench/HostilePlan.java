package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say how long peers are hostile, how many they are, and what they send. */
final class HostilePlan {
  /** Reads a regular expression. */
  static final class Expression implements ITypeConverter<Pattern> {
    @Override
    public Pattern convert(String text) {
      try {
        return Pattern.compile(text);
      } catch (PatternSyntaxException e) {
        throw new TypeConversionException(
            "'" + text + "' is no regular expression: " + e.getDescription());
      }
    }
  }

  @Option(
      names = "--minutes",
      defaultValue = "5",
      paramLabel = "MINUTES",
      description = "How long the peers are hostile, as 60 or 0.5. Default: ${DEFAULT-VALUE}")
  double minutes;

  @Option(
      names = "--rehearsal",
      defaultValue = "20",
      paramLabel = "SECONDS",
      description =
          "How long they are hostile before memory and descriptors are measured for the first time:"
              + " classes, caches and pools are there then. Default: ${DEFAULT-VALUE}")
  double rehearsalSeconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of all random choices. Default: another one each time; it is printed")
  long seed = ThreadLocalRandom.current().nextLong();

  @Option(
      names = "--replay",
      split = ",",
      paramLabel = "SEED,...",
      description =
          "Open connections of these seeds only, again and again. The log of the bench names the"
              + " seed of each connection.")
  List<Long> replay = new ArrayList<>();

  @Option(
      names = "--peers",
      defaultValue = "6",
      paramLabel = "N",
      description = "Peers that send, each on up to 18 connections. Default: ${DEFAULT-VALUE}")
  int peers;

  @Option(
      names = "--idle",
      defaultValue = "300",
      paramLabel = "N",
      description =
          "Connections without a key that send nothing or the first bytes only. Default:"
              + " ${DEFAULT-VALUE}")
  int idle;

  @Option(
      names = "--force",
      defaultValue = "full",
      paramLabel = "FORCE",
      description =
          "full: each input would end a server without bounds; moderate: it would cost it some"
              + " megabytes. Default: ${DEFAULT-VALUE}")
  HostileForce force = HostileForce.FULL;

  @Option(
      names = "--inputs",
      defaultValue = "",
      paramLabel = "REGEX",
      converter = Expression.class,
      description =
          "Send only inputs whose name has this in it: door/message/change, as resp/SET/count.")
  Pattern inputs = Pattern.compile("");

  @Option(
      names = "--stop-at-error",
      description =
          "Stop when the other tenant sees its first error: the last inputs are those before it.")
  boolean stopsAtError;

  @Option(
      names = "--heap",
      defaultValue = "256m",
      paramLabel = "SIZE",
      converter = DataSize.class,
      description = "The member's Java heap. Default: ${DEFAULT-VALUE}")
  long heapBytes;

  @Option(
      names = "--memory",
      defaultValue = "128m",
      paramLabel = "SIZE",
      converter = DataSize.class,
      description = "What the member has for entries. Default: ${DEFAULT-VALUE}")
  long memoryBytes;

  /** Refuses what cannot be run. */
  void check(CommandSpec spec) {
    Bench.refuse(spec, !(minutes > 0 && minutes <= 10_000), "--minutes is above 0, up to 10000");
    Bench.refuse(
        spec,
        !(rehearsalSeconds >= 0 && rehearsalSeconds <= 3_600),
        "--rehearsal is from 0 to 3600 seconds");
    Bench.refuse(spec, peers < 1 || peers > 100, "--peers is from 1 to 100");
    Bench.refuse(spec, idle < 0 || idle > 10_000, "--idle is from 0 to 10000");
    Bench.refuse(spec, memoryBytes < 32 << 20, "--memory is 32m or more");
    Bench.refuse(spec, heapBytes < 64 << 20, "--heap is 64m or more");
  }

  /** Returns how many connections the load may have open at once. */
  int connections() {
    return peers * HostilePeer.MOST_OPEN + idle;
  }

  long nanos() {
    return (long) (minutes * TimeUnit.MINUTES.toNanos(1));
  }

  long rehearsalNanos() {
    return (long) (rehearsalSeconds * 1e9);
  }

  /** Returns which kinds of input are sent. */
  Predicate<String> wanted() {
    return inputs.asPredicate();
  }

  /** Returns the options of the member's JVM. */
  List<String> jvm() {
    long heap = heapBytes >> 20;
    return JvmOptions.with(
        List.of("-Xms" + heap + "m", "-Xmx" + heap + "m", ServerProcess.TRACKS_MEMORY));
  }

  /** Returns how this run is repeated. */
  String again() {
    return "--seed " + seed;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s minutes after %s s; seed %d; %d peers and %d idle connections; force %s; heap %d MiB;"
            + " memory for entries %d MiB",
        minutes,
        rehearsalSeconds,
        seed,
        peers,
        idle,
        force,
        heapBytes >> 20,
        memoryBytes >> 20);
  }
}
