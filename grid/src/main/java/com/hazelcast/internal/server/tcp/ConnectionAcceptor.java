package com.hazelcast.internal.server.tcp;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.ProtocolType;
import com.hazelcast.instance.impl.OutOfMemoryErrorDispatcher;
import com.hazelcast.internal.networking.Channel;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.grid.member.UnknownMemberException;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections at the ports for clients and members, on a thread of its own that waits for
 * no peer. A connection that cannot be taken is closed; the others and the ports are not touched.
 *
 * <p>A client's connection is Hazelcast's at once, and the door has it in the budget of peers
 * without a key until it authenticates. A member's is in that budget here, and Hazelcast hears of
 * it only when it has proved the cluster secret, on a virtual thread.
 *
 * <p>While peers without a key are closed to make room for others, it accepts at the pace of their
 * budget.
 *
 * <p>One file descriptor is kept in reserve. When the process has none left, it serves to take
 * connections that wait and close them: else they would wait, and the thread would spin.
 */
final class ConnectionAcceptor implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);

  /** Connections at one port before the other has its turn. */
  private static final int MOST_AT_ONCE = 8;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 100;
  private static final long LEAST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The bytes of memory that the members' handshake takes for one peer. */
  private static final long HANDSHAKE_BYTES = 1024;

  private final TcpServer server;
  private final PeerBudget peers;
  private final int mostClients;
  private final Selector selector;
  private final Thread thread;
  private final LogLimit noDescriptors = LogLimit.aMinute(1);
  private final LogLimit tooManyClients = LogLimit.aMinute(1);
  private final LogLimit unknownMembers = LogLimit.aMinute(1);
  private final LogLimit failures = LogLimit.aMinute(1);
  private @Nullable SocketChannel spare;
  private volatile boolean isStopped;

  private ConnectionAcceptor(
      TcpServer server, ServerSocketRegistry sockets, PeerBudget peers, int mostClients)
      throws IOException {
    this.server = server;
    this.peers = peers;
    this.mostClients = mostClients;
    this.selector = Selector.open();
    for (ServerSocketRegistry.Pair socket : sockets) {
      ServerSocketChannel channel = socket.getChannel();
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_ACCEPT, socket);
    }
    this.spare = openSpare();
    this.thread =
        Thread.ofPlatform()
            .name("hz." + server.getContext().getHazelcastName() + ".IO.thread-acceptor")
            .unstarted(this);
  }

  /** Starts to accept. */
  static ConnectionAcceptor start(
      TcpServer server, ServerSocketRegistry sockets, PeerBudget peers, int mostClients) {
    try {
      ConnectionAcceptor acceptor = new ConnectionAcceptor(server, sockets, peers, mostClients);
      acceptor.thread.start();
      return acceptor;
    } catch (IOException e) {
      throw new UncheckedIOException("connections cannot be accepted: " + e.getMessage(), e);
    }
  }

  /** Accepts nothing any more, and waits for the thread to end. */
  void stop() {
    isStopped = true;
    selector.wakeup();
    LockSupport.unpark(thread);
    try {
      boolean _ = thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try {
      while (!isStopped) {
        round();
      }
    } finally {
      close(selector);
      SocketChannel kept = spare;
      if (kept != null) {
        close(kept);
      }
    }
  }

  /** Accepts the connections that wait. Whatever fails in a round, the next one comes. */
  private void round() {
    try {
      int _ = selector.select();
      for (SelectionKey key : selector.selectedKeys()) {
        if (key.isValid() && !isStopped) {
          acceptAll((ServerSocketRegistry.Pair) key.attachment());
        }
      }
      selector.selectedKeys().clear();
    } catch (OutOfMemoryError e) {
      OutOfMemoryErrorDispatcher.onOutOfMemory(e);
    } catch (IOException | RuntimeException e) {
      warn(failures, "connections cannot be accepted at the moment: " + e);
      pause();
    }
  }

  private void acceptAll(ServerSocketRegistry.Pair port) {
    for (int i = 0; i < MOST_AT_ONCE && awaitTurn(); i++) {
      SocketChannel socket;
      try {
        socket = port.getChannel().accept();
      } catch (ClosedChannelException e) {
        return; // the member ends
      } catch (IOException e) {
        refuseOne(port.getChannel(), e);
        return;
      }
      if (socket == null) {
        return;
      }
      try {
        take(port.getQualifier(), socket);
      } catch (IOException | RuntimeException e) {
        close(socket);
        warn(failures, "a connection was closed as it could not be set up: " + e);
      }
    }
  }

  /**
   * Waits for as long as the budget of peers without a key says. The thread serves nothing else.
   *
   * @return false if nothing is to be accepted any more
   */
  private boolean awaitTurn() {
    for (long pause; !isStopped && (pause = peers.acceptPauseNanos()) > 0; ) {
      LockSupport.parkNanos(this, Math.clamp(pause, LEAST_WAIT_NANOS, MOST_WAIT_NANOS));
    }
    return !isStopped;
  }

  private void take(EndpointQualifier port, SocketChannel socket) throws IOException {
    TcpServerConnectionManager manager = server.getConnectionManager(port);
    if (port.getType() == ProtocolType.MEMBER) {
      takeMember(manager, port, socket);
    } else if (manager.getConnections().size() >= mostClients) {
      close(socket);
      warn(
          tooManyClients,
          "a Hazelcast client's connection was refused: "
              + mostClients
              + " are open, the most that may be; close some, or allow the process more file"
              + " descriptors");
    } else {
      connect(manager, socket);
    }
  }

  @SuppressWarnings("NullAway") // as in Hazelcast: the address of a peer is not known at first
  private static void connect(TcpServerConnectionManager manager, SocketChannel socket)
      throws IOException {
    Channel channel = manager.newChannel(socket, false);
    try {
      var _ = manager.newConnection(channel, null, true);
    } catch (RuntimeException e) {
      manager.removeAcceptedChannel(channel);
      close(channel);
      throw e;
    }
  }

  private void takeMember(
      TcpServerConnectionManager manager, EndpointQualifier port, SocketChannel socket)
      throws IOException {
    InetSocketAddress remote = (InetSocketAddress) socket.getRemoteAddress();
    Peer peer = peers.admit(remote == null ? null : remote.getAddress(), () -> close(socket));
    if (peer.reserve(HANDSHAKE_BYTES)) {
      Thread _ =
          Thread.ofVirtual()
              .name("kvs-member-handshake")
              .start(() -> shakeHands(manager, port, socket, peer));
    }
  }

  private void shakeHands(
      TcpServerConnectionManager manager, EndpointQualifier port, SocketChannel socket, Peer peer) {
    try {
      server.getContext().interceptSocket(port, socket.socket(), true);
      if (peer.authenticated()) {
        connect(manager, socket);
        return;
      }
      LOG.debug("a peer at the member port was closed");
    } catch (UnknownMemberException e) {
      warn(unknownMembers, String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      LOG.debug("a peer at the member port did not become a member: {}", e.toString());
    }
    peer.close();
    close(socket);
  }

  /** Closes the next connection that waits, with the descriptor that was kept for this. */
  private void refuseOne(ServerSocketChannel port, IOException cause) {
    warn(
        noDescriptors,
        "connections are closed as they cannot be accepted: "
            + cause.getMessage()
            + "; allow the process more file descriptors (ulimit -n)");
    SocketChannel kept = spare;
    if (kept == null) {
      pause();
    } else {
      close(kept);
      try (SocketChannel refused = port.accept()) {
        LOG.debug("refused {}", refused);
      } catch (IOException e) { // somebody else took the descriptor
        pause();
      }
    }
    spare = openSpare();
  }

  private static @Nullable SocketChannel openSpare() {
    try {
      return SocketChannel.open();
    } catch (IOException e) {
      return null;
    }
  }

  private static void warn(LogLimit limit, String message) {
    long before = limit.take();
    if (before == 0) {
      LOG.warn("{}", message);
    } else if (before > 0) {
      LOG.warn("{} (and {} times since the last line)", message, before);
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      isStopped = true;
    }
  }

  private static void close(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      LOG.debug("a connection was not closed: {}", e.toString());
    }
  }
}
