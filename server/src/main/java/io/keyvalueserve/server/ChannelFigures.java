package io.keyvalueserve.server;

import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.resp.RespServer;
import java.util.function.ToLongFunction;

/**
 * The figures of channels of Redis clients at this member.
 *
 * @param subscriptions the present number of a kind
 * @param delivered the messages that were written to subscribers since the start
 * @param cutOff the subscribers that were cut off since the start, as they did not read
 */
public record ChannelFigures(
    ToLongFunction<ChannelKind> subscriptions, long delivered, long cutOff) {
  /** No channels: the door is not open yet. */
  static final ChannelFigures NONE = new ChannelFigures(kind -> 0, 0, 0);

  static ChannelFigures of(RespServer resp) {
    return new ChannelFigures(
        resp::subscriptions, resp.deliveredMessages(), resp.subscribersCutOff());
  }
}
