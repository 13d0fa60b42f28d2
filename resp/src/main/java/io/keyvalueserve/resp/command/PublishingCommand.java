package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Request;

/**
 * A command that sends a message. In a block or a script the message is sent when all has been
 * carried out, and not at all if nothing was.
 */
public interface PublishingCommand extends SpaceCommand {
  /** Returns the message that a request sends. */
  OutgoingMessage message(Request request);
}
