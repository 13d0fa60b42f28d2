package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.peer.PeerBudget;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Accepts slowly while connections without a key are closed to make room. Stands before Netty's own
 * acceptor; its loop serves other connections meanwhile.
 */
final class PacedAccepts extends ChannelInboundHandlerAdapter {
  private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final PeerBudget peers;

  /** True if this handler has stopped accepting. Accessed only by the loop. */
  private boolean isPausing;

  PacedAccepts(PeerBudget peers) {
    this.peers = peers;
  }

  /** Passes a connection on, and takes the turn of the next one. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object connection) {
    context.fireChannelRead(connection);
    if (isPausing) {
      return; // it was accepted before the pause
    }
    long pause = peers.acceptPauseNanos();
    if (pause > 0) {
      isPausing = true;
      context.channel().config().setAutoRead(false);
      askAgain(context, pause);
    }
  }

  private void askAgain(ChannelHandlerContext context, long pause) {
    var _ =
        context
            .executor()
            .schedule(
                () -> goOn(context), Math.max(pause, LEAST_PAUSE_NANOS), TimeUnit.NANOSECONDS);
  }

  private void goOn(ChannelHandlerContext context) {
    if (!context.channel().isOpen()) {
      return;
    }
    long pause = peers.acceptPauseNanos();
    if (pause > 0) {
      askAgain(context, pause);
    } else {
      isPausing = false;
      context.channel().config().setAutoRead(true);
    }
  }
}
