package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.nio.Connection;
import io.keyvalueserve.gates.peer.Peer;
import io.keyvalueserve.gates.peer.PeerBudget;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection until it has authenticated, as the budget of peers without a key counts it.
 * Thread-safe.
 *
 * <p>A client that has not authenticated gets two answers at most, since the second request closes
 * its connection. The buffers that are counted from the start therefore have room for all that it
 * does not read.
 */
final class ClientPeer {
  /** The buffers that a connection has from the start, one for requests and one for answers. */
  static final int BUFFER_BYTES = 2 * ElasticSize.LEAST_BYTES;

  private final Peer peer;
  private volatile boolean isTrusted;

  private ClientPeer(Peer peer) {
    this.peer = peer;
  }

  /** Admits a connection that was accepted. May close it, or older ones. */
  @SuppressWarnings("unchecked") // Hazelcast's attribute map is a raw type
  static ClientPeer admit(Connection connection, PeerBudget budget) {
    InetSocketAddress remote = connection.getRemoteSocketAddress();
    Peer peer =
        budget.admit(
            remote == null ? null : remote.getAddress(),
            () -> connection.close("no access key was shown in time, or there was no room", null));
    ClientPeer admitted = new ClientPeer(peer);
    connection.attributeMap().put(ClientPeer.class, admitted);
    boolean _ = peer.holds(BUFFER_BYTES);
    return admitted;
  }

  /** That of a connection; null if it was not accepted by the door's channels. */
  static @Nullable ClientPeer of(Connection connection) {
    return (ClientPeer) connection.attributeMap().get(ClientPeer.class);
  }

  /**
   * Says how many bytes a message has that has come, in part or whole.
   *
   * @throws IllegalStateException if the connection has not authenticated and is closed
   */
  void holds(long messageBytes) {
    if (!isTrusted && !peer.holds(BUFFER_BYTES + messageBytes) && !isTrusted) {
      throw new IllegalStateException("a client without a key was closed");
    }
  }

  /** Counts a request; returns false if clients without a key send too many. */
  boolean mayAsk() {
    return isTrusted || peer.request() == 0;
  }

  /**
   * Takes the connection out of the budget: it has a tenant.
   *
   * @return false if it was closed before
   */
  boolean authenticated() {
    isTrusted = true;
    return peer.authenticated();
  }

  /** Takes the connection out of the budget: it is closed. */
  void closed() {
    peer.close();
  }
}
