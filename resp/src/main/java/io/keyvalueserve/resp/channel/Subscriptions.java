package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.channel.ChannelKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of one connection. On its event loop, but for {@link #count(ChannelKind)},
 * which any thread may call.
 */
public final class Subscriptions {
  private final TenantChannels channels;
  private final TenantMail mail;
  private final Subscriber subscriber;
  private final Inbox inbox;
  private final Map<ChannelKind, Map<ChannelName, Subscription>> byKind =
      new EnumMap<>(ChannelKind.class);
  private volatile int channelCount;
  private volatile int patternCount;
  private volatile int shardCount;

  /**
   * Creates no subscription yet.
   *
   * @param mail of the subscriber's event loop
   */
  public Subscriptions(TenantChannels channels, TenantMail mail, Subscriber subscriber) {
    this.channels = channels;
    this.mail = mail;
    this.subscriber = subscriber;
    this.inbox = new Inbox(channels.lease());
    for (ChannelKind kind : ChannelKind.values()) {
      byKind.put(kind, new LinkedHashMap<>());
    }
  }

  private Map<ChannelName, Subscription> of(ChannelKind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }

  Subscriber subscriber() {
    return subscriber;
  }

  /** Returns the mail that brings its messages. */
  public TenantMail mail() {
    return mail;
  }

  /** Returns the messages that it has received. */
  public Inbox inbox() {
    return inbox;
  }

  boolean includes(Topic topic) {
    Subscription own = of(topic.kind()).get(topic.name());
    return own != null && own.topic().equals(topic);
  }

  /** Returns the number of its subscriptions of a kind. Any thread. */
  public int count(ChannelKind kind) {
    return switch (kind) {
      case CHANNEL -> channelCount;
      case PATTERN -> patternCount;
      case SHARD -> shardCount;
    };
  }

  /** Returns the number that a client is told when a subscription of a kind begins or ends. */
  public int countFor(ChannelKind kind) {
    return kind == ChannelKind.SHARD ? shardCount : channelCount + patternCount;
  }

  /** Returns whether it has no subscription. Any thread. */
  public boolean isEmpty() {
    return channelCount + patternCount + shardCount == 0;
  }

  /**
   * Subscribes. Does nothing if it has subscribed to the same before.
   *
   * @return null if it has subscribed; else why not, in words for the client
   */
  public @Nullable String subscribe(ChannelKind kind, byte[] bytes) {
    return subscribe(channels, kind, bytes, bytes);
  }

  /**
   * Subscribes to a channel or a pattern, of another tenant perhaps.
   *
   * @param where whose it is
   * @param said the name that the client has for it
   * @param bytes the name that its owner has for it
   * @return null if it has subscribed; else why not, in words for the client
   */
  public @Nullable String subscribe(
      TenantChannels where, ChannelKind kind, byte[] said, byte[] bytes) {
    ChannelName name = new ChannelName(said);
    if (of(kind).containsKey(name)) {
      return null;
    }
    Object added = where.add(kind, new ChannelName(bytes), mail, subscriber);
    if (added instanceof Subscription subscription) {
      of(kind).put(name, subscription);
      counted(kind);
      return null;
    }
    return (String) added;
  }

  /**
   * Ends a subscription. Does nothing if there is none.
   *
   * @return whether there was one
   */
  public boolean unsubscribe(ChannelKind kind, byte[] bytes) {
    Subscription ended = of(kind).remove(new ChannelName(bytes));
    if (ended == null) {
      return false;
    }
    remove(ended);
    counted(kind);
    return true;
  }

  private static void remove(Subscription ended) {
    ended.topic().channels().remove(ended);
  }

  private void counted(ChannelKind kind) {
    int count = of(kind).size();
    switch (kind) {
      case CHANNEL -> channelCount = count;
      case PATTERN -> patternCount = count;
      case SHARD -> shardCount = count;
    }
  }

  /** Returns the names that it has subscribed to, the oldest first. */
  public List<byte[]> names(ChannelKind kind) {
    List<byte[]> names = new ArrayList<>();
    of(kind).keySet().forEach(name -> names.add(name.bytes()));
    return names;
  }

  /** Ends all subscriptions, and drops the messages that wait. */
  public void clear() {
    for (ChannelKind kind : ChannelKind.values()) {
      of(kind).values().forEach(Subscriptions::remove);
      of(kind).clear();
      counted(kind);
    }
    inbox.clear();
  }
}
