package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.Reply;

/** A command that is refused before it did anything; the client gets the error. No stack trace. */
public final class CommandException extends RuntimeException {
  private final transient Reply.ErrorLine reply;

  /** Creates an exception with this line. */
  public CommandException(String line) {
    this(Reply.error(line));
  }

  /** Creates an exception with this error. */
  public CommandException(Reply.ErrorLine reply) {
    super("command refused", null, false, false);
    this.reply = reply;
  }

  /** Returns the error reply to the client. */
  public Reply.ErrorLine reply() {
    return reply;
  }
}
