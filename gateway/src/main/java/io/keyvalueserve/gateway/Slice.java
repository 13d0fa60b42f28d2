package io.keyvalueserve.gateway;

import io.keyvalueserve.gateway.command.Command;
import io.keyvalueserve.gateway.command.CommandTable;
import io.keyvalueserve.tenancy.fairness.UsualCosts;
import org.jspecify.annotations.Nullable;

/**
 * For how long the session that an event loop serves may go on, and what it does meanwhile. Without
 * a bound while only one tenant is on the loop.
 *
 * <p>The clock is looked at now and then only, so that looking costs little beside the work: some
 * requests are always served. One for each event loop.
 */
final class Slice {
  /** So many arguments may be worked on between two looks at the clock. */
  private static final int ARGUMENTS = 16;

  /** As many bytes, in or out, cost about as much as an argument. */
  private static final int BYTES_OF_ARGUMENT = 256;

  // Ways on which a command costs different times.
  private static final int DIRECT = 0;
  private static final int QUEUED = 1;
  private static final int WAYS = 2;

  private final CommandTable commands;
  private final UsualCosts costs;
  private boolean isBounded;
  private boolean isOver;
  private long endNanos;
  private long worked;

  Slice(CommandTable commands) {
    this.commands = commands;
    this.costs = new UsualCosts(WAYS * (commands.mostNumber() + 1));
  }

  /** Bounds what is done from now on. */
  void begin(long end) {
    costs.begin();
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
   * What was done since it began usually takes so many nanoseconds; 0 if that is not known. Call
   * {@link #took} thereafter.
   */
  long usualNanos() {
    return costs.usualNanos();
  }

  /** Learns how long it took, without what the thread did not run. */
  void took(long nanos) {
    costs.took(nanos);
  }

  /**
   * Tells what was done directly.
   *
   * @param arguments of the request
   * @param bytes of request and reply
   */
  void worked(Command command, int arguments, long bytes) {
    worked(command, DIRECT, arguments, bytes);
  }

  /**
   * Tells what was done of requests that were queued.
   *
   * @param command null if it is not known, or there are several
   * @param arguments of requests, or outcomes
   * @param bytes of requests or replies
   */
  void workedQueued(@Nullable Command command, int arguments, long bytes) {
    worked(command, QUEUED, arguments, bytes);
  }

  private void worked(@Nullable Command command, int way, int arguments, long bytes) {
    if (isBounded) {
      long amount = arguments + bytes / BYTES_OF_ARGUMENT;
      costs.did(WAYS * (command == null ? 0 : commands.number(command)) + way, amount);
      worked += amount;
      if (worked >= ARGUMENTS) {
        worked = 0;
        isOver = System.nanoTime() - endNanos >= 0;
      }
    }
  }
}
