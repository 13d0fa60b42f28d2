package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.nio.Connection;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.tenancy.ConnectedClient;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Session;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated connection of a Hazelcast client. Attached to the connection, so that the IO
 * thread finds it without a search.
 */
final class DoorSession implements Session {
  private final Identity identity;
  private final Connection connection;
  private final ObjectNames names;
  private final GrantedMaps granted;
  private final NameRewriter rewriter;
  private final Visit visit;
  private final SessionUsage usage;
  private final WaitingRequests waiting;
  private final SessionListeners listeners;
  private final SessionTransactions transactions;
  private @Nullable DirectMaps maps;
  private @Nullable Structure lastStructure;
  private byte[] lastName = {};
  private final Instant since = Instant.now();
  private volatile Introduction introduction = new Introduction("", "");
  private volatile boolean ended;
  private volatile Runnable whenReleased = () -> {};

  /** The words in which a client introduces itself: its name, and the kind of its library. */
  private record Introduction(String name, String type) {}

  DoorSession(Identity identity, Connection connection, TenantPolicy policy, TenantsHold hold) {
    this.waiting = new WaitingRequests(hold.waiting().enter(identity.number()));
    this.identity = identity;
    this.connection = connection;
    this.names = new ObjectNames(identity.tenant());
    this.granted = new GrantedMaps(identity, policy.grants());
    this.rewriter = new NameRewriter(names, granted);
    this.visit = Visit.begin(policy, identity, Door.HAZELCAST);
    HeapAccount heap = visit.holdings().heap();
    this.listeners = new SessionListeners(hold.listeners().enter(identity.number()), heap);
    this.transactions =
        new SessionTransactions(
            hold.transactions().enter(identity.number()), heap, System::nanoTime);
    this.usage = new SessionUsage(identity.tenant(), visit::meter);
  }

  /** The session of a connection, if it has authenticated. */
  static @Nullable DoorSession of(Connection connection) {
    return (DoorSession) connection.attributeMap().get(DoorSession.class);
  }

  /** Makes this the connection's session. */
  @SuppressWarnings("unchecked") // Hazelcast's attribute map is a raw type
  void attach() {
    connection.attributeMap().put(DoorSession.class, this);
  }

  void detach() {
    connection.attributeMap().remove(DoorSession.class);
  }

  @Override
  public Identity identity() {
    return identity;
  }

  /** The names this tenant uses. */
  ObjectNames names() {
    return names;
  }

  /** Returns what this session may do with the maps of other tenants. */
  GrantedMaps granted() {
    return granted;
  }

  NameRewriter rewriter() {
    return rewriter;
  }

  /** The maps this session used last. Of the thread that reads the connection. */
  DirectMaps maps(DirectDoor door) {
    if (maps == null) {
      int tenant = identity.number();
      maps = new DirectMaps(names, granted, usage, name -> door.maps().apply(name, tenant));
    }
    return maps;
  }

  /** Returns the visit, which admits, charges and meters the session's requests. */
  Visit visit() {
    return visit;
  }

  /** Returns the meters of the maps that the session uses. */
  SessionUsage usage() {
    return usage;
  }

  /** Its requests that are not answered yet. */
  WaitingRequests waiting() {
    return waiting;
  }

  /** Its listeners. */
  SessionListeners listeners() {
    return listeners;
  }

  /** Its open transactions. */
  SessionTransactions transactions() {
    return transactions;
  }

  /**
   * Gives back what it has counted for its tenant: its connection is closed, or will not be used.
   */
  void release() {
    waiting.end();
    listeners.end();
    transactions.endAll();
    whenReleased.run();
  }

  /** Has something done when the connection is closed. There is one such thing. */
  void whenReleased(Runnable next) {
    whenReleased = next;
  }

  /** Returns the address of the client. */
  String remoteAddress() {
    return describe().address();
  }

  /**
   * Returns whether the last call of {@link #use} was for this object. Called by the thread that
   * reads the connection.
   */
  boolean usedLast(Structure structure, byte[] name) {
    return lastStructure == structure && Arrays.equals(lastName, name);
  }

  /** Notes an object that exists. Of the thread that reads the connection. */
  void use(Structure structure, byte[] name) {
    lastStructure = structure;
    lastName = name;
  }

  /**
   * Notes how the client introduces itself as it authenticates.
   *
   * @param name null if it has none
   * @param type of its library, such as {@code JVM}
   */
  void introduce(@Nullable String name, String type) {
    introduction = new Introduction(name == null ? "" : name, type);
  }

  @Override
  public ConnectedClient describe() {
    InetSocketAddress remote = connection.getRemoteSocketAddress();
    Introduction said = introduction;
    return new ConnectedClient(
        Door.HAZELCAST,
        remote == null
            ? "unknown"
            : HostPort.of(remote.getAddress().getHostAddress(), remote.getPort()),
        said.name(),
        said.type(),
        "",
        since,
        "");
  }

  /**
   * Returns whether the session was told to end. Its connection may still deliver what it had read.
   */
  boolean hasEnded() {
    return ended;
  }

  @Override
  public void end(String reason) {
    ended = true;
    connection.close(reason, null);
  }
}
