package io.keyvalueserve.resp.command;

/** A command by name. One object serves all sessions: it holds no state. */
public sealed interface Command permits KeyedCommand, ListingCommand, SpaceCommand, SessionCommand {
  /** Returns the descriptor of the command. */
  Descriptor descriptor();
}
