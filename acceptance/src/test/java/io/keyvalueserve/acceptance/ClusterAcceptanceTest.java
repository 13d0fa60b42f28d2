package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Goal: three members are one service. Method: three processes, which the tests share because a
 * start costs seconds; so the order matters, and those that hurt the cluster come last.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterAcceptanceTest {
  private static final int SIZE = 3;
  private static final String MAP = "orders";
  private static final Duration AT_ONCE = Duration.ofSeconds(1);
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final int WRITES_BEFORE_AND_AFTER = 1_000;

  private final KvsCluster cluster = KvsCluster.start("cluster", SIZE);
  private final Tenant acme = cluster.member(0).admin().createTenant("cluster-acme");

  @AfterAll
  void end() {
    cluster.close();
  }

  @BeforeEach
  void awaitAllMembersInOneCluster() {
    cluster.repair();
    awaitMembers(SIZE);
  }

  @Test
  @Order(1)
  void whatGoesInThroughOneMemberComesOutThroughEveryOtherAtBothDoors() {
    for (int writer = 0; writer < SIZE; writer++) {
      String key = "from" + writer;
      try (Jedis jedis = RedisDoor.jedis(cluster.member(writer), acme, MAP)) {
        for (int i = 0; i < 50; i++) {
          jedis.set(key + ":" + i, "value" + i);
        }
      }
      for (KvsProcess reader : cluster.members()) {
        try (Jedis jedis = RedisDoor.jedis(reader, acme, MAP);
            Connection hazelcast = HazelcastClients.connect(reader, acme)) {
          for (int i = 0; i < 50; i++) {
            assertThat(jedis.get(key + ":" + i)).isEqualTo("value" + i);
            assertThat(hazelcast.client().getMap(MAP).get(key + ":" + i))
                .isEqualTo(("value" + i).getBytes(UTF_8));
          }
        }
      }
    }
  }

  @Test
  @Order(1)
  void latencyIsThatOfAllMembersTogetherWhicheverIsAsked() {
    int each = 40;
    await()
        .atMost(SETTLING)
        .untilAsserted(
            () -> {
              for (KvsProcess member : cluster.members()) {
                try (Jedis jedis = RedisDoor.jedis(member, acme, MAP)) {
                  for (int i = 0; i < each; i++) {
                    jedis.get("from" + i);
                  }
                }
              }
              for (KvsProcess asked : cluster.members()) {
                JsonNode top = asked.admin().topAndMembers();
                assertThat(top.path("members")).hasSize(SIZE);
                for (JsonNode member : top.path("members")) {
                  assertThat(member.path("state").asText()).isEqualTo("active");
                  assertThat(member.at("/latency/requests").asLong()).isGreaterThanOrEqualTo(each);
                }
                for (JsonNode tenant : top.path("tenants")) {
                  if (tenant.path("tenant").asText().equals(acme.name())) {
                    assertThat(tenant.at("/latency/doors/resp/requests").asLong())
                        .isGreaterThanOrEqualTo((long) SIZE * each);
                  }
                }
              }
            });
  }

  @Test
  @Order(2)
  void aRateIsThatOfAllMembersTogetherWhicheverAreAsked() {
    Tenant limited = cluster.member(0).admin().createTenant("cluster-limited");
    int perSecond = 1000;
    int burst = perSecond / 10;
    String quota = "{\"operationsPerSecond\":" + perSecond + ",\"burstMillis\":100}";
    cluster.member(1).admin().setQuota(limited, quota);
    List<List<KvsProcess>> asked =
        List.of(List.of(cluster.member(0)), cluster.members(), List.of(cluster.member(SIZE - 1)));
    for (List<KvsProcess> members : asked) {
      long served;
      double seconds;
      try (LimitedLoad load = new LimitedLoad(limited, members)) {
        await()
            .atMost(SETTLING)
            .failFast(
                "more was admitted than the limit",
                () -> {
                  long now = load.served(); // before the time: it may only grow
                  assertThat((double) now).isLessThanOrEqualTo(load.seconds() * perSecond + burst);
                })
            .untilAsserted(
                () -> {
                  long from = load.served();
                  double since = load.seconds();
                  Thread.sleep(1000);
                  double rate = (load.served() - from) / (load.seconds() - since);
                  assertThat(rate).as("%s members", members.size()).isGreaterThan(0.9 * perSecond);
                });
        assertThat(load.throttled()).isPositive();
        served = load.served();
        seconds = load.seconds();
      }
      assertThat((double) served).isLessThanOrEqualTo(seconds * perSecond + burst);
    }
    cluster.member(2).admin().setQuota(limited, "{}");
    for (KvsProcess member : cluster.members()) {
      try (Jedis jedis = RedisDoor.jedis(member, limited, MAP)) {
        for (int i = 0; i < 2 * burst; i++) {
          assertThat(jedis.get("key")).isNull();
        }
      }
    }
  }

  @Test
  @Order(2)
  void whatATenantKeepsIsCountedOverAllMembers() {
    Tenant small = cluster.member(0).admin().createTenant("cluster-small");
    int entries = 300;
    cluster.member(0).admin().setQuota(small, "{\"entries\":" + entries + ",\"connections\":4}");
    try (Jedis jedis = RedisDoor.jedis(cluster.member(1), small, MAP);
        Jedis _ = RedisDoor.jedis(cluster.member(0), small, MAP);
        Jedis _ = RedisDoor.jedis(cluster.member(2), small, MAP)) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100 * entries; i++) {
                  jedis.set("key" + i, "value");
                }
              })
          .isInstanceOf(JedisDataException.class)
          .hasMessageStartingWith("QUOTA the tenant's 300 entries are used up");
      await()
          .atMost(SETTLING)
          .untilAsserted(
              () -> {
                JsonNode usage = cluster.member(2).admin().quota(small).path("usage");
                assertThat(usage.path("entries").asLong()).isEqualTo(jedis.dbSize());
                assertThat(usage.path("connections").asLong()).isEqualTo(3);
                assertThat(usage.path("maps").asLong()).isEqualTo(1);
              });
      long kept = jedis.dbSize();
      assertThat(kept)
          .as("within what members tell each other late")
          .isBetween(entries / 2L, 3L * entries);
      await()
          .atMost(SETTLING)
          .untilAsserted(
              () -> {
                try (RespSocket fourth = RespSocket.open(cluster.member(0), small, MAP)) {
                  assertThat(refusalOf(cluster.member(1), small))
                      .contains("QUOTA the tenant's 4 connections are used up");
                  fourth.send(RespSocket.command("PING"));
                  assertThat(fourth.readLine()).isEqualTo("+PONG");
                }
              });
      jedis.flushDB();
      await().atMost(SETTLING).untilAsserted(() -> assertThat(jedis.set("k", "v")).isEqualTo("OK"));
    }
  }

  @Test
  @Order(2)
  void aTenantMadeOnOneMemberIsKnownToAllBeforeItsMakerIsAnswered() {
    for (int maker = 0; maker < SIZE; maker++) {
      Tenant made = cluster.member(maker).admin().createTenant("cluster-made-on-" + maker);
      for (KvsProcess member : cluster.members()) {
        try (Jedis jedis = RedisDoor.jedis(member, made, MAP)) {
          assertThat(jedis.ping()).isEqualTo("PONG");
        }
      }
    }
  }

  /** What a tenant is told that enters; nothing if it is let in, and it has left again then. */
  private static String refusalOf(KvsProcess member, Tenant tenant) throws IOException {
    try (RespSocket _ = RespSocket.open(member, tenant, MAP)) {
      return "";
    } catch (AssertionError refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @Test
  @Order(3)
  void whatIsTakenAwayOnOneMemberEndsConnectionsOnAll() throws Exception {
    Tenant tenant = cluster.member(0).admin().createTenant("cluster-suspended");
    List<RespSocket> open = new ArrayList<>();
    for (KvsProcess member : cluster.members()) {
      open.add(RespSocket.open(member, tenant, MAP));
    }
    cluster.member(0).admin().suspend(tenant);
    Deadline atOnce = Deadline.in(AT_ONCE);
    for (RespSocket connection : open) {
      assertThat(connection.endsBy(atOnce)).isTrue();
      connection.close();
    }
    for (KvsProcess member : cluster.members()) {
      assertThatThrownBy(() -> RedisDoor.jedis(member, tenant, MAP).close())
          .isInstanceOf(JedisAccessControlException.class);
    }

    cluster.member(1).admin().resume(tenant);
    Tenant byOtherKey = tenant.with(cluster.member(2).admin().createKey(tenant));
    for (KvsProcess member : cluster.members()) {
      RedisDoor.jedis(member, byOtherKey, MAP).close();
    }
    cluster.member(1).admin().revokeKey(tenant, byOtherKey.keyId());
    for (KvsProcess member : cluster.members()) {
      assertThatThrownBy(() -> RedisDoor.jedis(member, byOtherKey, MAP).close())
          .isInstanceOf(JedisAccessControlException.class);
      RedisDoor.jedis(member, tenant, MAP).close();
    }
  }

  @Test
  @Order(4)
  void aGrantOpensAMapOnAllMembersAndItsRevocationShutsItInOpenSessions() {
    Tenant owner = cluster.member(0).admin().createTenant("cluster-owner");
    Tenant guest = cluster.member(0).admin().createTenant("cluster-guest");
    String shared = owner.name() + "/" + MAP;
    try (Jedis jedis = RedisDoor.jedis(cluster.member(0), owner, MAP)) {
      for (int i = 0; i < 50; i++) {
        jedis.set("open:" + i, "seen");
        jedis.set("shut:" + i, "hidden");
      }
    }
    String id =
        cluster.member(1).admin().grant(owner, MAP, guest, "read,write", ",\"prefix\":\"open:\"");
    List<Jedis> sessions = new ArrayList<>();
    List<Connection> clients = new ArrayList<>();
    try {
      for (KvsProcess member : cluster.members()) {
        sessions.add(RedisDoor.jedis(member, guest, shared));
        clients.add(HazelcastClients.connect(member, guest));
      }
      for (int i = 0; i < 50; i++) {
        String open = "open:" + i;
        String shut = "shut:" + i;
        for (Jedis jedis : sessions) {
          assertThat(jedis.get(open)).isEqualTo("seen");
          assertThatThrownBy(() -> jedis.get(shut)).hasMessageStartingWith("NOPERM");
          assertThatThrownBy(() -> jedis.set(shut, "x")).hasMessageStartingWith("NOPERM");
        }
        for (Connection client : clients) {
          assertThat(client.client().getMap(shared).get(open)).isEqualTo("seen".getBytes(UTF_8));
          assertThatThrownBy(() -> client.client().getMap(shared).get(shut))
              .hasMessageContaining("needs a grant of read on key '" + shut + "'");
        }
      }
      requireUnlocking(owner, guest, shared);
      cluster.member(2).admin().revokeGrant(owner, MAP, id);
      for (int i = 0; i < 50; i++) {
        String open = "open:" + i;
        for (Jedis jedis : sessions) {
          assertThatThrownBy(() -> jedis.get(open)).hasMessageStartingWith("NOPERM");
        }
        for (Connection client : clients) {
          assertThatThrownBy(() -> client.client().getMap(shared).get(open))
              .hasMessageContaining("has no grant on '" + shared + "'");
        }
      }
    } finally {
      sessions.forEach(Jedis::close);
      clients.forEach(Connection::close);
    }
  }

  /** What a guest has locked is seen from every member, and taken off by the owner at each door. */
  private void requireUnlocking(Tenant owner, Tenant guest, String shared) {
    cluster.member(1).admin().grant(owner, MAP, guest, "read,write,lock", ",\"prefix\":\"open:\"");
    try (Connection client = HazelcastClients.connect(cluster.member(0), guest);
        Jedis jedis = RedisDoor.jedis(cluster.member(1), owner, MAP)) {
      for (int i = 0; i < 20; i++) {
        client.client().getMap(shared).lock("open:" + i);
      }
      for (KvsProcess member : cluster.members()) {
        assertThat(member.admin().locks(owner, MAP))
            .hasSize(20)
            .allSatisfy(lock -> assertThat(lock.path("holder").asText()).isEqualTo(guest.name()))
            .allSatisfy(lock -> assertThat(lock.path("client").asText()).isEqualTo("hazelcast"));
      }
      for (int i = 0; i < 20; i++) {
        String key = "open:" + i;
        if (i % 2 == 0) {
          assertThat(cluster.member(2).admin().unlock(owner, MAP, key)).isEqualTo(1);
        } else {
          assertThat(jedis.sendCommand(() -> "KVS.UNLOCK".getBytes(UTF_8), key)).isEqualTo(1L);
        }
        assertThat(jedis.set(key, "seen")).isEqualTo("OK");
      }
      assertThat(cluster.member(0).admin().locks(owner, MAP)).isEmpty();
    }
  }

  @Test
  @Order(5)
  void whoDoesNotKnowTheSecretDoesNotJoin() {
    Path wrongSecret = KvsCluster.newSecretFile("intruder");
    assertStaysOutside("no-secret", "--join", cluster.addresses());
    assertStaysOutside(
        "wrong-secret",
        "--join",
        cluster.addresses(),
        "--cluster-secret-file",
        wrongSecret.toString());
    Scratch.delete(wrongSecret.resolveSibling(""));

    for (KvsProcess member : cluster.members()) {
      try (Jedis jedis = RedisDoor.jedis(member, acme, MAP)) {
        assertThat(jedis.set("after-the-intruder", "fine")).isEqualTo("OK");
        assertThat(jedis.get("after-the-intruder")).isEqualTo("fine");
      }
    }
  }

  @Test
  @Order(6)
  void noAcknowledgedWriteIsLostWhenAMemberIsKilledUnderLoad() {
    KvsProcess victim = cluster.member(2);
    List<KvsProcess> survivors = List.of(cluster.member(0), cluster.member(1));
    Map<String, String> acknowledged = new HashMap<>();
    try (Connection hazelcast = HazelcastClients.connect(survivors.getFirst(), acme)) {
      List<Writer> writers =
          List.of(
              Writer.overResp("resp-survivor", survivors, acme, "killed"),
              Writer.overResp("resp-victim", List.of(victim, survivors.get(1)), acme, "killed"),
              Writer.overHazelcast("hazelcast", hazelcast.client(), "killed"));
      try {
        Writer.awaitMore(writers, WRITES_BEFORE_AND_AFTER);
        victim.kill();
        Writer.awaitMore(writers, WRITES_BEFORE_AND_AFTER);
      } finally {
        writers.forEach(Writer::close);
      }
      writers.forEach(writer -> acknowledged.putAll(writer.acknowledged()));
    }
    assertThat(acknowledged).hasSizeGreaterThan(writersTimes(2));
    for (KvsProcess survivor : survivors) {
      assertThat(RedisDoor.missing(survivor, acme, "killed", acknowledged)).as("lost").isEmpty();
    }

    cluster.repair();
    awaitMembers(SIZE);
    assertThat(RedisDoor.missing(victim, acme, "killed", acknowledged))
        .as("lost after the member came back")
        .isEmpty();
  }

  @Test
  @Order(7)
  void tenantsAndKeysOutliveARestartOfAllMembers() {
    Tenant byOtherKey = acme.with(cluster.member(1).admin().createKey(acme));
    Tenant suspended = cluster.member(1).admin().createTenant("cluster-still-suspended");
    cluster.member(1).admin().suspend(suspended);
    Tenant deleted = cluster.member(2).admin().createTenant("cluster-still-deleted");
    cluster.member(2).admin().delete(deleted);

    cluster.restart();

    for (KvsProcess member : cluster.members()) {
      for (Tenant known : List.of(acme, byOtherKey)) {
        try (Jedis jedis = RedisDoor.jedis(member, known, MAP)) {
          assertThat(jedis.ping()).isEqualTo("PONG");
        }
      }
      for (Tenant unknown : List.of(suspended, deleted)) {
        assertThatThrownBy(() -> RedisDoor.jedis(member, unknown, MAP).close())
            .isInstanceOf(JedisAccessControlException.class);
      }
    }
  }

  /** The stranger ends by itself, or serves as a cluster of its own, which is no harm to ours. */
  private void assertStaysOutside(String name, String... arguments) {
    try (KvsProcess stranger = new KvsProcess(name);
        Connection observer = HazelcastClients.connect(cluster.member(0), acme)) {
      stranger.launch(arguments);
      await("the stranger gives up or stays alone")
          .atMost(SETTLING)
          .until(
              () -> {
                assertThat(observer.client().getCluster().getMembers()).hasSize(SIZE);
                return !stranger.isRunning() || stranger.admin().isReady();
              });
      if (stranger.isRunning()) {
        assertThatThrownBy(() -> RedisDoor.jedis(stranger, acme, MAP).close())
            .as("the stranger knows nothing of our tenants")
            .isInstanceOfAny(JedisAccessControlException.class, JedisConnectionException.class);
      }
      assertThat(observer.client().getCluster().getMembers()).hasSize(SIZE);
    }
  }

  private static int writersTimes(int rounds) {
    return 3 * rounds * WRITES_BEFORE_AND_AFTER - 1;
  }

  /** Waits until all members are in, and each owns its share of the partitions. */
  private void awaitMembers(int count) {
    try (Connection observer = HazelcastClients.connect(cluster.member(0), acme)) {
      HazelcastInstance client = observer.client();
      await("the members share the partitions")
          .atMost(SETTLING)
          .untilAsserted(
              () -> {
                assertThat(client.getCluster().getMembers()).hasSize(count);
                Map<UUID, Long> owned =
                    client.getPartitionService().getPartitions().stream()
                        .map(Partition::getOwner)
                        .filter(Objects::nonNull)
                        .collect(
                            Collectors.groupingBy(owner -> owner.getUuid(), Collectors.counting()));
                long partitions = client.getPartitionService().getPartitions().size();
                assertThat(owned).hasSize(count);
                assertThat(owned.values())
                    .allMatch(share -> share >= partitions / count)
                    .satisfies(
                        shares ->
                            assertThat(shares.stream().mapToLong(Long::longValue).sum())
                                .isEqualTo(partitions));
              });
    }
  }
}
