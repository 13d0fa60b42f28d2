package io.keyvalueserve.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes of the bench. None outlives it. */
final class Children {
  /** The program that runs this one. */
  static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  private static final long EXIT_SECONDS = 30;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private Children() {}

  /** The packages of this program's class path, as a class path. */
  static String packages() {
    return classPath().filter(Children::isPackage).collect(Collectors.joining(File.pathSeparator));
  }

  private static Stream<String> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  private static boolean isPackage(String entry) {
    return !Files.isDirectory(Path.of(entry));
  }

  /**
   * The command that runs a main class of this program's class path in a JVM. Folders, which tests
   * have, come last: a start-up cache of the packages holds for whatever begins with them.
   */
  static List<String> java(List<String> options, String main, List<String> arguments) {
    return java(packages(entry -> true), options, main, arguments);
  }

  /**
   * This program's class path, or those of its packages that pass; and its folders behind them.
   *
   * @param passes asked for the name of a package's file
   */
  static String packages(Predicate<String> passes) {
    return Stream.concat(
            classPath()
                .filter(
                    entry -> isPackage(entry) && passes.test(Path.of(entry).toFile().getName())),
            classPath().filter(entry -> !isPackage(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** The command that runs a main class of another class path in a JVM. */
  static List<String> java(
      String classPath, List<String> options, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(JAVA.toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }

  /**
   * The text of both outputs of a program, and its exit code.
   *
   * @param text all of it
   */
  record Said(String text, int exit) {}

  /**
   * Runs a program of the operating system to its end.
   *
   * @throws BenchException if it cannot be run
   */
  static Said run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Said(text, process.waitFor());
    } catch (IOException e) {
      throw new BenchException(command.getFirst() + " cannot be run", e);
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
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

  /**
   * Asks it to end (SIGTERM), waits until it has, and returns its exit code.
   *
   * @throws BenchException if it does not end in time; it is still there then
   */
  static int askToEnd(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
        throw new BenchException(
            "a process that was asked to end goes on after %d s: pid=%d"
                .formatted(EXIT_SECONDS, process.pid()));
      }
    } catch (InterruptedException e) {
      throw Clock.interrupted(e);
    }
    RUNNING.remove(process);
    return process.exitValue();
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
    return cpuNanos(process.toHandle());
  }

  /** The processor time it has used, in nanoseconds. */
  static long cpuNanos(ProcessHandle process) {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new BenchException("this system does not tell processor times"))
        .toNanos();
  }
}
