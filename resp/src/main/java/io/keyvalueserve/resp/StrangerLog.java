package io.keyvalueserve.resp;

import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs connections that speak another protocol than Redis': one line a minute for each kind, with
 * the number of those that got no line. Thread-safe.
 */
final class StrangerLog {
  private static final Logger LOG = LoggerFactory.getLogger(StrangerLog.class);
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The kinds of connections, and what their line says. */
  enum Stranger {
    WEB_PAGE(
        "POST or Host: came as a command: possibly an attack by a web page that makes a browser send"
            + " commands to this port"),
    HTTP("it speaks HTTP, and this port speaks the Redis protocol: HTTP is at http-port"),
    HAZELCAST_CLIENT(
        "it is a Hazelcast client, and this port speaks the Redis protocol: connect it to"
            + " client-port"),
    TLS("it speaks TLS, which this port does not: connect without TLS");

    private final String text;

    Stranger(String text) {
      this.text = text;
    }
  }

  private static final class Seen {
    private long loggedNanos;
    private long untold;
  }

  private final LongSupplier nanoTime;
  private final Map<Stranger, Seen> seen = new EnumMap<>(Stranger.class);

  StrangerLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Notes that a connection was closed for what it is. */
  void closed(Stranger stranger, @Nullable SocketAddress from) {
    long untold;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      Seen before = seen.get(stranger);
      if (before == null) {
        before = new Seen();
        seen.put(stranger, before);
      } else if (now - before.loggedNanos < QUIET_NANOS) {
        before.untold++;
        return;
      }
      before.loggedNanos = now;
      untold = before.untold;
      before.untold = 0;
    }
    LOG.warn(
        "a connection from {} to the port for Redis clients was closed: {} ({} more since the last"
            + " line like this)",
        from,
        stranger.text,
        untold);
  }
}
