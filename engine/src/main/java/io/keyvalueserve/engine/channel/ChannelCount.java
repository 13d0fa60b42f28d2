package io.keyvalueserve.engine.channel;

/**
 * The number of subscriptions to a channel or a pattern.
 *
 * @param name the name of the channel, or the pattern
 * @param subscriptions 0 or more
 */
public record ChannelCount(byte[] name, long subscriptions) {}
