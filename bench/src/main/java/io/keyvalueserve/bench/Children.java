package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Processes of the bench. None outlives it. */
final class Children {
  private static final long EXIT_SECONDS = 30;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private Children() {}

  /** The command that runs a main class of this program's class path in a JVM. */
  static List<String> java(List<String> options, String main, List<String> arguments) {
    return java(System.getProperty("java.class.path"), options, main, arguments);
  }

  /** The command that runs a main class of another class path in a JVM. */
  static List<String> java(
      String classPath, List<String> options, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }

  static Process start(ProcessBuilder command) {
    try {
      Process process = command.start();
      RUNNING.add(process);
      return process;
    } catch (IOException e) {
      throw new UncheckedIOException("a process could not be started", e);
    }
  }

  /** Asks it to end, and ends it if it does not. */
  static void end(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    RUNNING.remove(process);
  }

  /** Kills it (SIGKILL), and waits until it is gone. */
  static void kill(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RUNNING.remove(process);
  }

  /** The processor time it has used, in nanoseconds. */
  static long cpuNanos(Process process) {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new BenchException("this system does not tell processor times"))
        .toNanos();
  }
}
