package io.keyvalueserve.resp;

import io.keyvalueserve.resp.command.Command;
import io.keyvalueserve.resp.watch.TenantDesk;
import java.util.concurrent.TimeUnit;

/**
 * Finds slow ones among the requests that are answered where they lie. One for each event loop.
 *
 * <p>To look at the clock costs a part of what the shortest request costs. It is looked at once for
 * all requests of a {@link RequestWindow}, therefore. If they took long together, the one that
 * moved most bytes is held to be the slow one. If the tenant wants to hear of requests of less than
 * {@link #SHORT_NANOS}, each is timed.
 */
final class DirectTimes {
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final SessionHost host;
  private final RequestWindow window;
  private long leastNanos = TenantDesk.NEVER;
  private long sinceNanos;
  private long mostBytes;
  private int heaviest;

  DirectTimes(SessionHost host, RequestWindow window) {
    this.host = host;
    this.window = window;
  }

  /**
   * Requests of a client follow.
   *
   * @param nanos the time now; 0 if they were not to be timed a moment ago
   */
  void begin(RespClient client, long nanos) {
    leastNanos = nanos == 0 ? TenantDesk.NEVER : client.leastSlowNanos();
    sinceNanos = nanos;
    mostBytes = -1;
  }

  /** Returns whether the client's requests are timed. */
  boolean isOn() {
    return leastNanos != TenantDesk.NEVER;
  }

  /**
   * A request of the window was answered.
   *
   * @param bytes of it and of its reply
   */
  void answered(int index, long bytes, RespClient client) {
    if (bytes > mostBytes) {
      mostBytes = bytes;
      heaviest = index;
    }
    if (leastNanos < SHORT_NANOS) {
      look(client);
    }
  }

  /** No more requests of the window are answered now. */
  void endWindow(RespClient client) {
    if (mostBytes >= 0) {
      look(client);
    }
  }

  private void look(RespClient client) {
    long now = host.nanoTime();
    long took = now - sinceNanos;
    sinceNanos = now;
    mostBytes = -1;
    if (took >= leastNanos) {
      Command command = window.command(heaviest);
      client.took(command, window.request(heaviest), took);
    }
  }
}
