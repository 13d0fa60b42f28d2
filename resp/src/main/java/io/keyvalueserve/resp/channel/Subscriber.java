package io.keyvalueserve.resp.channel;

import io.keyvalueserve.engine.channel.ChannelKind;

/** A connection that may subscribe. All methods are for its event loop. */
public interface Subscriber {
  /** Takes a message, to be written in {@link #writeMessages}. The caller keeps its reference. */
  void receive(Message message);

  /** A subscription has ended that its tenant is no longer granted: the client is told. */
  void ended(ChannelKind kind, byte[] name);

  /**
   * Has the messages written that it has received: now, or in the connection's turn. Calls {@link
   * TenantMail#served} when no more of them can be written at present.
   */
  void writeMessages();
}
