package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;

/**
 * A command that can be answered where its request lies, allocating nothing.
 *
 * <p>Its answer is that of the command on the other way, to the byte. It handles only common
 * requests that go well, and leaves all others to the other way.
 */
public interface DirectCommand {
  /**
   * Answers the request, if that is possible at once.
   *
   * @param request has as many arguments as the command takes
   * @param map the one that the session has selected
   * @param replies takes the reply; {@link ReplyWriter#mark} has been called
   * @param clock tells the time
   * @return whether it is answered; if not, nothing was done, and what was written is void
   */
  boolean answer(RequestView request, DirectMap map, ReplyWriter replies, InstantSource clock);
}
