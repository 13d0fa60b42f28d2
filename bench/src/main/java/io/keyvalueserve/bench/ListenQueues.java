package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The queues of connections that servers have not yet accepted. A connection that finds one full is
 * not refused: its client tries again after a second, then two, then four.
 */
final class ListenQueues {
  private static final Path NETSTAT = Path.of("/proc/net/netstat");
  private static final String COUNTER = "ListenOverflows";

  private ListenQueues() {}

  /** How often any queue of this machine, or of this container, was full since it started. */
  static long overflows() {
    try {
      return overflows(Files.readAllLines(NETSTAT));
    } catch (IOException e) {
      throw new BenchException(NETSTAT + " is not readable: is this Linux?", e);
    }
  }

  /** What the kernel's lines say: names in one, figures in the next. */
  static long overflows(List<String> netstat) {
    for (int i = 0; i + 1 < netstat.size(); i += 2) {
      int column = Arrays.asList(netstat.get(i).split(" ", -1)).indexOf(COUNTER);
      if (column >= 0) {
        return Long.parseLong(netstat.get(i + 1).split(" ", -1)[column]);
      }
    }
    throw new BenchException(NETSTAT + " does not tell " + COUNTER);
  }
}
