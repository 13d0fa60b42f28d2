package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;

/** A command of the session that scripts may use: it does the same within a transaction. */
interface ViewCommand {
  /**
   * Carries the command out. It may be called again with another scope, so it changes nothing else.
   *
   * @param request has as many arguments as the command takes
   * @throws CommandException if the arguments are not what the command takes
   */
  Reply run(TransactionScope scope, Request request);
}
