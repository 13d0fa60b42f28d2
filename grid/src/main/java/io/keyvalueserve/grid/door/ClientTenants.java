package io.keyvalueserve.grid.door;

import com.hazelcast.client.impl.ClientEndpoint;
import com.hazelcast.cluster.Address;
import com.hazelcast.internal.cluster.ClusterService;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import io.keyvalueserve.grid.hd.Writers;
import io.keyvalueserve.grid.question.Questioner;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The tenants of Hazelcast clients by the clients' ids: of those that are connected here, and of
 * others whose operations came here by way of another member, which is asked once for each.
 * Thread-safe.
 */
final class ClientTenants implements Writers.Clients {
  /** What members ask each other. */
  static final String TOPIC = "client-tenant";

  private static final int MOST_KNOWN = 20_000;
  private static final int PATIENCE_MILLIS = 3_000;

  private final NodeEngine nodeEngine;
  private final Questioner questioner;
  private final Supplier<Collection<ClientEndpoint>> connected;
  private final ConcurrentHashMap<UUID, Integer> known = new ConcurrentHashMap<>();
  private final Set<UUID> asked = ConcurrentHashMap.newKeySet();

  /**
   * @param connected the clients that are connected here
   */
  ClientTenants(NodeEngine nodeEngine, Supplier<Collection<ClientEndpoint>> connected) {
    this.nodeEngine = nodeEngine;
    this.questioner = new Questioner(nodeEngine);
    this.connected = connected;
  }

  /** A client has connected here. */
  void connected(ClientEndpoint client) {
    DoorSession session = DoorSession.of(client.getConnection());
    UUID id = client.getUuid();
    if (session != null && id != null) {
      learn(id, session.identity().number());
    }
  }

  @Override
  public int tenantOf(UUID client) {
    return known.getOrDefault(client, Writers.OWNER);
  }

  @Override
  public void require(Operation operation, UUID client) {
    ClusterService cluster = nodeEngine.getClusterService();
    Address sender = operation.getCallerAddress();
    if (known.containsKey(client) || cluster.getMember(client) != null) {
      return;
    }
    if (sender == null || sender.equals(nodeEngine.getThisAddress())) {
      learn(client, connectedTenantOf(client));
    } else if (cluster.getMember(sender) == null) {
      learn(client, Writers.OWNER); // nobody else would know
    } else {
      ask(client, sender);
      throw new Unknown();
    }
  }

  private void ask(UUID client, Address sender) {
    if (asked.add(client)) {
      var _ =
          questioner
              .ask(TOPIC, client.toString(), sender, PATIENCE_MILLIS)
              .whenComplete(
                  (answer, failure) -> {
                    learn(client, failure == null ? Integer.parseInt(answer) : Writers.OWNER);
                    asked.remove(client);
                  });
    }
  }

  /** Answers another member. */
  String answer(String client) {
    return Integer.toString(connectedTenantOf(UUID.fromString(client)));
  }

  private int connectedTenantOf(UUID client) {
    for (ClientEndpoint endpoint : connected.get()) {
      DoorSession session = DoorSession.of(endpoint.getConnection());
      if (session != null && client.equals(endpoint.getUuid())) {
        return session.identity().number();
      }
    }
    return Writers.OWNER;
  }

  /** Who is forgotten is asked for again. */
  private void learn(UUID client, int tenant) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    Integer _ = known.put(client, tenant);
  }

  /** It will be known when the operation comes again. */
  private static final class Unknown extends RetryableHazelcastException {
    private static final long serialVersionUID = 1;

    Unknown() {
      super("it is not known yet whose the client is: try again");
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
