package io.keyvalueserve.resp.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/** The outlet for the bytes of a connection's replies, in this order. On its event loop only. */
public interface ReplyOutlet {
  /**
   * Takes bytes, to be sent with the next {@link #flush} or before.
   *
   * @param sent told when they are, or cannot be; null if nobody is to be told
   */
  void write(ByteBuf bytes, @Nullable ChannelFutureListener sent);

  /**
   * Sends what was taken: the turn ends.
   *
   * @param rest to be taken before, or null
   */
  void flush(@Nullable ByteBuf rest);
}
