package io.keyvalueserve.resp;

import io.keyvalueserve.engine.channel.ChannelKind;
import io.keyvalueserve.resp.RespServerConfig.MessageLimits;
import io.keyvalueserve.resp.channel.Inbox;
import io.keyvalueserve.resp.channel.Message;
import io.keyvalueserve.resp.channel.Subscriber;
import io.keyvalueserve.resp.channel.Subscriptions;
import io.keyvalueserve.resp.channel.TenantChannels;
import io.keyvalueserve.resp.protocol.ReplyWriter;

/**
 * The messages for one connection: they wait in its inbox until the connection's turn, and while
 * its client does not read. A client that lets too many wait is cut off. On the connection's event
 * loop.
 */
final class Deliveries implements Subscriber {
  private final RespSession session;
  private final SessionHost host;
  private final Subscriptions subscriptions;
  private final Inbox inbox;

  /** True from the first message that is received until the session has written what it can. */
  private boolean isAwaited;

  /** Since when more than the soft limit waits; 0 if less does. */
  private long overNanos;

  /** True while it will look again whether too much waits. */
  private boolean isToLookAgain;

  Deliveries(RespSession session, SessionHost host, TenantChannels tenant) {
    this.session = session;
    this.host = host;
    this.subscriptions =
        new Subscriptions(
            tenant, tenant.mail(host.loopMail(session.context().channel().eventLoop())), this);
    this.inbox = subscriptions.inbox();
  }

  Subscriptions subscriptions() {
    return subscriptions;
  }

  /** Returns the bytes of the messages that wait. */
  long waitingBytes() {
    return inbox.bytes();
  }

  boolean isEmpty() {
    return inbox.isEmpty();
  }

  @Override
  public void receive(Message message) {
    if (!session.isOpen()) {
      return;
    }
    boolean hasHeap = inbox.add(message);
    if (!isAwaited) {
      isAwaited = true;
      subscriptions.mail().received(this);
    }
    if (!hasHeap) {
      cutOff("its tenant has no heap left for messages that wait for it");
    } else {
      look();
    }
  }

  @Override
  public void ended(ChannelKind kind, byte[] name) {
    if (session.isOpen() && subscriptions.unsubscribe(kind, name)) {
      Message message =
          Message.ended(
              ClientChannels.action("unsubscribe", kind), name, subscriptions.countFor(kind));
      receive(message);
      boolean _ = message.release();
    }
  }

  @Override
  public void writeMessages() {
    session.deliver();
  }

  /** Writes the oldest message. */
  void writeNext(ReplyWriter writer) {
    Message message = inbox.poll();
    if (message != null) {
      writer.push(message.encoded(writer.speaksResp3()), inbox.isEmpty());
      boolean _ = message.release();
      host.channels().delivered(1);
    }
  }

  /** Writes all messages: those that came before a reply are written before it. */
  void writeAll() {
    while (!inbox.isEmpty() && session.isOpen()) {
      writeNext(session.writer());
    }
  }

  /** The session has written what it can at present. */
  void settle() {
    if (isAwaited) {
      isAwaited = false;
      subscriptions.mail().served();
    }
    look();
  }

  private void look() {
    long waiting = inbox.bytes();
    MessageLimits limits = host.config().messages();
    if (waiting > limits.softBytes() / 2) {
      waiting += session.outboundBytes();
    }
    if (waiting <= limits.softBytes()) {
      overNanos = 0;
    } else if (waiting > limits.hardBytes()) {
      cutOff("more than " + limits.hardBytes() + " bytes of messages wait for it");
    } else if (overNanos == 0) {
      overNanos = Math.max(1, System.nanoTime());
      lookLater(limits.softTime().toMillis());
    }
  }

  /** Looks again later: once, however often the limit was passed until then. */
  private void lookLater(long millis) {
    if (!isToLookAgain) {
      isToLookAgain = session.later(this::lookAgain, millis);
    }
  }

  private void lookAgain() {
    isToLookAgain = false;
    MessageLimits limits = host.config().messages();
    if (overNanos == 0 || !session.isOpen()) {
      return;
    }
    long left = limits.softTime().toNanos() - (System.nanoTime() - overNanos);
    if (left > 0) {
      lookLater(left / 1_000_000 + 1);
    } else {
      cutOff(
          "more than "
              + limits.softBytes()
              + " bytes of messages have waited for it for "
              + limits.softTime().toSeconds()
              + " s");
    }
  }

  private void cutOff(String reason) {
    if (session.isOpen()) {
      host.channels().cutOff();
      session.cutOffSubscriber(reason);
    }
  }

  /** Writes what has come if the connection is open, and ends all subscriptions. */
  void end() {
    writeAll();
    subscriptions.clear();
    settle();
  }
}
