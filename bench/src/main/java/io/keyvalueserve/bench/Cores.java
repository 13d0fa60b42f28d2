package io.keyvalueserve.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Keeps server and load off each other's cores, where {@code taskset} can and there are two. The
 * server's is core 0, or the one that the system property {@code kvs.bench.core} names, modulo
 * their number: benches that run side by side, as tests do, would else all have their servers on
 * the same.
 */
final class Cores {
  /** Before the load is moved: then the JVM sees fewer. */
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private static final int SERVER = Math.floorMod(Integer.getInteger("kvs.bench.core", 0), CORES);

  private static final Path TASKSET = Path.of("/usr/bin/taskset");
  private static final boolean APART = CORES > 1 && Files.isExecutable(TASKSET);

  private Cores() {}

  /** What goes before a server's command: it has a core for itself. */
  static List<String> server() {
    return APART ? on(SERVER, 1) : List.of();
  }

  /** What goes before the command of a server that takes its core for some threads itself. */
  static List<String> load() {
    return APART ? on(SERVER + 1, CORES - 1) : List.of();
  }

  /** Whether servers and load are kept off each other's cores. */
  static boolean areApart() {
    return APART;
  }

  /** The core that servers are on. */
  static int ofServer() {
    return SERVER;
  }

  /** How many cores there are. */
  static int count() {
    return CORES;
  }

  /** What goes before a server's command: it has that many cores, and shares them with the load. */
  static List<String> first(int count) {
    return APART && count < CORES ? on(SERVER, count) : List.of();
  }

  /** How many cores the load has. */
  static int ofLoad() {
    return APART ? CORES - 1 : CORES;
  }

  /** Says where who runs. */
  static String describe() {
    return APART
        ? "server on core " + SERVER + ", load on the others"
        : "server and load share all cores (no taskset, or one core only)";
  }

  /** Moves this process, the load, off the server's core. */
  static void moveLoad() {
    move(SERVER + 1, CORES - 1);
  }

  /** Lets this process, the load, use all cores again. */
  static void spreadLoad() {
    move(0, CORES);
  }

  private static List<String> on(int first, int count) {
    return List.of(TASKSET.toString(), "-c", list(first, count));
  }

  /** So many cores from one on, as taskset takes them; core 0 follows the last. */
  private static String list(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(core -> Integer.toString(core % CORES))
        .collect(Collectors.joining(","));
  }

  private static void move(int first, int count) {
    if (!APART) {
      return;
    }
    String self = Long.toString(ProcessHandle.current().pid());
    Children.Said _ =
        Children.run(List.of(TASKSET.toString(), "-a", "-p", "-c", list(first, count), self));
  }
}
