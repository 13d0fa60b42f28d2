package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;
import org.jspecify.annotations.Nullable;

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
   * Returns whether the command writes several keys as one: all or nothing, and nobody sees a half.
   * Its plan has nothing but unconditional writes then.
   */
  default boolean writesTogether() {
    return false;
  }

  /**
   * Returns the way to carry the request out in parts, if it may take an event loop too long at a
   * stretch; null if {@link #plan} is quick. Both come to the same reply.
   *
   * @throws CommandException if the arguments are not what the command takes
   */
  default @Nullable Computation computation(Request request, PlanContext context) {
    return null;
  }

  /**
   * The values that a plan may depend on beside the arguments.
   *
   * @param nowMillis the time, in milliseconds since 1970
   * @param mostValueBytes the longest value a command may build, in bytes
   * @param mostCollectionBytes the largest collection a command may build, in bytes
   */
  record PlanContext(long nowMillis, int mostValueBytes, int mostCollectionBytes) {}
}
