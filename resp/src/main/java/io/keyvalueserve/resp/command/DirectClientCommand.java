package io.keyvalueserve.resp.command;

import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.RequestView;

/** A command of no key that can be answered where its request lies. See {@link DirectCommand}. */
public interface DirectClientCommand {
  /**
   * Answers the request, if that is possible at once.
   *
   * @param request has as many arguments as the command takes
   * @param replies takes the reply; {@link ReplyWriter#mark} has been called
   * @return whether it is answered; if not, nothing was done, and what was written is void
   */
  boolean answer(RequestView request, Client client, ReplyWriter replies);
}
