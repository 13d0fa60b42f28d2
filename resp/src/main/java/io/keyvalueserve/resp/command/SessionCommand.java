package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;

/** A command that needs only the session and what is at hand. It runs alone in its turn. */
public non-sealed interface SessionCommand extends Command {
  /**
   * Does it, on the session's event loop. Does not block.
   *
   * @throws CommandException if the arguments are not what the command takes; nothing is done then
   */
  Reply execute(Client client, Request request);
}
