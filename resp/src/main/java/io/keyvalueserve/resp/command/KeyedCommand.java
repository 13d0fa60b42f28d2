package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;

/**
 * A command on keys of one map, each on its own: consecutive ones of a session go to the engine
 * together.
 */
public non-sealed interface KeyedCommand extends Command {
  /**
   * Reads the arguments.
   *
   * @throws CommandException if they are not what the command takes; nothing is done then
   */
  KeyedPlan plan(Request request, PlanContext context);

  /**
   * Returns whether the command reads the values of its arguments, each a key, and answers them in
   * that order. A value that is not a string is answered with null.
   */
  default boolean readsItsArguments() {
    return false;
  }

  /**
   * The values that a plan may depend on beside the arguments.
   *
   * @param nowMillis the time, in milliseconds since 1970
   * @param mostValueBytes the longest value a command may build, in bytes
   */
  record PlanContext(long nowMillis, int mostValueBytes) {}
}
