package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;

/** Goal: the clients that people use work, unchanged. */
@ParameterizedClass
@EnumSource(Way.class)
class RealClientsTest {
  private static final int PATIENCE_MILLIS = 30_000;

  private final Way way;
  private TestMember member;

  RealClientsTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start() throws IOException {
    member = TestMember.start(way);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  private Jedis jedis(RedisProtocol protocol) {
    return new Jedis(
        new HostAndPort("127.0.0.1", member.port()),
        DefaultJedisClientConfig.builder()
            .user("acme")
            .password(TestMember.key("acme"))
            .clientName("jedis-test")
            .socketTimeoutMillis(PATIENCE_MILLIS) // of which a machine that is busy needs some
            .protocol(protocol)
            .build());
  }

  @Test
  void jedisWorksInBothProtocols() {
    for (RedisProtocol protocol : List.of(RedisProtocol.RESP2, RedisProtocol.RESP3)) {
      try (Jedis jedis = jedis(protocol)) {
        assertThat(jedis.flushAll()).isEqualTo("OK");
        assertThat(jedis.ping()).isEqualTo("PONG");
        assertThat(jedis.clientGetname()).isEqualTo("jedis-test");
        assertThat(jedis.set("k", "v", SetParams.setParams().nx().ex(100))).isEqualTo("OK");
        assertThat(jedis.set("k", "w", SetParams.setParams().nx())).isNull();
        assertThat(jedis.ttl("k")).isBetween(98L, 100L);
        assertThat(jedis.mset("a", "1", "b", "2")).isEqualTo("OK");
        assertThat(jedis.mget("a", "nothing", "b")).containsExactly("1", null, "2");
        assertThat(jedis.incrByFloat("a", 0.5)).isEqualTo(1.5);
        assertThat(jedis.exists("a", "b", "nothing")).isEqualTo(2);
        assertThat(jedis.type("a")).isEqualTo("string");
        assertThat(jedis.keys("*")).containsExactlyInAnyOrder("k", "a", "b");
        assertThatThrownBy(() -> jedis.incr("k"))
            .isInstanceOf(JedisDataException.class)
            .hasMessage("ERR value is not an integer or out of range");
        assertThat(jedis.configGet("maxmemory")).isEqualTo(Map.of("maxmemory", "0"));
        assertThat(jedis.commandCount()).isGreaterThan(50);
        assertThat(jedis.info("server")).contains("redis_version:7.0.15");
        byte[] binary = new byte[256];
        for (int i = 0; i < binary.length; i++) {
          binary[i] = (byte) i;
        }
        jedis.set(binary, binary);
        assertThat(jedis.get(binary)).isEqualTo(binary);
      }
    }
  }

  @Test
  void jedisPipelinesAndScans() {
    try (Jedis jedis = jedis(RedisProtocol.RESP3)) {
      int count = 10_000;
      Pipeline pipeline = jedis.pipelined();
      List<Response<Long>> counters = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        pipeline.set("key:" + i, "v" + i);
        counters.add(pipeline.incr("counter"));
      }
      pipeline.sync();
      for (int i = 0; i < count; i++) {
        assertThat(counters.get(i).get()).isEqualTo(i + 1);
      }
      assertThat(jedis.dbSize()).isEqualTo(count + 1);
      Set<String> seen = new TreeSet<>();
      String cursor = "0";
      do {
        ScanResult<String> page =
            jedis.scan(cursor, new ScanParams().match("key:*").count(500), "string");
        seen.addAll(page.getResult());
        cursor = page.getCursor();
      } while (!cursor.equals("0"));
      assertThat(seen).hasSize(count);
    }
  }

  @Test
  void aValueOf64MebibytesGoesInAndOutAndOneMoreByteDoesNot() {
    try (Jedis jedis = jedis(RedisProtocol.RESP2)) {
      byte[] key = "large".getBytes(StandardCharsets.UTF_8);
      byte[] value = new byte[64 * 1024 * 1024];
      value[value.length - 1] = 7;
      assertThat(jedis.set(key, value)).isEqualTo("OK");
      assertThat(jedis.get(key)).isEqualTo(value);
      assertThatThrownBy(() -> jedis.append("large", "x"))
          .hasMessage("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
    }
  }

  @Test
  void lettuceWorksInBothProtocols() throws Exception {
    for (ProtocolVersion protocol : ProtocolVersion.values()) {
      RedisURI address =
          RedisURI.builder()
              .withHost("127.0.0.1")
              .withPort(member.port())
              .withAuthentication("acme/orders", TestMember.key("acme").toCharArray())
              .withClientName("lettuce-test")
              .build();
      RedisClient client = RedisClient.create(address);
      client.setOptions(io.lettuce.core.ClientOptions.builder().protocolVersion(protocol).build());
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        var sync = connection.sync();
        sync.flushall();
        assertThat(sync.set("k", "v", SetArgs.Builder.px(100_000))).isEqualTo("OK");
        assertThat(sync.setGet("k", "w", SetArgs.Builder.keepttl())).isEqualTo("v");
        assertThat(sync.pttl("k")).isBetween(90_000L, 100_000L);
        assertThat(sync.clientInfo()).contains("map=orders").contains("name=lettuce-test");
        assertThat(sync.copy("k", "copied")).isTrue();
        assertThat(sync.rename("copied", "renamed")).isEqualTo("OK");
        assertThat(sync.getex("renamed", io.lettuce.core.GetExArgs.Builder.persist()))
            .isEqualTo("w");
        var async = connection.async();
        List<RedisFuture<Long>> counters = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
          counters.add(async.incr("counter"));
        }
        for (int i = 0; i < counters.size(); i++) {
          assertThat(counters.get(i).get(30, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
      } finally {
        client.shutdown(0, 5, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void redisCliWorks() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/redis-cli")), "SKIPPED: redis-cli is not installed");
    Process cli =
        new ProcessBuilder(
                "/usr/bin/redis-cli",
                "-p",
                Integer.toString(member.port()),
                "--user",
                "acme",
                "--pass",
                TestMember.key("acme"),
                "--no-auth-warning",
                "-3")
            .redirectErrorStream(true)
            .start();
    try (var input = cli.outputWriter(StandardCharsets.UTF_8)) {
      input.write("set k \"a b\"\nget k\nincr n\nmget k nothing\nnosuch\nhello\n");
    }
    String output = new String(cli.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(cli.waitFor()).isZero();
    assertThat(output).startsWith("OK\na b\n1\na b\n\nERR unknown command 'nosuch'");
  }
}
