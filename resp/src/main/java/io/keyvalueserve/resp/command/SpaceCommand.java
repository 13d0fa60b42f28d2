package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.concurrent.CompletionStage;

/** A command that asks the engine for more than single keys. It runs alone in its turn. */
public non-sealed interface SpaceCommand extends Command {
  /**
   * Starts it, on the session's event loop. Does not block.
   *
   * @throws CommandException if the arguments are not what the command takes; nothing is done then
   */
  CompletionStage<Reply> execute(Client client, Request request);

  /** Returns whether it may be part of a transaction. */
  default boolean isTransactional() {
    return false;
  }

  /**
   * Returns what it does as part of a transaction. On the session's event loop.
   *
   * @param map the map that is selected at its place
   * @throws CommandException if the arguments are not what the command takes
   */
  default TransactionStep inTransaction(Client client, KeyMap map, Request request) {
    throw new IllegalStateException("it is no part of transactions");
  }
}
