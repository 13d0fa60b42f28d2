package io.keyvalueserve.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Keeps server and load off each other's cores, where {@code taskset} can and there are two. */
final class Cores {
  /** Before the load is moved: then the JVM sees fewer. */
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  private static final Path TASKSET = Path.of("/usr/bin/taskset");
  private static final boolean APART = CORES > 1 && Files.isExecutable(TASKSET);

  private Cores() {}

  /** What goes before a server's command: it has core 0 for itself. */
  static List<String> server() {
    return APART ? List.of(TASKSET.toString(), "-c", "0") : List.of();
  }

  /** How many cores there are. */
  static int count() {
    return CORES;
  }

  /** What goes before a server's command: it has that many cores, and shares them with the load. */
  static List<String> first(int count) {
    return APART && count < CORES
        ? List.of(TASKSET.toString(), "-c", "0-" + (count - 1))
        : List.of();
  }

  /** How many cores the load has. */
  static int ofLoad() {
    return APART ? CORES - 1 : CORES;
  }

  /** Says where who runs. */
  static String describe() {
    return APART
        ? "server on core 0, load on the others"
        : "server and load share all cores (no taskset, or one core only)";
  }

  /** Moves this process, the load, off core 0. */
  static void moveLoad() {
    move(1);
  }

  /** Lets this process, the load, use all cores again. */
  static void spreadLoad() {
    move(0);
  }

  private static void move(int first) {
    if (!APART) {
      return;
    }
    try {
      new ProcessBuilder(
              TASKSET.toString(),
              "-a",
              "-p",
              "-c",
              first + "-" + (CORES - 1),
              Long.toString(ProcessHandle.current().pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (java.io.IOException e) {
      throw new BenchException("taskset cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }
}
