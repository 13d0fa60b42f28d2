package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicates;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is set for a map holds on every member, and comes back with the members when all of
 * them, or one, were killed.
 */
class MapSettingsAcceptanceTest {
  private static final int ENTRIES = 1_000;
  private static final Duration SETTLING = Duration.ofSeconds(60);

  @Test
  void settingsAndIndexesComeBackWithTheMembers() {
    try (KvsCluster cluster = KvsCluster.start("map-settings", 3)) {
      AdminApi admin = cluster.member(0).admin();
      Tenant tenant = admin.createTenant("settings-acme");
      try (Connection connection = HazelcastClients.connect(cluster.member(0), tenant)) {
        IMap<Integer, Integer> numbers = fill(connection, "numbers");
        numbers.addIndex(new IndexConfig(IndexType.SORTED, "this"));
        fill(connection, "cache");
      }
      admin.setDurability(tenant, "numbers", "always");
      admin.setDurability(tenant, "cache", "none");
      requireDurability(cluster, tenant, "numbers", "always");
      requireDurability(cluster, tenant, "cache", "none");

      killAll(cluster);
      cluster.repair();
      requireDurability(cluster, tenant, "numbers", "always");
      requireDurability(cluster, tenant, "cache", "none");
      for (KvsProcess member : cluster.members()) {
        JsonNode index = member.admin().map(tenant, "numbers").path("indexes").path(0);
        assertThat(index.path("type").asText()).isEqualTo("sorted");
        try (Connection connection = HazelcastClients.connect(member, tenant)) {
          IMap<Integer, Integer> numbers = connection.client().getMap("numbers");
          assertThat(numbers.size()).isEqualTo(ENTRIES);
          assertThat(numbers.keySet(Predicates.equal("this", 7))).hasSize(ENTRIES / 10);
          assertThat(connection.client().getMap("cache").size()).isZero();
        }
      }

      // One misses a change, and has the data of the map all the same when all are killed.
      cluster.member(2).kill();
      try (Connection connection = HazelcastClients.connect(cluster.member(0), tenant)) {
        fill(connection, "cache");
        admin.setDurability(tenant, "cache", "always");
        cluster.repair();
        await().atMost(SETTLING).until(admin::isSafe);
        requireDurability(cluster, tenant, "cache", "always");
        connection.client().getMap("cache").set(-1, -1);
      }
      killAll(cluster);
      cluster.repair();
      try (Connection connection = HazelcastClients.connect(cluster.member(2), tenant)) {
        assertThat(connection.client().getMap("cache").size()).isEqualTo(ENTRIES + 1);
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
      assertThat(member.admin().map(tenant, map).path("durability").asText()).isEqualTo(durability);
    }
  }

  private static void killAll(KvsCluster cluster) {
    cluster.members().forEach(KvsProcess::kill);
  }
}
