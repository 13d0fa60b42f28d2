package io.keyvalueserve.resp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a connection's replies in their order: a large one piece by piece, each in a turn of its
 * own ({@link PieceTurns}) when the one before has left. To copy and send 16 MiB at a stretch would
 * hold the event loop, and all who are on it, for milliseconds.
 *
 * <p>While a large one is on its way the channel is not writable, so that the session does no more.
 * On the connection's event loop only.
 */
final class PacedReplies {
  /**
   * The longest reply that is sent at once. Each turn has a cost, and sending this much takes a
   * third of a millisecond.
   */
  static final int AT_ONCE_BYTES = 1 << 20;

  /** The size of the pieces in which longer replies are sent. */
  static final int PIECE_BYTES = 512 << 10;

  /** The channel's flag for what is here. */
  private static final int FLAG = 1;

  private final ChannelHandlerContext context;
  private final PieceTurns turns;
  private final IntSupplier tenant;
  private final Queue<Reply> waiting = new ArrayDeque<>();
  private final ChannelFutureListener pieceSent = this::pieceSent;
  private long waitingBytes;

  /** True if it has a turn to come, or a piece that has not left. */
  private boolean busy;

  private record Reply(ByteBuf bytes, @Nullable ChannelFutureListener sent) {}

  /**
   * Creates an instance with nothing to send.
   *
   * @param tenant the number of the connection's tenant, 0 if it has none
   */
  PacedReplies(ChannelHandlerContext context, PieceTurns turns, IntSupplier tenant) {
    this.context = context;
    this.turns = turns;
    this.tenant = tenant;
  }

  /** Returns the bytes that wait for their turn. */
  long waitingBytes() {
    return waitingBytes;
  }

  /**
   * Sends bytes behind all that came before, at the next {@link #flush} at the latest.
   *
   * @param sent told when the last of them has left, or that it will not
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise reports to exceptionCaught
  void write(ByteBuf bytes, @Nullable ChannelFutureListener sent) {
    if (waiting.isEmpty() && bytes.readableBytes() <= AT_ONCE_BYTES) {
      if (sent == null) {
        context.write(bytes, context.voidPromise());
      } else {
        context.write(bytes).addListener(sent);
      }
      return;
    }
    waiting.add(new Reply(bytes, sent));
    waitingBytes += bytes.readableBytes();
    if (!busy) {
      busy = true;
      setWritable(false);
      turns.ready(tenant.getAsInt(), this);
    }
  }

  /** Sends what has its turn. */
  void flush() {
    context.flush();
  }

  /** Writes bytes and flushes. */
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise reports to exceptionCaught
  void writeAndFlush(ByteBuf bytes) {
    if (waiting.isEmpty() && bytes.readableBytes() <= AT_ONCE_BYTES) {
      context.writeAndFlush(bytes, context.voidPromise());
    } else {
      write(bytes, null);
      flush();
    }
  }

  /** Sends what follows, up to the end of a piece of a large reply. By {@link PieceTurns}. */
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise reports to exceptionCaught
  void sendPiece() {
    int left = PIECE_BYTES;
    ChannelFuture last = null;
    Reply next;
    while (left > 0 && (next = waiting.peek()) != null) {
      ByteBuf bytes = next.bytes();
      int length = Math.min(left, bytes.readableBytes());
      left -= Math.max(1, length);
      waitingBytes -= length;
      if (length < bytes.readableBytes()) {
        last = context.write(bytes.readRetainedSlice(length));
      } else {
        Reply _ = waiting.remove();
        last = context.write(bytes);
        if (next.sent() != null) {
          last.addListener(next.sent());
        }
      }
    }
    if (last != null) {
      last.addListener(pieceSent);
      context.flush();
    }
  }

  private void pieceSent(ChannelFuture piece) {
    if (!piece.isSuccess()) {
      drop(piece.cause());
      context.pipeline().fireExceptionCaught(piece.cause());
    } else if (waiting.isEmpty()) {
      busy = false;
      setWritable(true);
    } else {
      turns.ready(tenant.getAsInt(), this);
    }
  }

  /** Drops what waits: the connection is gone. */
  void drop() {
    drop(new ClosedChannelException());
  }

  private void drop(Throwable cause) {
    Reply next;
    while ((next = waiting.poll()) != null) {
      next.bytes().release();
      if (next.sent() != null) {
        context.newFailedFuture(cause).addListener(next.sent());
      }
    }
    waitingBytes = 0;
    busy = false;
  }

  private void setWritable(boolean writable) {
    ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
    if (buffer != null) { // it is gone when the connection is
      buffer.setUserDefinedWritability(FLAG, writable);
    }
  }
}
