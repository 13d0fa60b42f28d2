package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The times in which a JVM held all its threads, from its log {@code -Xlog:safepoint}.
 *
 * @param count how many
 * @param longestMillis the longest, in milliseconds
 * @param p999Millis what 99.9 of a hundred do not exceed, in milliseconds
 * @param totalMillis all together, in milliseconds
 */
record Pauses(int count, double longestMillis, double p999Millis, double totalMillis) {
  /** The name of the log in the folder of a server. */
  static final String LOG = "safepoints.log";

  private static final Pattern LINE =
      Pattern.compile("^\\[(\\d+)ms].*Safepoint \"([^\"]*)\".*Total: *(\\d+) ns.*");
  private static final double NANOS_IN_MILLI = 1e6;

  /** The option that makes a JVM write the log into the folder of its server. */
  static String option(Path folder) {
    return "-Xlog:safepoint:file=" + folder.resolve(LOG) + ":timemillis:filecount=0";
  }

  /**
   * Those that ended between two moments.
   *
   * @param from milliseconds since 1970, as {@code to}
   */
  static Pauses read(Path log, long from, long to) {
    try (Stream<String> lines = Files.lines(log)) {
      double[] millis =
          lines
              .map(LINE::matcher)
              .filter(Matcher::matches)
              .filter(line -> Long.parseLong(line.group(1)) >= from)
              .filter(line -> Long.parseLong(line.group(1)) <= to)
              .mapToDouble(line -> Long.parseLong(line.group(3)) / NANOS_IN_MILLI)
              .sorted()
              .toArray();
      return of(millis);
    } catch (IOException e) {
      throw new BenchException("the JVM's log of pauses is not readable: " + log, e);
    }
  }

  private static Pauses of(double[] sorted) {
    if (sorted.length == 0) {
      return new Pauses(0, 0, 0, 0);
    }
    int p999 = Math.min(sorted.length - 1, (int) Math.ceil(sorted.length * 0.999) - 1);
    return new Pauses(
        sorted.length, sorted[sorted.length - 1], sorted[p999], Arrays.stream(sorted).sum());
  }
}
