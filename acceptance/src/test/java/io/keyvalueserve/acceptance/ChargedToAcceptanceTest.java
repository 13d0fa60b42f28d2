package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Goal: in a map that charges writers a tenant is held to its own quota for what it writes, and is
 * charged for that, also after a crash. Method: Redis clients of the owner and of a tenant that was
 * granted the map, on a member that is killed in between.
 */
class ChargedToAcceptanceTest {
  private static final String MAP = "orders";

  @Test
  void whoWritesIsHeldToItsOwnQuota() throws Exception {
    try (KvsProcess server = new KvsProcess("charged-to")) {
      server.launch("--durability", "always");
      server.awaitReady();
      Tenant owner = server.admin().createTenant("charged-owner");
      Tenant guest = server.admin().createTenant("charged-guest");
      String map = owner.name() + "/" + MAP;
      String _ = server.admin().grant(owner, MAP, guest, "read,write", "");
      server.admin().setQuota(owner, "{\"entries\":1}");
      server.admin().setQuota(guest, "{\"entries\":3}");
      assertThat(server.kvs("map", "configure", map, "--charged-to", "writer"))
          .contains("charged to: writer");
      try (Jedis own = RedisDoor.jedis(server, owner, MAP);
          Jedis granted = RedisDoor.jedis(server, guest, map)) {
        own.set("a", "value");
        for (int i = 0; i < 3; i++) {
          granted.set("key " + i, "value");
        }
        assertThatThrownBy(() -> granted.set("one more", "value"))
            .hasMessageContaining("QUOTA the tenant's 3 entries are used up");
        assertThatThrownBy(() -> own.set("b", "value"))
            .hasMessageContaining("QUOTA the tenant's 1 entries are used up");
      }
      server.kill();
      server.launch("--durability", "always");
      server.awaitReady();
      assertThat(server.kvs("map", "show", map)).containsPattern("charged to +writer");
      assertEntries(server, owner, 1);
      assertEntries(server, guest, 3);
      try (Jedis own = RedisDoor.jedis(server, owner, MAP)) {
        assertThat(own.del("key 1")).isEqualTo(1);
      }
      assertEntries(server, guest, 2);
      assertThat(server.kvs("map", "configure", map, "--charged-to", "owner"))
          .contains("charged to: owner");
      assertEntries(server, owner, 3);
      assertEntries(server, guest, 0);
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  private static void assertEntries(KvsProcess server, Tenant tenant, int entries) {
    await()
        .untilAsserted(
            () ->
                assertThat(server.admin().quota(tenant).path("usage").path("entries").asInt())
                    .isEqualTo(entries));
  }
}
