package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server under test: a process of its own on a core of its own, if the machine has more than one,
 * and what it costs as the operating system and the JVM's diagnosis tell. Ends with the bench.
 */
final class ServerProcess implements AutoCloseable {
  /** The file of a server's folder that has what it says. */
  static final String OUTPUT = "output.log";

  /** The option of a JVM that counts what it allocates off the heap. */
  static final String TRACKS_MEMORY = "-XX:NativeMemoryTracking=summary";

  /** What a program exits with that does nothing about SIGTERM. */
  private static final int TERMINATED = 128 + 15;

  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
  private static final Pattern OTHER =
      Pattern.compile("Other \\(reserved=\\d+KB, committed=(\\d+)KB");
  private static final Pattern LIVE = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

  private final Process process;
  private final Path folder;

  private ServerProcess(Process process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * Starts a main class of this program's class path in a JVM. Its output goes to a file of the
   * folder.
   *
   * @param options of the JVM
   */
  static ServerProcess java(Path folder, List<String> options, String main, List<String> args) {
    return java(folder, Cores.server(), options, main, args);
  }

  /**
   * The same on other cores.
   *
   * @param before says which, see {@link Cores}
   */
  static ServerProcess java(
      Path folder, List<String> before, List<String> options, String main, List<String> args) {
    return launch(folder, before, Children.java(options, main, args));
  }

  /** Starts a program. Its output goes to a file of the folder. */
  static ServerProcess program(Path folder, List<String> program) {
    return launch(folder, Cores.server(), program);
  }

  /**
   * Starts a program for the first or for another time: what is in the folder stays, its output
   * goes to the end of that of the last time.
   *
   * @param before says which cores it has, see {@link Cores}; it shares them with the load
   */
  static ServerProcess again(Path folder, List<String> before, List<String> program) {
    List<String> command = new ArrayList<>(before);
    command.addAll(program);
    FileTree.make(folder);
    return new ServerProcess(
        Children.start(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve(OUTPUT).toFile()))),
        folder);
  }

  private static ServerProcess launch(Path folder, List<String> before, List<String> what) {
    try {
      FileTree.delete(folder); // whatever an earlier run has left
    } catch (IOException e) {
      throw new UncheckedIOException("no room for a server's output: " + folder, e);
    }
    return again(folder, before, what);
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

  /** Waits as {@link Clock#await} does, as long as it is alive. */
  <E extends Exception> void await(
      Clock.Condition<E> condition, long stepMillis, long seconds, String otherwise) throws E {
    Clock.<E>await(
        () -> {
          requireAlive();
          return condition.holds();
        },
        stepMillis,
        seconds,
        otherwise);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What its compilers take from now on, if it is a JVM. */
  ThreadTimes compilers() {
    return ThreadTimes.ofCompilers(process.pid());
  }

  /** What its event loops take from now on, if it is this product. */
  ThreadTimes eventLoops() {
    return ThreadTimes.ofEventLoops(process.pid());
  }

  /**
   * Kills it, which gives it no chance to do anything (SIGKILL), and waits until it is gone.
   *
   * @param program that it has to be, and not a shell before it
   * @throws BenchException if it had ended by itself, or is another program
   */
  void kill(Path program) {
    requireAlive();
    String running = process.info().command().orElse("");
    try {
      if (!running.isEmpty() && !Files.isSameFile(Path.of(running), program)) {
        throw new BenchException("not the server is about to be killed, but " + running);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("not known which program process " + pid() + " is", e);
    }
    Children.kill(process);
  }

  /**
   * Asks it to end (SIGTERM), and waits until it has.
   *
   * @throws BenchException if it had ended by itself, does not end in time, or has another exit
   *     code than those of a program that ended because it was asked to
   */
  void askToEnd() {
    requireAlive();
    int exit = Children.askToEnd(process);
    if (exit != 0 && exit != TERMINATED) {
      throw new BenchException(
          "a server did not end in order: exit=" + exit + "; see " + folder + "\n" + tail());
    }
  }

  /**
   * Sends it a signal.
   *
   * @param name as the program kill has it, such as STOP
   */
  void signal(String name) {
    Children.Said said = Children.run(List.of("kill", "-" + name, pid()));
    if (said.exit() != 0) {
      throw new BenchException("kill -" + name + " " + pid() + " failed: " + said.text());
    }
  }

  /** The processor time it has used, in nanoseconds. */
  long cpuNanos() {
    return Children.cpuNanos(process);
  }

  /** Its memory as the operating system sees it, in bytes. */
  long residentBytes() {
    return status(RESIDENT) << 10;
  }

  /** Returns how many threads it has, as the operating system sees them. */
  int threads() {
    return (int) status(THREADS);
  }

  private long status(Pattern what) {
    try {
      Matcher line = what.matcher(Files.readString(Path.of("/proc", pid(), "status")));
      if (line.find()) {
        return Long.parseLong(line.group(1));
      }
    } catch (IOException e) {
      throw new BenchException("the status of process " + pid() + " is not known here", e);
    }
    throw new BenchException("the status of process " + pid() + " is not known here");
  }

  /** How many files and connections it has open. */
  int openFiles() {
    return OpenFiles.of(pid()).open();
  }

  /** How many files and connections it may have open. */
  long openFilesLimit() {
    return OpenFiles.of(pid()).limit();
  }

  /** What is alive on its Java heap, in bytes. Makes it collect all garbage. */
  long liveHeapBytes() {
    Matcher total = LIVE.matcher(jcmd("GC.class_histogram"));
    if (!total.find()) {
      throw new BenchException("jcmd did not tell what lives on the heap of process " + pid());
    }
    return Long.parseLong(total.group(1));
  }

  /**
   * Returns the bytes of direct buffers, pooled ones too, and of other memory that Java code has
   * allocated off the heap. Needs a JVM that was started with {@link #TRACKS_MEMORY}.
   */
  long directBytes() {
    Matcher other = OTHER.matcher(jcmd("VM.native_memory", "summary", "scale=KB"));
    if (!other.find()) {
      throw new BenchException("jcmd did not tell the native memory of process " + pid());
    }
    return Long.parseLong(other.group(1)) << 10;
  }

  /**
   * The pauses of a JVM that logs them to its folder, see {@link Pauses#option}, between two
   * moments in milliseconds since 1970.
   */
  Pauses pauses(long from, long to) {
    return Pauses.read(folder.resolve(Pauses.LOG), from, to);
  }

  @Override
  public void close() {
    Children.end(process);
  }

  /** Returns what all threads of a Java process do. */
  String stacks() {
    return jcmd("Thread.print", "-l");
  }

  private String jcmd(String... what) {
    List<String> command = new ArrayList<>();
    command.add(Children.JAVA.resolveSibling("jcmd").toString());
    command.add(pid());
    command.addAll(List.of(what));
    return Children.run(command).text();
  }

  /** The process's number. */
  String pid() {
    return Long.toString(process.pid());
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve(OUTPUT));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
