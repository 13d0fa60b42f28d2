package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.channel.ChannelCount;
import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.engine.channel.ChannelQuestion;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.RequestView;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The channels of a client's tenant, and those of others that it names as {@code acme//news}, for a
 * client that has authenticated. On the client's event loop; nothing blocks.
 */
public interface Channels {
  /** The answer of {@link #publishAtOnce} if that is not possible. */
  long NOT_AT_ONCE = -1;

  /**
   * Returns whether the client may only subscribe, end subscriptions, ping, reset and quit: it has
   * subscribed, and is answered in RESP2.
   */
  boolean isRestricted();

  /** Subscribes. The reply has a confirmation for each name. */
  CompletionStage<Reply> subscribe(ChannelKind kind, List<byte[]> names);

  /**
   * Ends subscriptions.
   *
   * @param names empty for all of this kind
   */
  Reply unsubscribe(ChannelKind kind, List<byte[]> names);

  /** Publishes a message. The reply is the number of subscriptions that receive it. */
  CompletionStage<Reply> publish(OutgoingMessage message);

  /** Returns why the client may not publish on a channel, or null if it may. Any thread. */
  @Nullable String refusalToPublish(byte[] channel);

  /**
   * Publishes the message that a request has as its first two arguments, if all its subscribers are
   * at this member, and have room.
   *
   * @return how many subscriptions receive it; {@link #NOT_AT_ONCE} if nothing was done
   */
  long publishAtOnce(boolean sharded, RequestView request);

  /** Asks for the subscriptions of the tenant's clients at all members. */
  CompletionStage<List<ChannelCount>> ask(ChannelQuestion question);

  /** Returns how many channels or patterns have subscribers of the tenant at this member. */
  int countHere(ChannelKind kind);
}
