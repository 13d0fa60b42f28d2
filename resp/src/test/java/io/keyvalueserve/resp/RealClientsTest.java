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
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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
          .hasMessageStartingWith(
              "ERR string exceeds maximum allowed size (proto-max-bulk-len): the limit is 67108864");
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
  void jedisAndLettuceAdministrate() throws Exception {
    try (Jedis jedis = jedis(RedisProtocol.RESP3);
        Jedis watching = jedis(RedisProtocol.RESP2)) {
      assertThat(jedis.aclWhoAmI()).isEqualTo("acme");
      assertThat(jedis.aclGetUser("acme").getCommands()).isEqualTo("+@all");
      assertThat(jedis.aclCat()).contains("string", "dangerous");
      assertThat(jedis.configSet("slowlog-log-slower-than", "0")).isEqualTo("OK");
      jedis.set("k", "v");
      assertThat(jedis.slowlogGet(1).getFirst().getArgs()).containsExactly("SET", "k", "v");
      assertThat(jedis.slowlogGet(1).getFirst().getClientName()).isEqualTo("jedis-test");
      assertThat(jedis.configSet("slowlog-log-slower-than", "-1")).isEqualTo("OK");
      assertThat(jedis.slowlogReset()).isEqualTo("OK");
      assertThat(jedis.slowlogLen()).isZero();
      assertThat(jedis.role()).startsWith("master");
      assertThat(jedis.moduleList()).isEmpty();
      assertThat(jedis.lolwut()).contains("KeyValueServe");
      assertThat(jedis.commandGetKeys("MSET", "a", "1", "b", "2")).containsExactly("a", "b");
      assertThat(jedis.commandDocs("get")).containsKey("get");
      assertThat(jedis.commandInfo("get")).containsKey("get");
      assertThat(jedis.clientPause(1)).isEqualTo("OK");
      assertThat(jedis.clientUnpause()).isEqualTo("OK");
      java.util.concurrent.CompletableFuture<String> line =
          new java.util.concurrent.CompletableFuture<>();
      Thread monitor =
          Thread.ofVirtual()
              .start(
                  () ->
                      watching.monitor(
                          new redis.clients.jedis.JedisMonitor() {
                            @Override
                            public void onCommand(String command) {
                              if (command.contains("watched")) {
                                line.complete(command);
                                client.disconnect();
                              }
                            }
                          }));
      org.awaitility.Awaitility.await().until(() -> jedis.clientList().contains("flags=O"));
      jedis.set("watched", "1");
      assertThat(line.get(30, TimeUnit.SECONDS)).contains("\"SET\" \"watched\" \"1\"");
      monitor.join();
    }
    RedisURI address =
        RedisURI.builder()
            .withHost("127.0.0.1")
            .withPort(member.port())
            .withAuthentication("acme", TestMember.key("acme").toCharArray())
            .build();
    RedisClient client = RedisClient.create(address);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      var sync = connection.sync();
      assertThat(sync.aclWhoami()).isEqualTo("acme");
      assertThat(sync.aclCat()).isNotEmpty();
      assertThat(sync.slowlogLen()).isZero();
      assertThat(sync.configGet("timeout")).isEqualTo(Map.of("timeout", "0"));
      assertThat(sync.clientTrackinginfo().getRedirect()).isEqualTo(-1);
      assertThat(sync.command()).hasSizeGreaterThan(60);
      assertThat(sync.lastsave()).isNotNull();
    } finally {
      client.shutdown(0, 5, TimeUnit.SECONDS);
    }
  }

  /** What clients send when they connect, as they send it. None of it may be an error. */
  @Test
  void clientsThatAreNotHereStartUp() throws Exception {
    String key = TestMember.key("acme");
    Map<String, List<String>> handshakes =
        Map.of(
            "redis-py",
            List.of(
                "HELLO 3 AUTH acme " + key,
                "CLIENT SETINFO LIB-NAME redis-py",
                "CLIENT SETINFO LIB-VER 5.2.1",
                "SELECT 0"),
            "ioredis",
            List.of("AUTH acme " + key, "INFO", "CLIENT SETNAME worker", "SELECT 0"),
            "node-redis",
            List.of(
                "HELLO 3 AUTH acme " + key + " SETNAME app",
                "CLIENT SETINFO LIB-NAME node-redis",
                "CLIENT SETINFO LIB-VER 5.0.0",
                "CLIENT TRACKING OFF"),
            "go-redis",
            List.of(
                "HELLO 3 AUTH acme " + key,
                "CLIENT SETINFO LIB-NAME go-redis(,go1.24)",
                "CLIENT SETINFO LIB-VER 9.7.0",
                "CLIENT SETNAME app",
                "COMMAND"),
            "StackExchange.Redis",
            List.of(
                "AUTH acme " + key,
                "CLIENT SETNAME app",
                "CLIENT SETINFO LIB-NAME SE.Redis",
                "CLIENT ID",
                "CONFIG GET timeout",
                "CONFIG GET databases",
                "INFO replication",
                "INFO server",
                "ECHO x"));
    for (Map.Entry<String, List<String>> handshake : handshakes.entrySet()) {
      try (WireClient client = member.connect()) {
        for (String request : handshake.getValue()) {
          client.send(WireClient.request(request.split(" ")));
        }
        for (String request : handshake.getValue()) {
          assertThat(client.reply()).as(handshake.getKey() + ": " + request).doesNotStartWith("-");
        }
        assertThat(client.call("SET", "k", "v")).isEqualTo("+OK\r\n");
      }
    }
  }

  @Test
  void lettuceHearsMessagesInBothProtocols() throws Exception {
    for (ProtocolVersion protocol : ProtocolVersion.values()) {
      RedisURI address =
          RedisURI.builder()
              .withHost("127.0.0.1")
              .withPort(member.port())
              .withAuthentication("acme", TestMember.key("acme").toCharArray())
              .build();
      RedisClient client = RedisClient.create(address);
      client.setOptions(io.lettuce.core.ClientOptions.builder().protocolVersion(protocol).build());
      BlockingQueue<String> heard = new LinkedBlockingQueue<>();
      try (var hearing = client.connectPubSub();
          StatefulRedisConnection<String, String> speaking = client.connect()) {
        hearing.addListener(
            new RedisPubSubAdapter<String, String>() {
              @Override
              public void message(String channel, String message) {
                heard.add(channel + " " + message);
              }

              @Override
              public void message(String pattern, String channel, String message) {
                heard.add(pattern + " " + channel + " " + message);
              }
            });
        hearing.sync().subscribe("news");
        hearing.sync().psubscribe("o*");
        assertThat(speaking.sync().publish("news", "hello")).isEqualTo(1);
        assertThat(speaking.sync().publish("old", "world")).isEqualTo(1);
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("news hello");
        assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("o* old world");
        assertThat(speaking.sync().pubsubChannels()).containsExactly("news");
        hearing.sync().unsubscribe("news");
        assertThat(speaking.sync().publish("news", "hello")).isZero();
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
