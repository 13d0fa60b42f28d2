package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** Goal: one map, two doors: what goes in through one comes out through the other. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossDoorAcceptanceTest {
  private final Tenant tenant;
  private final Connection connection;
  private final Jedis jedis;
  private final IMap<Object, Object> map;

  CrossDoorAcceptanceTest(KvsProcess server) {
    tenant = server.admin().createTenant("crossdoor-acme");
    connection = HazelcastClients.connect(server, tenant);
    jedis = RedisDoor.jedis(server, tenant, "people");
    map = connection.client().getMap("people");
  }

  @AfterAll
  void disconnect() {
    jedis.close();
    connection.close();
  }

  @Test
  void aTextWrittenOverRespIsBytesUnderAStringKey() {
    jedis.set("user:1", "Ada");
    assertThat(map.get("user:1")).isEqualTo("Ada".getBytes(UTF_8));
    assertThat(map.containsKey("user:1")).isTrue();
  }

  @Test
  void aKeyThatIsNoTextIsAKeyOfBytes() {
    byte[] key = {(byte) 0xff, (byte) 0xfe, 0};
    jedis.set(key, "binary".getBytes(UTF_8));
    assertThat(map.get(key)).isEqualTo("binary".getBytes(UTF_8));
  }

  @Test
  void aStringReadsAsItsText() {
    map.put("string", "Grüße, 世界");
    assertThat(jedis.get("string")).isEqualTo("Grüße, 世界");
  }

  @Test
  void numbersReadAsTheirText() {
    map.put("int", 42);
    map.put("long", Long.MIN_VALUE);
    map.put("double", 2.5);
    assertThat(jedis.mget("int", "long", "double"))
        .containsExactly("42", "-9223372036854775808", "2.5");
  }

  @Test
  void jsonReadsAsItsText() {
    String json = "{\"name\":\"Ada\",\"year\":1815}";
    map.put("json", new HazelcastJsonValue(json));
    assertThat(jedis.get("json")).isEqualTo(json);
  }

  @Test
  void bytesReadAsTheyAre() {
    byte[] bytes = {0, 1, (byte) 0xff};
    map.put("bytes", bytes);
    assertThat(jedis.get("bytes".getBytes(UTF_8))).isEqualTo(bytes);
  }

  @Test
  void aNumberThatTheJavaClientWroteCountsOnOverResp() {
    map.put("visits", 41L);
    assertThat(jedis.incr("visits")).isEqualTo(42);
    assertThat(jedis.get("visits")).isEqualTo("42");
  }

  @Test
  void whatOneDoorRemovesIsGoneAtTheOther() {
    jedis.set("by-redis", "x");
    map.put("by-hazelcast", "y");
    assertThat(map.remove("by-redis")).isNotNull();
    assertThat(jedis.del("by-hazelcast")).isEqualTo(1);
    assertThat(jedis.exists("by-redis")).isFalse();
    assertThat(map.containsKey("by-hazelcast")).isFalse();
  }

  @Test
  void aTimeToLiveGivenAtOneDoorIsSeenAtTheOther() {
    jedis.set("by-redis-ttl", "x", SetParams.setParams().ex(100));
    map.put("by-hazelcast-ttl", "y", 100, TimeUnit.SECONDS);
    assertThat(map.getEntryView("by-redis-ttl").getExpirationTime())
        .isBetween(System.currentTimeMillis() + 90_000, System.currentTimeMillis() + 110_000);
    assertThat(jedis.ttl("by-hazelcast-ttl")).isBetween(90L, 100L);
  }
}
