package io.keyvalueserve.bench;

import java.nio.file.Path;

/**
 * A server that is killed and started again, with the same ports and the same data. Not
 * thread-safe.
 */
interface CrashServer extends AutoCloseable {
  /** Starts it, for the first time or anew; does not wait. */
  void launch();

  /**
   * Whether it says that it serves.
   *
   * @throws BenchException if it has ended by itself
   */
  boolean isReady();

  /** Whether others have all that it has, and it has all that they have. */
  boolean isSafe();

  /** Whether it has all of its data in memory; once it serves. */
  boolean hasLoaded();

  /** Kills it: it has no chance to do anything (SIGKILL). It is gone when this returns. */
  void kill();

  /**
   * Asks it to end (SIGTERM). It is gone when this returns.
   *
   * @throws BenchException if it does not end in time, or says that it could not end in order
   */
  void askToEnd();

  /** Where Redis clients connect. */
  int port();

  /** From now on it is started on the first cores only. */
  void runOn(int cores);

  /** The process, while it runs. */
  ServerProcess process();

  /** What outlives it. */
  Path data();

  /** Kills it if it runs; what it has written stays. */
  @Override
  void close();
}
