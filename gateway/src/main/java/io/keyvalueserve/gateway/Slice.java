package io.keyvalueserve.gateway;

/**
 * For how long the session that an event loop serves may go on. Without a bound while only one
 * tenant is on the loop.
 *
 * <p>The clock is looked at now and then only, so that looking costs little beside the work: some
 * requests are always served. One for each event loop.
 */
final class Slice {
  /** So many arguments may be worked on between two looks at the clock. */
  private static final int ARGUMENTS = 16;

  /** As many bytes, in or out, cost about as much as an argument. */
  private static final int BYTES_OF_ARGUMENT = 256;

  private boolean isBounded;
  private boolean isOver;
  private long endNanos;
  private long worked;

  /** Bounds what is done from now on. */
  void begin(long end) {
    isBounded = true;
    endNanos = end;
    worked = 0;
  }

  /** What is done from now on has no bound. */
  void end() {
    isBounded = false;
    isOver = false;
  }

  /** Whether there is a bound. */
  boolean isBounded() {
    return isBounded;
  }

  /** Whether the session has to stop. */
  boolean isOver() {
    return isOver;
  }

  /**
   * Tells what was done.
   *
   * @param arguments of requests, or outcomes
   * @param bytes of requests and replies
   */
  void worked(int arguments, long bytes) {
    if (isBounded) {
      worked += arguments + bytes / BYTES_OF_ARGUMENT;
      if (worked >= ARGUMENTS) {
        worked = 0;
        isOver = System.nanoTime() - endNanos >= 0;
      }
    }
  }
}
