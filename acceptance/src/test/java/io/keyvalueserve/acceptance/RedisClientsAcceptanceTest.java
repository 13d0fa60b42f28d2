package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;

/** Goal: Redis clients, unmodified, work against a real process, and tenants do not meet. */
@ExtendWith(SharedServer.class)
class RedisClientsAcceptanceTest {
  private static final String MAP = "orders";

  private static Tenant acme = new Tenant("", "");
  private static Tenant globex = new Tenant("", "");

  private final KvsProcess server;

  RedisClientsAcceptanceTest(KvsProcess server) {
    this.server = server;
  }

  @BeforeAll
  static void makeTenants(KvsProcess server) {
    acme = server.admin().createTenant("redis-acme");
    globex = server.admin().createTenant("redis-globex");
  }

  @Test
  void jedisWritesReadsCountsAndExpires() {
    try (Jedis jedis = RedisDoor.jedis(server, acme, "jedis")) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      assertThat(jedis.get("absent")).isNull();
      assertThat(jedis.set("user:1", "Ada")).isEqualTo("OK");
      assertThat(jedis.get("user:1")).isEqualTo("Ada");
      assertThat(jedis.set("user:1", "Grace", SetParams.setParams().nx())).isNull();
      assertThat(jedis.mset("a", "1", "b", "2")).isEqualTo("OK");
      assertThat(jedis.mget("a", "b", "absent")).containsExactly("1", "2", null);
      assertThat(jedis.incrBy("a", 41)).isEqualTo(42);
      assertThat(jedis.append("b", "!")).isEqualTo(2);
      assertThat(jedis.strlen("b")).isEqualTo(2);
      assertThat(jedis.exists("a", "b", "absent")).isEqualTo(2);
      assertThat(jedis.expire("a", 100)).isEqualTo(1);
      assertThat(jedis.ttl("a")).isBetween(98L, 100L);
      assertThat(jedis.persist("a")).isEqualTo(1);
      assertThat(jedis.ttl("a")).isEqualTo(-1);
      assertThat(jedis.del("a", "absent")).isEqualTo(1);
      assertThat(jedis.scan("0", new ScanParams().match("user:*").count(1000)).getResult())
          .containsExactly("user:1");
    }
  }

  @Test
  void aKeyWithATimeToLiveGoesWhenItsTimeIsOver() {
    try (Jedis jedis = RedisDoor.jedis(server, acme, "jedis-ttl")) {
      assertThat(jedis.set("brief", "here", SetParams.setParams().px(300))).isEqualTo("OK");
      await("the key is gone").atMost(Duration.ofSeconds(5)).until(() -> !jedis.exists("brief"));
    }
  }

  @Test
  void jedisPipelinesAThousandCommandsAndGetsEveryReplyInOrder() {
    int commands = 1_000;
    try (Jedis jedis = RedisDoor.jedis(server, acme, "jedis-pipeline")) {
      Pipeline pipeline = jedis.pipelined();
      List<Response<String>> values = new ArrayList<>();
      for (int i = 0; i < commands; i++) {
        pipeline.set("key" + i, "value" + i);
        values.add(pipeline.get("key" + i));
      }
      pipeline.sync();
      for (int i = 0; i < commands; i++) {
        assertThat(values.get(i).get()).isEqualTo("value" + i);
      }
    }
  }

  @Test
  void binaryKeysAndValuesComeBackAsTheyWere() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    try (Jedis jedis = RedisDoor.jedis(server, acme, "jedis-binary")) {
      assertThat(jedis.set(everyByte, everyByte)).isEqualTo("OK");
      assertThat(jedis.get(everyByte)).isEqualTo(everyByte);
    }
  }

  @Test
  void lettuceWritesAndReads() {
    RedisURI address =
        RedisURI.builder()
            .withHost("127.0.0.1")
            .withPort(server.respPort())
            .withAuthentication(acme.name() + "/lettuce", acme.accessKey())
            .withTimeout(Duration.ofSeconds(15))
            .build();
    try (RedisClient client = RedisClient.create(address);
        StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisCommands<String, String> redis = connection.sync();
      assertThat(redis.ping()).isEqualTo("PONG");
      assertThat(redis.set("user:1", "Ada")).isEqualTo("OK");
      assertThat(redis.get("user:1")).isEqualTo("Ada");
      assertThat(redis.mset(Map.of("a", "1", "b", "2"))).isEqualTo("OK");
      assertThat(redis.incr("a")).isEqualTo(2);
      assertThat(redis.del("b")).isEqualTo(1);
      assertThat(redis.keys("*")).containsExactlyInAnyOrder("user:1", "a");
    }
  }

  @Test
  void redisCliWritesAndReads() {
    boolean present = Commands.answers("redis-cli", "--version");
    assumeTrue(present || System.getenv("CI") != null, "redis-cli is not on this machine");
    assertThat(redisCli("SET", "greeting", "hello")).isEqualTo("OK");
    assertThat(redisCli("GET", "greeting")).isEqualTo("hello");
  }

  @Test
  void twoTenantsWithOneMapNameDoNotMeet() {
    try (Jedis ofAcme = RedisDoor.jedis(server, acme, MAP);
        Jedis ofGlobex = RedisDoor.jedis(server, globex, MAP)) {
      ofAcme.set("key", "acme");
      assertThat(ofGlobex.get("key")).isNull();
      assertThat(ofGlobex.dbSize()).isZero();

      ofGlobex.set("key", "globex");
      ofGlobex.set("another", "globex");
      assertThat(ofAcme.get("key")).isEqualTo("acme");
      assertThat(ofAcme.keys("*")).containsExactly("key");

      ofGlobex.flushDB();
      assertThat(ofGlobex.dbSize()).isZero();
      assertThat(ofAcme.get("key")).isEqualTo("acme");
    }
  }

  @Test
  void aMapOfAnotherTenantCannotBeNamed() {
    try (Jedis ofAcme = RedisDoor.jedis(server, acme, "secret")) {
      ofAcme.set("key", "acme");
    }
    Tenant disguised = new Tenant(acme.name(), globex.accessKey());
    assertThat(refusal(disguised)).isInstanceOf(JedisAccessControlException.class);
    try (Jedis ofGlobex = RedisDoor.jedis(server, globex, MAP)) {
      assertThatThrownBy(
              () ->
                  ofGlobex.sendCommand(
                      () -> "SELECT".getBytes(StandardCharsets.US_ASCII), acme.name() + "/secret"))
          .hasMessageMatching("(?s)(NOPERM|ERR).*");
      assertThat(ofGlobex.ping()).isEqualTo("PONG");
    }
  }

  @Test
  void aWrongKeyAndAWrongTenantAreRefusedInTheSameWords() {
    Throwable wrongKey = refusal(acme.with(sameShape(acme.accessKey())));
    Throwable wrongTenant = refusal(new Tenant("redis-nobody", acme.accessKey()));
    Throwable keyOfAnother = refusal(acme.with(globex.accessKey()));

    assertThat(wrongKey)
        .isInstanceOf(JedisAccessControlException.class)
        .hasMessageStartingWith("WRONGPASS")
        .hasMessageNotContaining(acme.name());
    assertThat(wrongTenant).hasSameClassAs(wrongKey).hasMessage(wrongKey.getMessage());
    assertThat(keyOfAnother).hasSameClassAs(wrongKey).hasMessage(wrongKey.getMessage());
  }

  @Test
  void withoutCredentialsNothingIsServed() {
    try (Jedis stranger = new Jedis("127.0.0.1", server.respPort())) {
      assertThatThrownBy(() -> stranger.get("key")).hasMessageStartingWith("NOAUTH");
    }
  }

  private Throwable refusal(Tenant tenant) {
    return catchThrowable(
        () -> {
          try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
            jedis.ping();
          }
        });
  }

  /** A key that is wrong only in its last character. */
  private static String sameShape(String key) {
    char last = key.charAt(key.length() - 1);
    return key.substring(0, key.length() - 1) + (last == 'a' ? 'b' : 'a');
  }

  private String redisCli(String... words) {
    List<String> command =
        new ArrayList<>(
            List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(server.respPort())));
    command.addAll(List.of("--no-auth-warning", "--user", acme.name() + "/cli"));
    command.addAll(Arrays.asList(words));
    return Commands.run(
            Scratch.target(),
            Map.of("REDISCLI_AUTH", acme.accessKey()),
            Duration.ofSeconds(20),
            command)
        .strip();
  }
}
