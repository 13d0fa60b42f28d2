package io.keyvalueserve.server.http;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a web server listening. The web server ends its listener for good when it cannot accept a
 * connection, as when the process has no file descriptor left. It does not say so: a connection to
 * its own port is refused then.
 *
 * <p>Thread-safe. One thread looks, at a fixed interval.
 */
final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(2);
  private static final long LOG_EVERY_NANOS = Duration.ofMinutes(1).toNanos();

  private final IntFunction<WebServer> start;
  private final InetAddress probeAddress;
  private final int port;
  private WebServer server;
  private boolean closed;
  private long failures;
  private long loggedNanos = System.nanoTime() - LOG_EVERY_NANOS;

  /**
   * Starts a web server.
   *
   * @param bind the host that it listens at
   * @param port the port; 0 for any free one
   * @param start makes and starts a web server at a port
   */
  HttpListener(String bind, int port, IntFunction<WebServer> start) {
    this.start = start;
    this.server = start.apply(port);
    this.port = server.port();
    this.probeAddress = probeAddress(bind);
  }

  private static InetAddress probeAddress(String bind) {
    try {
      InetAddress address = InetAddress.getByName(bind);
      return address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port that is listened at. */
  int port() {
    return port;
  }

  /** Starts the web server again if it listens no longer. Blocks. */
  void check() {
    if (listens()) {
      return;
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      failures++;
      WebServer ended = server;
      try {
        server = start.apply(port);
        tell("its listener ended, a new one is open");
      } catch (UncheckedIOException e) {
        tell("its listener ended, and a new one cannot open yet: " + e.getMessage());
        return;
      }
      ended.stop();
    }
  }

  private void tell(String what) {
    long now = System.nanoTime();
    if (now - loggedNanos >= LOG_EVERY_NANOS) {
      LOG.error("HTTP at port {}: {} (times={})", port, what, failures);
      loggedNanos = now;
    }
  }

  /** Returns false if connections to the port are refused. */
  private boolean listens() {
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress(probeAddress, port), (int) CONNECT_PATIENCE.toMillis());
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      return true; // no descriptor is free, or the machine is slow: nothing is known
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    server.stop();
  }
}
