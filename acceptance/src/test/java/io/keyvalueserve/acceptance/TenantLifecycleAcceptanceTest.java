package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;

/** Goal: what the operator takes away is gone at once, at every door, and comes back when given. */
@ExtendWith(SharedServer.class)
class TenantLifecycleAcceptanceTest {
  private static final String MAP = "orders";
  private static final Duration AT_ONCE = Duration.ofSeconds(1);
  private static final Duration SHORT_PATIENCE = Duration.ofSeconds(2);

  private final KvsProcess server;

  TenantLifecycleAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  @Test
  void suspensionEndsOpenConnectionsAtBothDoorsAndLetsNobodyIn() throws Exception {
    Tenant tenant = server.admin().createTenant("lifecycle-suspended");
    try (RespSocket resp = RespSocket.open(server, tenant, MAP);
        Watched hazelcast = Watched.connect(server, tenant)) {
      server.admin().suspend(tenant);
      Deadline atOnce = Deadline.in(AT_ONCE);
      assertThat(hazelcast.endsBy(atOnce)).as("the Hazelcast connection ended").isTrue();
      assertThat(resp.endsBy(atOnce)).as("the RESP connection ended").isTrue();
    }
    assertRefused(tenant);
  }

  @Test
  void suspensionOfOneTenantLeavesTheOthersConnected() throws Exception {
    Tenant suspended = server.admin().createTenant("lifecycle-noisy");
    Tenant bystander = server.admin().createTenant("lifecycle-bystander");
    try (RespSocket ending = RespSocket.open(server, suspended, MAP);
        Jedis jedis = RedisDoor.jedis(server, bystander, MAP);
        Watched hazelcast = Watched.connect(server, bystander)) {
      server.admin().suspend(suspended);
      Deadline atOnce = Deadline.in(AT_ONCE);
      assertThat(ending.endsBy(atOnce)).isTrue();
      assertThat(jedis.ping()).isEqualTo("PONG");
      hazelcast.client().client().getMap(MAP).put("a", "still here");
      assertThat(hazelcast.hasEnded()).isFalse();
    }
  }

  @Test
  void aResumedTenantFindsItsDataAndWorksAgain() {
    Tenant tenant = server.admin().createTenant("lifecycle-resumed");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      jedis.set("key", "kept");
    }
    server.admin().suspend(tenant);
    assertRefused(tenant);
    server.admin().resume(tenant);
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP);
        Connection hazelcast = HazelcastClients.connect(server, tenant)) {
      assertThat(jedis.get("key")).isEqualTo("kept");
      assertThat(hazelcast.client().getMap(MAP).containsKey("key")).isTrue();
    }
  }

  @Test
  void aRevokedKeyEndsItsConnectionsAndOnlyItsOwn() throws Exception {
    Tenant tenant = server.admin().createTenant("lifecycle-revoked");
    Tenant byOtherKey = tenant.with(server.admin().createKey(tenant));
    try (RespSocket revokedResp = RespSocket.open(server, byOtherKey, MAP);
        Watched revokedHazelcast = Watched.connect(server, byOtherKey);
        Jedis keptJedis = RedisDoor.jedis(server, tenant, MAP);
        Watched keptHazelcast = Watched.connect(server, tenant)) {
      server.admin().revokeKey(tenant, byOtherKey.keyId());
      Deadline atOnce = Deadline.in(AT_ONCE);
      assertThat(revokedHazelcast.endsBy(atOnce)).as("Hazelcast").isTrue();
      assertThat(revokedResp.endsBy(atOnce)).as("RESP").isTrue();
      assertThat(keptJedis.ping()).isEqualTo("PONG");
      assertThat(keptHazelcast.hasEnded()).isFalse();
    }
    assertRefused(byOtherKey);
  }

  @Test
  void aTenantThatIsMadeAnewUnderADeletedNameFindsNothing() throws Exception {
    Tenant first = server.admin().createTenant("lifecycle-deleted");
    try (Jedis jedis = RedisDoor.jedis(server, first, MAP);
        Connection hazelcast = HazelcastClients.connect(server, first)) {
      jedis.set("key", "old");
      for (Structure structure : Structure.values()) {
        structure.fill(hazelcast.client(), "things", "old");
      }
    }
    try (RespSocket open = RespSocket.open(server, first, MAP)) {
      server.admin().delete(first);
      Deadline atOnce = Deadline.in(AT_ONCE);
      assertThat(open.endsBy(atOnce)).isTrue();
    }
    assertRefused(first);

    Tenant second = createAsSoonAsTheNameIsFree(first.name());
    assertRefused(first);
    try (Jedis jedis = RedisDoor.jedis(server, second, MAP);
        Connection hazelcast = HazelcastClients.connect(server, second)) {
      assertThat(hazelcast.client().getDistributedObjects()).isEmpty();
      assertThat(jedis.get("key")).isNull();
      assertThat(jedis.dbSize()).isZero();
      for (Structure structure : Structure.values()) {
        assertThat(structure.content(hazelcast.client(), "things")).as("%s", structure).isEmpty();
      }
    }
  }

  /** The data of a deleted tenant goes in the background, and its name is taken until then. */
  private Tenant createAsSoonAsTheNameIsFree(String name) {
    return await("the name is free")
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsMatching(AssertionError.class::isInstance)
        .until(() -> server.admin().createTenant(name), made -> true);
  }

  private void assertRefused(Tenant tenant) {
    assertThatThrownBy(
            () -> {
              try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
                jedis.ping();
              }
            })
        .isInstanceOf(JedisAccessControlException.class)
        .hasMessageStartingWith("WRONGPASS");
    ClientConfig config = HazelcastClients.config(server.clientAddress(), tenant, SHORT_PATIENCE);
    assertThatThrownBy(() -> HazelcastClients.connect(config).close())
        .isInstanceOf(IllegalStateException.class);
  }

  /**
   * A Hazelcast client whose connection is watched. Looks at the connections themselves: the
   * client's own event comes only when it had gone through all of its start.
   */
  private record Watched(Connection client) implements AutoCloseable {
    static Watched connect(KvsProcess server, Tenant tenant) {
      Connection client =
          HazelcastClients.connect(
              HazelcastClients.config(server.clientAddress(), tenant, Duration.ofSeconds(20)));
      client.client().getMap(MAP).put("a", "connected");
      return new Watched(client);
    }

    boolean endsBy(Deadline deadline) {
      while (!hasEnded()) {
        if (deadline.remainingMs() <= 0) {
          return false;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      return true;
    }

    boolean hasEnded() {
      return ((HazelcastClientProxy) client.client())
          .client
          .getConnectionManager()
          .getActiveConnections()
          .isEmpty();
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
