package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server under test: a JVM of its own on core 0, if the machine has more than one, and what it
 * costs as the operating system and the JVM's diagnosis tell. Ends with the bench.
 */
final class ServerProcess implements AutoCloseable {
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern LIVE = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
  private static final long EXIT_SECONDS = 30;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Process process;
  private final Path folder;
  private final Path pauses;

  private ServerProcess(Process process, Path folder, Path pauses) {
    this.process = process;
    this.folder = folder;
    this.pauses = pauses;
  }

  /** Starts a main class of this program's class path. Its output goes to a file of the folder. */
  static ServerProcess start(Path folder, List<String> options, String main, List<String> args) {
    try {
      clear(folder);
      Files.createDirectories(folder);
      Path pauses = folder.resolve("safepoints.log");
      List<String> command = new ArrayList<>(Cores.server());
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "--add-modules=java.se",
              "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
              "--add-opens=java.base/java.lang=ALL-UNNAMED",
              "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
              "--add-opens=java.management/sun.management=ALL-UNNAMED",
              "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
              "-Dhazelcast.logging.type=slf4j",
              "-XX:+ExitOnOutOfMemoryError",
              Pauses.option(pauses)));
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
      command.addAll(args);
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output.log").toFile())
              .start();
      RUNNING.add(process);
      return new ServerProcess(process, folder, pauses);
    } catch (IOException e) {
      throw new UncheckedIOException("a server could not be started", e);
    }
  }

  /** Whatever an earlier run has left is gone. */
  private static void clear(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** That it is alive, or else why not. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new BenchException(
          "a server ended by itself: exit="
              + process.exitValue()
              + "; see "
              + folder
              + "\n"
              + tail());
    }
  }

  /** The processor time it has used, in nanoseconds. */
  long cpuNanos() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new BenchException("this system does not tell processor times"))
        .toNanos();
  }

  /** Its memory as the operating system sees it, in bytes. */
  long residentBytes() {
    try {
      Matcher line = RESIDENT.matcher(Files.readString(Path.of("/proc", pid(), "status")));
      if (line.find()) {
        return Long.parseLong(line.group(1)) << 10;
      }
    } catch (IOException e) {
      throw new BenchException("the memory of process " + pid() + " is not known here", e);
    }
    throw new BenchException("the memory of process " + pid() + " is not known here");
  }

  /** What is alive on its Java heap, in bytes. Makes it collect all garbage. */
  long liveHeapBytes() {
    Matcher total = LIVE.matcher(jcmd("GC.class_histogram"));
    if (!total.find()) {
      throw new BenchException("jcmd did not tell what lives on the heap of process " + pid());
    }
    return Long.parseLong(total.group(1));
  }

  /** Its pauses between two moments, in milliseconds since 1970. */
  Pauses pauses(long from, long to) {
    return Pauses.read(pauses, from, to);
  }

  @Override
  public void close() {
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

  private String jcmd(String what) {
    try {
      Process tool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), pid(), what)
              .redirectErrorStream(true)
              .start();
      String answer = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      tool.waitFor();
      return answer;
    } catch (IOException e) {
      throw new BenchException("jcmd of the JDK cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }

  private String pid() {
    return Long.toString(process.pid());
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("output.log"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
