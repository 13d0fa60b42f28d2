package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.DirectMap;
import io.keyvalueserve.resp.protocol.ReplyWriter;
import io.keyvalueserve.resp.protocol.RequestView;
import java.time.InstantSource;

/**
 * A command that can be answered where its request lies, allocating nothing.
 *
 * <p>What it answers is what the command answers otherwise, to the byte. It has to know only what
 * is common and goes well: all else it leaves to the other way.
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
