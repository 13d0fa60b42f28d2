package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long cores were not idle, whoever kept them busy, as Linux counts it in {@code /proc/stat}.
 *
 * @param serverNanos the server's core
 * @param loadNanos all others together
 */
record CoreTimes(long serverNanos, long loadNanos) {
  private static final Path STAT = Path.of("/proc/stat");
  private static final long TICK_NANOS = 10_000_000;

  /** user, nice, system; idle and waiting for a disk do not count; irq, softirq, stolen. */
  private static final Pattern CORE =
      Pattern.compile("(?m)^cpu(\\d+) (\\d+) (\\d+) (\\d+) \\d+ \\d+ (\\d+) (\\d+) (\\d+)");

  /** As of now. */
  static CoreTimes now() {
    try {
      return of(Files.readString(STAT), Cores.ofServer());
    } catch (IOException e) {
      throw new BenchException(STAT + " is not readable: is this Linux?", e);
    }
  }

  static CoreTimes of(String stat, int serverCore) {
    long server = 0;
    long load = 0;
    for (Matcher core = CORE.matcher(stat); core.find(); ) {
      long ticks = 0;
      for (int column = 2; column <= core.groupCount(); column++) {
        ticks += Long.parseLong(core.group(column));
      }
      if (Integer.parseInt(core.group(1)) == serverCore) {
        server = ticks * TICK_NANOS;
      } else {
        load += ticks * TICK_NANOS;
      }
    }
    return new CoreTimes(server, load);
  }

  CoreTimes since(CoreTimes before) {
    return new CoreTimes(serverNanos - before.serverNanos, loadNanos - before.loadNanos);
  }
}
