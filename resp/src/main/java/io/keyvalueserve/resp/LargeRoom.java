package io.keyvalueserve.resp;

import io.keyvalueserve.resp.protocol.LargeValueRoom;
import io.keyvalueserve.resp.protocol.RequestDecoder;
import org.jspecify.annotations.Nullable;

/**
 * One connection's part of the {@link LargeBytes} of its door; nothing until the first large
 * argument or reply. On the connection's event loop but for {@link #granted}.
 */
final class LargeRoom implements LargeValueRoom, LargeBytes.Owner {
  private static final long RETRY_MILLIS = 5;

  private final RespSession session;
  private final LargeBytes all;
  private LargeBytes.@Nullable Hold hold;

  /** True if there was no room. Nothing more is read until there is. */
  private boolean starved;

  private long replyBytes;
  private boolean departed;

  LargeRoom(RespSession session, LargeBytes all) {
    this.session = session;
    this.all = all;
  }

  // ---- arguments

  @Override
  public boolean take(long bytes) {
    boolean taken = hold().take(bytes);
    starved |= !taken;
    return taken;
  }

  @Override
  public void force(long bytes) {
    hold().force(bytes);
  }

  @Override
  public void requestCompleted() {
    LargeBytes.Hold own = hold;
    if (own != null) {
      own.completed();
    }
  }

  /** Gives back what a request held that is done. */
  void requestDone(long bytes) {
    if (bytes > 0) {
      hold().give(bytes);
    }
  }

  /** Returns whether the connection may be read. If not, it is told when it may be. */
  boolean mayRead(RequestDecoder decoder) {
    LargeBytes.Hold own = hold;
    if (own == null) {
      return true;
    }
    if (starved && !own.isWaiting()) {
      starved = false;
      own.await(Math.max(1, decoder.missingBytes()), !decoder.isAtBoundary());
    }
    return !own.isWaiting();
  }

  /** Returns whether the connection has asked for room and waits to be told. */
  boolean isWaiting() {
    LargeBytes.Hold own = hold;
    return own != null && own.isWaiting();
  }

  /** Returns whether others wait for room until this connection's request is complete. */
  boolean holdsOthersUp() {
    LargeBytes.Hold own = hold;
    return own != null && own.isBeyond() && all.waiting() > 0;
  }

  @Override
  public void granted(long bytes, boolean beyond) {
    session.onEventLoop(
        () -> {
          LargeBytes.Hold own = hold();
          starved = false; // what came while it waited is part of what it waited for
          own.accept(bytes, beyond);
          if (!session.hasBegunRequest()) {
            own.completed(); // what had come was enough
          }
          if (departed) {
            own.giveAll();
          } else {
            session.resumeWithRoom(beyond);
          }
        });
  }

  @Override
  public int tenant() {
    return session.tenantNumber();
  }

  @Override
  public boolean later(Runnable task) {
    return session.later(task, RETRY_MILLIS);
  }

  // ---- replies

  @Override
  public void replyBegun(long bytes) {
    replyBytes += bytes;
    hold().force(bytes);
  }

  @Override
  public void replySent(long bytes) {
    replyBytes -= bytes;
    hold().give(bytes);
    if (!departed) {
      session.resume();
    }
  }

  /**
   * Returns whether another request may be begun. This is not so if there is no room and large
   * replies of this connection have not been sent.
   */
  boolean mayReply() {
    LargeBytes.Hold own = hold;
    return replyBytes == 0 || own == null || !(all.isFull() || own.isExhausted());
  }

  /** The connection is gone. */
  void departed() {
    departed = true;
    LargeBytes.Hold own = hold;
    if (own != null) {
      own.giveAll();
    }
  }

  private LargeBytes.Hold hold() {
    LargeBytes.Hold own = hold;
    if (own == null) {
      own = all.new Hold(this);
      hold = own;
    }
    return own;
  }
}
