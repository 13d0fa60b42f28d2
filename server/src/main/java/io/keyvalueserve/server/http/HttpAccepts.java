package io.keyvalueserve.server.http;

import io.helidon.common.socket.SocketOptions;
import io.keyvalueserve.gates.peer.PeerBudget;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts slowly while connections without a key are closed to make room. The web server sets the
 * options of each connection on the thread that accepts them, which does nothing else: it waits
 * there. Thread-safe.
 */
record HttpAccepts(PeerBudget peers, SocketOptions usual) implements SocketOptions {
  private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The web server's usual options. */
  HttpAccepts(PeerBudget peers) {
    this(peers, SocketOptions.create());
  }

  @Override
  public void configureSocket(SocketChannel channel) {
    awaitTurn();
    usual.configureSocket(channel);
  }

  @Override
  public void configureSocket(Socket socket) {
    awaitTurn();
    usual.configureSocket(socket);
  }

  private void awaitTurn() {
    for (long pause;
        !Thread.currentThread().isInterrupted() && (pause = peers.acceptPauseNanos()) > 0; ) {
      LockSupport.parkNanos(this, Math.clamp(pause, LEAST_WAIT_NANOS, MOST_WAIT_NANOS));
    }
  }

  @Override
  public Map<SocketOption<?>, Object> socketOptions() {
    return usual.socketOptions();
  }

  @Override
  public Duration connectTimeout() {
    return usual.connectTimeout();
  }

  @Override
  public Duration readTimeout() {
    return usual.readTimeout();
  }

  @Override
  public Optional<Integer> socketReceiveBufferSize() {
    return usual.socketReceiveBufferSize();
  }

  @Override
  public Optional<Integer> socketSendBufferSize() {
    return usual.socketSendBufferSize();
  }

  @Override
  public boolean socketReuseAddress() {
    return usual.socketReuseAddress();
  }

  @Override
  public boolean socketKeepAlive() {
    return usual.socketKeepAlive();
  }

  @Override
  public boolean tcpNoDelay() {
    return usual.tcpNoDelay();
  }
}
