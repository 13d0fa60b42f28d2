package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is set for a map, and granted on it, holds on every member, and comes back with the
 * members when all of them were killed, though one of them had been down when it was set.
 */
class MapSettingsAcceptanceTest {
  private static final int ENTRIES = 1_000;
  private static final Duration SETTLING = Duration.ofSeconds(60);

  @Test
  void settingsAndIndexesComeBackWithTheMembers() {
    try (KvsCluster cluster = KvsCluster.start("map-settings", 2)) {
      AdminApi admin = cluster.member(0).admin();
      Tenant tenant = admin.createTenant("settings-acme");
      Tenant guest = admin.createTenant("settings-guest");
      String grant = admin.grant(tenant, "numbers", guest, "read", ",\"key\":\"7\"");
      admin.setDurability(tenant, "late", "none");
      try (Connection connection = HazelcastClients.connect(cluster.member(0), tenant)) {
        IMap<Integer, Integer> numbers = fill(connection, "numbers");
        numbers.addIndex(new IndexConfig(IndexType.SORTED, "this"));
        fill(connection, "cache");
        fill(connection, "late");
      }
      admin.setDurability(tenant, "numbers", "always");
      admin.setDurability(tenant, "cache", "none");
      requireDurability(cluster, tenant, "numbers", "always");
      requireDurability(cluster, tenant, "cache", "none");
      requireDurability(cluster, tenant, "late", "none");
      requireNumbers(cluster, tenant);

      // One misses a change, and has the data of the map all the same when all were killed.
      admin.awaitSafe(SETTLING);
      cluster.member(1).kill();
      admin.setDurability(tenant, "late", "always");
      try (Connection connection = HazelcastClients.connect(cluster.member(0), tenant)) {
        connection.client().getMap("late").set(-1, -1);
        assertThat(connection.client().getMap("cache").size()).isEqualTo(ENTRIES);
      }
      cluster.member(0).kill();
      cluster.repair();
      requireDurability(cluster, tenant, "numbers", "always");
      requireDurability(cluster, tenant, "cache", "none");
      requireDurability(cluster, tenant, "late", "always");
      requireNumbers(cluster, tenant);
      try (Connection connection = HazelcastClients.connect(cluster.member(1), guest)) {
        IMap<Integer, Integer> granted = connection.client().getMap("settings-acme/numbers");
        assertThat(granted.get(7)).isEqualTo(7);
        assertThatThrownBy(() -> granted.get(8)).hasMessageContaining("on key '8'");
        admin.revokeGrant(tenant, "numbers", grant);
        assertThatThrownBy(() -> granted.get(7)).hasMessageContaining("has no grant");
      }
      try (Connection connection = HazelcastClients.connect(cluster.member(1), tenant)) {
        assertThat(connection.client().getMap("late").size()).isEqualTo(ENTRIES + 1);
        assertThat(connection.client().getMap("cache").size()).isZero();
      }
    }
  }

  /** All of it is there, and its index, whichever member is asked. */
  private static void requireNumbers(KvsCluster cluster, Tenant tenant) {
    for (KvsProcess member : cluster.members()) {
      JsonNode index = member.admin().map(tenant, "numbers").path("indexes").path(0);
      assertThat(index.path("type").asText()).isEqualTo("sorted");
      try (Connection connection = HazelcastClients.connect(member, tenant)) {
        IMap<Integer, Integer> numbers = connection.client().getMap("numbers");
        assertThat(numbers.size()).isEqualTo(ENTRIES);
        assertThat(numbers.keySet(Predicates.equal("this", 7))).hasSize(ENTRIES / 10);
      }
    }
  }

  private static IMap<Integer, Integer> fill(Connection connection, String name) {
    IMap<Integer, Integer> map = connection.client().getMap(name);
    for (int i = 0; i < ENTRIES; i++) {
      map.set(i, i % 10);
    }
    return map;
  }

  private static void requireDurability(
      KvsCluster cluster, Tenant tenant, String map, String durability) {
    for (KvsProcess member : cluster.members()) {
      JsonNode set = member.admin().map(tenant, map);
      assertThat(set.path("durability").asText()).isEqualTo(durability);
      assertThat(set.path("pending")).as(map).isEmpty();
    }
  }
}
