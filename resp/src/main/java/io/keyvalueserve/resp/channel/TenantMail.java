package io.keyvalueserve.resp.channel;

import io.netty.util.internal.PlatformDependent;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one tenant for subscribers on one event loop.
 *
 * <p>The next messages are handed out when the connections have written those before, or cannot
 * because their clients do not read. So a tenant whose turn is far off holds up its own messages
 * only, and they are bounded: who publishes while {@link #isFull} is answered when there is room.
 *
 * <p>{@link #post}, {@link #isFull} and {@link #room} are for any thread, the rest is of the event
 * loop.
 */
public final class TenantMail {
  /** The cost of waiting deliveries above which publishers wait. */
  private static final long MOST_COST = 1 << 20;

  /** The cost above which messages of other tenants are dropped. */
  private static final long MOST_FOREIGN_COST = 4 << 20;

  /** The cost of one delivery, beside the bytes of its message. */
  private static final long DELIVERY_COST = 64;

  /**
   * The deliveries after which connections write what they have received: together, if they can.
   */
  private static final int DELIVERIES_AT_ONCE = 8192;

  private final LoopMail loop;
  private final Queue<Delivery> posted = PlatformDependent.newMpscQueue();
  private final AtomicBoolean isListed = new AtomicBoolean();
  private final AtomicLong cost = new AtomicLong();
  private @Nullable CompletableFuture<Void> whenRoom;

  // Of the event loop.
  private final Queue<Subscriber> ready = new ArrayDeque<>();
  private int unserved;
  private boolean isParked;

  private record Delivery(
      LoopSubscribers to, Message message, @Nullable Subscriber except, long cost) {}

  TenantMail(LoopMail loop) {
    this.loop = loop;
  }

  LoopMail loop() {
    return loop;
  }

  /**
   * Sends a message to the subscribers of a channel. Keeps a reference of its own.
   *
   * @param except a subscriber that has it already, or null
   */
  void post(LoopSubscribers to, Message message, @Nullable Subscriber except) {
    long weight = message.size() + DELIVERY_COST * to.count();
    cost.addAndGet(weight);
    posted.add(new Delivery(to, message.retain(), except, weight));
    wake();
  }

  /** Has the loop look after it. */
  void wake() {
    if (isListed.compareAndSet(false, true)) {
      loop.list(this);
    }
  }

  /** Returns whether there is no room at all for messages of other tenants. */
  boolean isOverfull() {
    return cost.get() > MOST_FOREIGN_COST;
  }

  /** Returns whether publishers are to wait. */
  boolean isFull() {
    return cost.get() > MOST_COST;
  }

  /** Returns a stage that is complete when there is room. */
  synchronized CompletionStage<Void> room() {
    if (!isFull()) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> awaited = whenRoom;
    if (awaited == null) {
      awaited = new CompletableFuture<>();
      whenRoom = awaited;
    }
    return awaited;
  }

  private void tellRoom() {
    CompletableFuture<Void> awaited = null;
    synchronized (this) {
      if (cost.get() <= MOST_COST / 2) {
        awaited = whenRoom;
        whenRoom = null;
      }
    }
    if (awaited != null) {
      awaited.complete(null);
    }
  }

  /** A subscriber has received its first message since it was served. */
  public void received(Subscriber subscriber) {
    unserved++;
    ready.add(subscriber);
  }

  /** A subscriber has written what it can of its messages, or has ended. */
  public void served() {
    unserved--;
    if (unserved == 0 && isParked) {
      isParked = false;
      loop.due(this);
    }
  }

  /**
   * Does the next part of the work.
   *
   * @return whether there is more to do now; if not, it is listed again when there is
   */
  boolean step() {
    Subscriber next = ready.poll();
    if (next != null) {
      next.writeMessages();
    } else if (unserved == 0) {
      handOut();
    }
    if (!ready.isEmpty()) {
      return true;
    }
    if (unserved > 0) {
      isParked = true;
      return false;
    }
    if (!posted.isEmpty()) {
      return true;
    }
    isListed.set(false);
    return !posted.isEmpty() && isListed.compareAndSet(false, true);
  }

  private void handOut() {
    boolean wasFull = isFull();
    Delivery next;
    int deliveries = 0;
    while (deliveries < DELIVERIES_AT_ONCE && (next = posted.poll()) != null) {
      deliveries += Math.max(1, next.to().count());
      next.to().deliver(next.message(), next.except());
      next.message().release();
      cost.addAndGet(-next.cost());
    }
    if (wasFull || whenRoomIsAwaited()) {
      tellRoom();
    }
  }

  private synchronized boolean whenRoomIsAwaited() {
    return whenRoom != null;
  }
}
