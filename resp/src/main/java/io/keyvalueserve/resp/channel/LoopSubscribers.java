package io.keyvalueserve.resp.channel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of one channel or pattern on one event loop. The list is of the event loop; any
 * thread may ask for {@link #count}.
 */
final class LoopSubscribers {
  private final TenantMail mail;
  private Subscription[] list = new Subscription[1];

  /** Written by the event loop. */
  private volatile int count;

  LoopSubscribers(TenantMail mail) {
    this.mail = mail;
  }

  TenantMail mail() {
    return mail;
  }

  int count() {
    return count;
  }

  void add(Subscription subscription) {
    int length = count;
    if (length == list.length) {
      list = Arrays.copyOf(list, 2 * length);
    }
    list[length] = subscription;
    subscription.index = length;
    count = length + 1;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void remove(Subscription subscription) {
    int last = count - 1;
    Subscription moved = list[last];
    list[subscription.index] = moved;
    moved.index = subscription.index;
    count = last;
    if (list.length > 4 * (last + 1)) {
      list = Arrays.copyOf(list, list.length / 2);
    }
    Arrays.fill(list, last, Math.min(last + 1, list.length), null);
  }

  /** Ends all subscriptions to another tenant's channel. */
  void endAll() {
    Subscription[] all = Arrays.copyOf(list, count);
    for (Subscription each : all) {
      Topic topic = each.topic();
      each.subscriber().ended(topic.kind(), topic.channels().shown(topic.name().bytes()));
    }
    mail.wake();
  }

  /** Hands a message to all of them but one. Some may end while this goes on. */
  void deliver(Message message, @Nullable Subscriber except) {
    for (int i = count - 1; i >= 0; i--) {
      if (i < count) {
        Subscriber each = list[i].subscriber();
        if (!each.equals(except)) {
          each.receive(message);
        }
      }
    }
  }
}
