package io.keyvalueserve.grid.door;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory the messages have that Hazelcast clients have sent in part: nobody has asked yet
 * whether their tenants may have so much waiting. Thread-safe.
 */
final class UnfinishedMessages {
  private static final int HEAP_PART = 4;
  private static final long MEBIBYTE = 1 << 20;

  private final long most;
  private final long mostOfOne;
  private final AtomicLong held = new AtomicLong();

  /**
   * None yet.
   *
   * @param most bytes that all may have together, 1 or more; one that is alone may have more
   * @param mostOfOne how many bytes one message may have, and all that a connection has begun
   */
  UnfinishedMessages(long most, long mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /**
   * For a member: a quarter of the Java heap for all. One message may have that, or what a tenant
   * may have waiting, if that is more.
   */
  static UnfinishedMessages forHeap(long waitingBytes) {
    long part = Runtime.getRuntime().maxMemory() / HEAP_PART;
    return new UnfinishedMessages(part, Math.max(part, waitingBytes) + MEBIBYTE);
  }

  long mostOfOne() {
    return mostOfOne;
  }

  /** How many bytes there are now. */
  long held() {
    return held.get();
  }

  /** What one connection has there. Changed by the thread that reads it, and ended by any. */
  final class OfConnection {
    private final AtomicLong own = new AtomicLong();
    private volatile boolean ended;

    /** What it had when it was last said; for the thread that reads. */
    private long said;

    /**
     * It has so many bytes now.
     *
     * @throws IllegalStateException if that is more than one message may have, or all have too many
     */
    void holds(long bytes) {
      if (bytes == said) {
        return;
      }
      said = bytes;
      long more = bytes - own.getAndSet(bytes);
      long all = held.addAndGet(more);
      if (ended) {
        end();
        return;
      }
      boolean tooMany = all > most && all != bytes; // one that is alone may have more
      if (more > 0 && (tooMany || bytes > mostOfOne)) {
        throw new IllegalStateException(
            "messages that are not complete take too much memory at this member: bytes="
                + all
                + " of which by this connection="
                + bytes
                + " limits="
                + most
                + ", "
                + mostOfOne);
      }
    }

    /** The connection is closed. */
    void end() {
      ended = true;
      held.addAndGet(-own.getAndSet(0));
    }
  }
}
