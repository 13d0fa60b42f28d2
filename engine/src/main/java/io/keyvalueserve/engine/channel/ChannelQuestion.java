package io.keyvalueserve.engine.channel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about the subscriptions of one tenant.
 *
 * @param kind the kind of names that it is about
 * @param pattern the names that are asked for; null for all
 * @param names the names that are asked for, in place of a pattern; empty if there is one, or all
 *     are asked for. The answer has them in this order, with 0 where nobody subscribes
 */
public record ChannelQuestion(ChannelKind kind, byte @Nullable [] pattern, List<byte[]> names) {}
