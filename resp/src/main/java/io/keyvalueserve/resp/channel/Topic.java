package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.GlobPattern;
import io.keyvalueserve.engine.channel.ChannelKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A channel or a pattern that has subscribers. It is changed under the lock of its {@link
 * TenantChannels}, and read by any thread.
 */
final class Topic {
  private final TenantChannels channels;
  private final ChannelKind kind;
  private final ChannelName name;
  private final @Nullable GlobPattern pattern;
  private volatile LoopSubscribers[] places = {};

  Topic(TenantChannels channels, ChannelKind kind, ChannelName name) {
    this.channels = channels;
    this.kind = kind;
    this.name = name;
    this.pattern = kind == ChannelKind.PATTERN ? new GlobPattern(name.bytes()) : null;
  }

  TenantChannels channels() {
    return channels;
  }

  ChannelKind kind() {
    return kind;
  }

  ChannelName name() {
    return name;
  }

  /** Returns the subscribers on each event loop that has any. */
  LoopSubscribers[] places() {
    return places;
  }

  /** Returns the number of subscriptions. */
  int count() {
    int sum = 0;
    for (LoopSubscribers place : places) {
      sum += place.count();
    }
    return sum;
  }

  boolean matches(byte[] channel, GlobPattern.Steps steps) {
    return pattern != null && pattern.matches(channel, 0, channel.length, steps);
  }

  /** Returns the subscribers on the event loop of this mail. Under the lock. */
  LoopSubscribers place(TenantMail mail) {
    for (LoopSubscribers place : places) {
      if (place.mail() == mail) {
        return place;
      }
    }
    LoopSubscribers added = new LoopSubscribers(mail);
    LoopSubscribers[] more = Arrays.copyOf(places, places.length + 1);
    more[places.length] = added;
    places = more;
    return added;
  }

  /**
   * Takes a place out that has no subscribers any more. Under the lock.
   *
   * @return whether no place is left
   */
  boolean remove(LoopSubscribers empty) {
    LoopSubscribers[] rest =
        Arrays.stream(places).filter(place -> place != empty).toArray(LoopSubscribers[]::new);
    places = rest;
    return rest.length == 0;
  }
}
