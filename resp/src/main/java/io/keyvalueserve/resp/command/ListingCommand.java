package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;

/** A command that lists keys of the selected map. It is done in parts. */
public non-sealed interface ListingCommand extends Command {
  /**
   * What is to be listed.
   *
   * @throws CommandException if the arguments are not what the command takes
   */
  ListingPlan plan(Request request);
}
