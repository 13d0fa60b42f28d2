package io.keyvalueserve.bench;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server that is killed and started again, with the same ports and the same data. Not
 * thread-safe.
 */
abstract class CrashServer implements AutoCloseable {
  private final Path folder;
  private final Path program;
  List<String> before = List.of();
  private @Nullable ServerProcess process;

  /**
   * @param folder for its data and its output
   * @param program that its process has to be
   */
  CrashServer(Path folder, Path program) {
    this.folder = folder;
    this.program = program;
  }

  /** Starts its process. */
  void start(List<String> command) {
    process = ServerProcess.again(folder, before, command);
  }

  /** Starts it, for the first time or anew; does not wait. */
  abstract void launch();

  /**
   * Returns whether it says that it serves.
   *
   * @throws BenchException if it has ended by itself
   */
  abstract boolean isReady();

  /** Whether others have all that it has, and it has all that they have. */
  abstract boolean isSafe();

  /** Whether it has all of its data in memory; once it serves. */
  abstract boolean hasLoaded();

  /** Kills it: it has no chance to do anything (SIGKILL). It is gone when this returns. */
  void kill() {
    process().kill(program);
    process = null;
  }

  /**
   * Asks it to end (SIGTERM). It is gone when this returns.
   *
   * @throws BenchException if it does not end in time, or says that it could not end in order
   */
  void askToEnd() {
    process().askToEnd();
    process = null;
  }

  /** Where Redis clients connect. */
  abstract int port();

  /** From now on it is started on the first cores only. */
  void runOn(int cores) {
    before = Cores.first(cores);
  }

  /** The process, while it runs. */
  ServerProcess process() {
    if (process == null) {
      throw new IllegalStateException("the server does not run");
    }
    return process;
  }

  /** What outlives it. */
  Path data() {
    return folder.resolve("data");
  }

  /** Kills it if it runs; what it has written stays. */
  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      kill();
    }
  }
}
