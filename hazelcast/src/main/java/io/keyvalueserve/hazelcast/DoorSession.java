package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.nio.Connection;
import io.keyvalueserve.gates.TenantMeters;
import io.keyvalueserve.gates.admission.Admission;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.Session;
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
  private final TenantMeters.Meter meter;
  private final SessionUsage usage;
  private final Admission admission;
  private final WaitingRequests waiting;
  private final SessionListeners listeners;
  private final SessionTransactions transactions;
  private @Nullable DirectMaps maps;
  private boolean prepaid;
  private @Nullable Structure lastStructure;
  private byte[] lastName = {};
  private volatile boolean ended;

  DoorSession(Identity identity, Connection connection, TenantPolicy policy, TenantsHold hold) {
    this.waiting = new WaitingRequests(hold.waiting().enter(identity.number()));
    this.identity = identity;
    this.connection = connection;
    this.names = new ObjectNames(identity.tenant());
    this.granted = new GrantedMaps(identity, policy.grants());
    this.rewriter = new NameRewriter(names, granted);
    this.admission = policy.admissions().of(identity);
    HeapAccount heap = admission.usage().heap();
    this.listeners = new SessionListeners(hold.listeners().enter(identity.number()), heap);
    this.transactions =
        new SessionTransactions(
            hold.transactions().enter(identity.number()), heap, System::nanoTime);
    this.meter = policy.meters().meter(identity, Door.HAZELCAST);
    this.usage = new SessionUsage(identity, policy.usage());
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

  TenantMeters.Meter meter() {
    return meter;
  }

  /** Returns the usage that the session's tenant is charged for. */
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

  /** Returns the admission that says how much the session's tenant may use. */
  Admission admission() {
    return admission;
  }

  /** The next message has been admitted already. Of the thread that reads the connection. */
  void prepay() {
    prepaid = true;
  }

  /**
   * Returns whether the current message has been admitted already. Returns true only once for a
   * message.
   */
  boolean takePrepaid() {
    boolean was = prepaid;
    prepaid = false;
    return was;
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
