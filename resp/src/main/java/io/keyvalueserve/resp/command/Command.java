package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;
import java.util.List;

/** A command by name. One object serves all sessions: it holds no state. */
public sealed interface Command permits KeyedCommand, ListingCommand, SpaceCommand, SessionCommand {
  /** Returns the descriptor of the command. */
  Descriptor descriptor();

  /**
   * Returns the keys that a request names.
   *
   * @throws CommandException if the arguments are not what the command takes
   */
  default List<byte[]> keys(Request request) {
    return descriptor().keys(request);
  }
}
