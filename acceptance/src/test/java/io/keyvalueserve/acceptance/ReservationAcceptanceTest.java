package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.map.IMap;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Goal: what is reserved for a tenant is its own: the doors of a member, and memory; others go on
 * elsewhere; and it is charged. Method: real clients of two tenants against real members.
 */
class ReservationAcceptanceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String MAP = "orders";
  private static final int BATCH = 500;

  @Test
  void aReservedMemberLetsInItsTenantAloneAndOthersGoOnElsewhere() throws Exception {
    try (KvsCluster cluster =
        KvsCluster.start("reserved", 2, ReservationAcceptanceTest::arguments)) {
      KvsProcess shared = cluster.member(0);
      KvsProcess reserved = cluster.member(1);
      Tenant acme = shared.admin().createTenant("reserved-acme");
      Tenant other = shared.admin().createTenant("reserved-other");
      try (Connection smart = HazelcastClients.connect(smart(other, shared, reserved));
          RespSocket own = RespSocket.open(reserved, acme, MAP);
          RespSocket foreign = RespSocket.open(reserved, other, MAP)) {
        requireServed(smart, "before");
        String said =
            shared.kvs("reserve", "member", reserved.memberAddress(), "--for", acme.name());
        assertThat(said).contains("reservation 1", reserved.memberAddress());
        assertThat(foreign.endsBy(Deadline.in(PATIENCE))).isTrue();
        own.send(RespSocket.command("PING"));
        assertThat(own.readLine()).isEqualTo("+PONG");
        requireRefused(reserved, other);
        requireServed(smart, "behind");
      }
      try (Connection smart = HazelcastClients.connect(smart(other, reserved, shared))) {
        requireServed(smart, "anew");
      }
      ClientConfig only =
          HazelcastClients.config(reserved.clientAddress(), other, Duration.ofSeconds(3));
      assertThatThrownBy(() -> HazelcastClients.connect(only).close())
          .isInstanceOf(IllegalStateException.class);
      try (Jedis jedis = RedisDoor.jedis(reserved, acme, MAP)) {
        assertThat(jedis.set("k", "v")).isEqualTo("OK");
      }
      await("it is charged as what it is")
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(ledger(shared, acme)).contains("reservedMember", "memberReservation"));
      assertThat(ledger(shared, other)).doesNotContain("reservedMember", "memberReservation");

      cluster.restart();
      requireRefused(reserved, other);
      try (Jedis jedis = RedisDoor.jedis(reserved, acme, MAP)) {
        assertThat(jedis.get("k")).isEqualTo("v");
      }
      assertThat(shared.kvs("reserve", "release", "1")).contains("is released");
      try (Jedis jedis = RedisDoor.jedis(reserved, other, MAP)) {
        assertThat(jedis.ping()).isEqualTo("PONG");
      }
    }
  }

  private static List<String> arguments(KvsProcess member) {
    Path config = member.folder().resolve("reserved.yaml");
    try {
      Files.writeString(config, "usage:\n  interval-seconds: 1\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("--config", config.toString(), "--memory", "96m");
  }

  /** A client that connects to all members, and asks the owner of each key. */
  private static ClientConfig smart(Tenant tenant, KvsProcess first, KvsProcess second) {
    ClientConfig config = HazelcastClients.config(first.clientAddress(), tenant, PATIENCE);
    config.getNetworkConfig().setRedoOperation(true); // of what is under way as the session ends
    config.getNetworkConfig().addAddress("127.0.0.1:" + second.clientAddress().getPort());
    return config;
  }

  /** On keys of all partitions, so of both members. */
  private static void requireServed(Connection connection, String value) {
    IMap<String, String> map = connection.client().getMap(MAP);
    for (int i = 0; i < 600; i++) {
      map.set("key" + i, value);
    }
    for (int i = 0; i < 600; i++) {
      assertThat(map.get("key" + i)).isEqualTo(value);
    }
    assertThat(map.values()).hasSizeGreaterThanOrEqualTo(600);
  }

  private static void requireRefused(KvsProcess reserved, Tenant tenant) {
    assertThatThrownBy(() -> RedisDoor.jedis(reserved, tenant, MAP).close())
        .isInstanceOf(JedisException.class)
        .hasMessageContaining("RESERVED this member is reserved for another tenant");
    var answer = reserved.admin().entry("GET", tenant, MAP, "k", new byte[0]);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(new String(answer.body(), UTF_8)).contains("member_reserved");
  }

  private static String ledger(KvsProcess member, Tenant tenant) throws IOException {
    Path file = member.folder().resolve("ledger.json");
    Files.deleteIfExists(file);
    String _ = member.kvs("bill", "export", tenant.name(), file.toString(), "--format", "json");
    return Files.readString(file);
  }

  /** It is used less than the other, and would be the first to be taken from. */
  @Test
  void reservedMemoryIsNotTakenForOthers() throws Exception {
    try (KvsProcess server = new KvsProcess("reserved-memory")) {
      server.launch("--memory", "48m");
      server.awaitReady();
      Tenant keeping = server.admin().createTenant("keeping");
      Tenant hungry = server.admin().createTenant("hungry");
      assertThat(server.kvs("reserve", "map", keeping.name() + "/" + MAP, "--memory", "24m"))
          .contains("24");
      assertThat(server.kvs("reserve", "list")).contains(keeping.name() + "/" + MAP, "are left");
      write(server, keeping, 12_000); // some 14 MB
      write(server, hungry, 40_000);
      JsonNode reclaimed = JSON.readTree(server.kvs("memory", "--reclaimed", "--json"));
      assertThat(reclaimed.path("totals").findValuesAsText("tenant"))
          .as(reclaimed.toPrettyString())
          .isNotEmpty()
          .containsOnly(hungry.name());
      assertThat(server.terminate()).as(server.tail()).isZero();
    }
  }

  private static void write(KvsProcess server, Tenant tenant, int count) {
    String value = "x".repeat(1_000);
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      for (int batch = 0; batch < count; batch += BATCH) {
        List<Response<String>> answers = new ArrayList<>();
        try (Pipeline pipeline = jedis.pipelined()) {
          for (int i = batch; i < batch + BATCH; i++) {
            answers.add(pipeline.set("key:" + i, value));
          }
        }
        answers.forEach(answer -> assertThat(answer.get()).isEqualTo("OK"));
      }
    }
  }
}
