package io.keyvalueserve.resp.channel;

/** One subscription of a connection to a channel or a pattern. On its event loop. */
final class Subscription {
  private final Topic topic;
  private final LoopSubscribers place;
  private final Subscriber subscriber;

  /** The index in the place; changes when others end. */
  int index;

  Subscription(Topic topic, LoopSubscribers place, Subscriber subscriber) {
    this.topic = topic;
    this.place = place;
    this.subscriber = subscriber;
  }

  Topic topic() {
    return topic;
  }

  LoopSubscribers place() {
    return place;
  }

  Subscriber subscriber() {
    return subscriber;
  }
}
