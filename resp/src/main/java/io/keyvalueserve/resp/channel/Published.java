package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.channel.ChannelBus;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The result of publishing a message at this member.
 *
 * @param receivers the subscriptions that receive it; {@link ChannelBus#TOO_COSTLY} if matching the
 *     tenant's patterns takes too many steps, and nobody receives it
 * @param room complete when its publisher may be answered; null if it may be answered now
 */
public record Published(long receivers, @Nullable CompletionStage<Void> room) {
  static final Published TO_NOBODY = new Published(0, null);
  static final Published REFUSED = new Published(ChannelBus.TOO_COSTLY, null);
}
