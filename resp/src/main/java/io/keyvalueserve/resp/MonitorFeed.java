package io.keyvalueserve.resp;

import io.keyvalueserve.resp.watch.Monitors;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The lines on their way from the event loops that serve a tenant to one session that monitors
 * them. Lines wait here while the session does not read; one that falls behind by more than {@link
 * #MOST_BYTES} is cut off.
 */
final class MonitorFeed implements Monitors.Feed, Runnable {
  /** The bytes of lines that may wait, beside those that are on their way to the network. */
  static final int MOST_BYTES = 4 << 20;

  private static final int OVERHEAD_BYTES = 64;

  private final RespSession session;
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final AtomicInteger bytes = new AtomicInteger();
  private final AtomicBoolean isScheduled = new AtomicBoolean();

  MonitorFeed(RespSession session) {
    this.session = session;
  }

  @Override
  public void show(String line) {
    if (bytes.get() <= MOST_BYTES) {
      int _ = bytes.addAndGet(line.length() + OVERHEAD_BYTES);
      lines.add(line);
    }
    schedule();
  }

  /** Shows more lines later, if any wait. */
  void goOn() {
    if (hasLines()) {
      schedule();
    }
  }

  private void schedule() {
    if (isScheduled.compareAndSet(false, true)) {
      boolean _ = session.onEventLoop(this);
    }
  }

  @Override
  public void run() {
    isScheduled.set(false);
    if (bytes.get() > MOST_BYTES) {
      session.cutOff("its monitor is too slow");
    } else {
      session.showLines(this);
    }
  }

  /** Returns whether lines wait. */
  boolean hasLines() {
    return bytes.get() > 0;
  }

  /** Takes the oldest line, or returns null if none waits. On the session's event loop. */
  @Nullable String next() {
    String line = lines.poll();
    if (line != null) {
      int _ = bytes.addAndGet(-line.length() - OVERHEAD_BYTES);
    }
    return line;
  }
}
