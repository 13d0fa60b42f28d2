package com.hazelcast.internal.server.tcp;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.internal.networking.Networking;
import com.hazelcast.internal.nio.ConnectionListener;
import com.hazelcast.internal.server.NetworkStats;
import com.hazelcast.internal.server.Server;
import com.hazelcast.internal.server.ServerConnection;
import com.hazelcast.internal.server.ServerContext;
import io.keyvalueserve.gates.peer.PeerBudget;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hazelcast's server with an acceptor of ours. Hazelcast's own ends the member when a connection
 * cannot be accepted, as when the process has no file descriptor left; it is given no socket. Lives
 * in Hazelcast's package because making a connection of an accepted socket is package-private.
 */
public final class AcceptingServer implements Server {
  private final TcpServer server;
  private final ServerSocketRegistry sockets;
  private final PeerBudget peers;
  private final int mostClients;
  private @Nullable ConnectionAcceptor acceptor;

  private AcceptingServer(
      TcpServer server, ServerSocketRegistry sockets, PeerBudget peers, int mostClients) {
    this.server = server;
    this.sockets = sockets;
    this.peers = peers;
    this.mostClients = mostClients;
  }

  /**
   * Makes a server.
   *
   * @param sockets where it listens
   * @param hazelcast makes Hazelcast's server, which is to listen at other sockets
   * @param peers what peers without a key may use
   * @param mostClients connections of clients that may be open, at least 1
   */
  public static AcceptingServer of(
      ServerSocketRegistry sockets,
      Function<ServerSocketRegistry, Server> hazelcast,
      PeerBudget peers,
      int mostClients) {
    ServerSocketRegistry none = new ServerSocketRegistry(Map.of(), sockets.holdsUnifiedSocket());
    return new AcceptingServer((TcpServer) hazelcast.apply(none), sockets, peers, mostClients);
  }

  @Override
  public synchronized void start() {
    server.start();
    if (acceptor == null) {
      acceptor = ConnectionAcceptor.start(server, sockets, peers, mostClients);
    }
  }

  @Override
  public synchronized void stop() {
    stopAccepting();
    server.stop();
  }

  @Override
  public synchronized void shutdown() {
    stopAccepting();
    sockets.destroy();
    server.shutdown();
  }

  /** Returns the threads that read and write. */
  public Networking networking() {
    return server.getNetworking();
  }

  private void stopAccepting() {
    ConnectionAcceptor running = acceptor;
    if (running != null) {
      running.stop();
      acceptor = null;
    }
  }

  @Override
  public ServerContext getContext() {
    return server.getContext();
  }

  @Override
  public TcpServerConnectionManager getConnectionManager(EndpointQualifier qualifier) {
    return server.getConnectionManager(qualifier);
  }

  @Override
  public Collection<ServerConnection> getConnections() {
    return server.getConnections();
  }

  @Override
  public int connectionCount(@Nullable Predicate<ServerConnection> predicate) {
    return predicate == null ? getConnections().size() : server.connectionCount(predicate);
  }

  @Override
  public Map<EndpointQualifier, NetworkStats> getNetworkStats() {
    return server.getNetworkStats();
  }

  @Override
  public boolean isLive() {
    return server.isLive();
  }

  @Override
  public void addConnectionListener(ConnectionListener<ServerConnection> listener) {
    server.addConnectionListener(listener);
  }
}
