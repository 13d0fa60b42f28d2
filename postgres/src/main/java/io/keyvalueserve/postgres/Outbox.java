package io.keyvalueserve.postgres;

import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.postgres.wire.MessageWriter;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages to a client, in pages. While the client does not read, who writes waits. Used by the
 * thread that works for the connection; {@link #changed} is called by any.
 */
final class Outbox {
  private static final int PAGE_BYTES = 32 << 10;
  private static final long LONGEST_WAIT_SECONDS = 1;

  private final Channel channel;
  private final Visit visit;
  private final MessageWriter page = new MessageWriter();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition change = lock.newCondition();

  Outbox(Channel channel, Visit visit) {
    this.channel = channel;
    this.visit = visit;
  }

  /** The client is gone: nothing more is to be done for it. */
  static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    GoneException() {
      super("the client is gone", null, false, false);
    }
  }

  /** Returns the page, to write to. */
  MessageWriter page() {
    return page;
  }

  /**
   * Sends the page if it is full, and waits while the client does not read.
   *
   * @throws GoneException if the client is gone
   */
  void endMessage() {
    if (page.size() >= PAGE_BYTES) {
      flush();
      awaitReader();
    }
  }

  /** Sends what is on the page. */
  void flush() {
    if (page.size() > 0) {
      byte[] bytes = page.take();
      visit.answered(visit.apart(), bytes.length);
      var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(bytes));
    }
  }

  private void awaitReader() {
    if (channel.isWritable()) {
      return;
    }
    lock.lock();
    try {
      while (channel.isActive() && !channel.isWritable()) {
        var _ = change.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GoneException();
    } finally {
      lock.unlock();
    }
    if (!channel.isActive()) {
      throw new GoneException();
    }
  }

  /** The client reads again, or is gone. */
  void changed() {
    lock.lock();
    try {
      change.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
