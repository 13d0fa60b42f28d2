package io.keyvalueserve.hazelcast;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the bytes of direct answers that wait for one client to take them. Past a limit the member
 * reads no more of its requests, until the client has taken half of them: memory for a client that
 * does not read is bounded.
 *
 * <p>The reader of a connection adds and asks; the writer, maybe another thread, removes. Neither
 * waits for the other. A wake-up is never lost: the reader says that it stops and then looks at the
 * count again, the writer counts and then looks whether the reader has stopped.
 */
final class ReplyBacklog {
  static final int MOST_BYTES = 1 << 20;
  private static final int RESUME_BYTES = MOST_BYTES / 2;

  private final AtomicInteger pending = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Runnable wakeReader;

  /**
   * @param wakeReader has the reader try again, soon and on its own thread
   */
  ReplyBacklog(Runnable wakeReader) {
    this.wakeReader = wakeReader;
  }

  /** Called by the reader before it hands answers to the writer. */
  void add(int bytes) {
    pending.addAndGet(bytes);
  }

  /** Called by the writer. */
  void remove(int bytes) {
    if (pending.addAndGet(-bytes) <= RESUME_BYTES
        && stopped.get()
        && stopped.compareAndSet(true, false)) {
      wakeReader.run();
    }
  }

  /** Returns whether the reader has to stop. If so, it will be woken. */
  boolean mustStop() {
    if (pending.get() < MOST_BYTES) {
      return false;
    }
    stopped.set(true);
    return pending.get() > RESUME_BYTES || !stopped.compareAndSet(true, false);
  }
}
