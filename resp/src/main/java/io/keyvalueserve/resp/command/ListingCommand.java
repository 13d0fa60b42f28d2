package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;

/** A command that lists keys of the selected map. It is done in parts. */
public non-sealed interface ListingCommand extends Command {
  /**
   * Returns the plan of what to list.
   *
   * @throws CommandException if the arguments are not what the command takes
   */
  ListingPlan plan(Request request);
}
