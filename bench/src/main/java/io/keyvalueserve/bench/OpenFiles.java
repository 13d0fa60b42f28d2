package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Files and connections of a process, which count together, as Linux tells in {@code /proc}.
 *
 * @param open how many are open
 * @param limit how many may be
 */
record OpenFiles(int open, long limit) {
  /** What a server or the load has open besides connections: libraries, logs, data, selectors. */
  static final int BESIDES = 300;

  private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files +(\\d+|unlimited) ");

  /** Those of this process. */
  static OpenFiles own() {
    return of("self");
  }

  /**
   * Those of a process.
   *
   * @param pid its number
   */
  static OpenFiles of(String pid) {
    Path process = Path.of("/proc", pid);
    try (Stream<Path> files = Files.list(process.resolve("fd"))) {
      return new OpenFiles((int) files.count(), limit(Files.readString(process.resolve("limits"))));
    } catch (IOException e) {
      throw new BenchException(
          "the open files of process " + pid + " are not known: is this Linux?", e);
    }
  }

  /** The limit that {@code /proc/PID/limits} tells. */
  static long limit(String limits) {
    Matcher line = LIMIT.matcher(limits);
    if (!line.find()) {
      throw new BenchException("/proc tells no limit of open files: is this Linux?");
    }
    return line.group(1).equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(line.group(1));
  }

  /**
   * Checks that a process may have so many connections.
   *
   * @param who has the limit
   * @param option what asked for the connections
   */
  static void require(String who, long limit, int connections, String option) {
    long needed = (long) connections + BESIDES;
    if (limit < needed) {
      throw new BenchException(
          String.format(
              "%d connections need %d open files (%d besides connections), but the limit of %s is"
                  + " %d: raise it with 'ulimit -n %d' in the shell that starts the bench, beyond"
                  + " the hard limit (ulimit -Hn) as root or in /etc/security/limits.conf, or ask"
                  + " for fewer: %s",
              connections, needed, BESIDES, who, limit, needed, option));
    }
  }
}
