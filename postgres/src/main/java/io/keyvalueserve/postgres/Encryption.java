package io.keyvalueserve.postgres;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import org.jspecify.annotations.Nullable;

/** How connections are encrypted. Thread-safe; called on event loops, and must not block. */
@FunctionalInterface
public interface Encryption {
  /** Connections are not encrypted: a client that asks for it is told so. */
  Encryption NONE = channel -> null;

  /**
   * Returns the handler that decrypts and encrypts the bytes of a connection, or null if it stays
   * as it is.
   */
  @Nullable ChannelHandler handler(Channel channel);
}
