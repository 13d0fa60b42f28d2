package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.core.HazelcastJsonValue;
import com.hazelcast.map.IMap;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** Goal: one map, three doors: what goes in through one comes out through the other. */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrossDoorAcceptanceTest {
  private final AdminApi admin;
  private final Tenant tenant;
  private final Connection connection;
  private final Jedis jedis;
  private final IMap<Object, Object> map;

  CrossDoorAcceptanceTest(KvsProcess server) {
    admin = server.admin();
    tenant = admin.createTenant("crossdoor-acme");
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
  void anEntryIsTheSameThroughThreeDoors() {
    assertThat(http("PUT", "three", "over HTTP").statusCode()).isEqualTo(201);
    assertThat(jedis.get("three")).isEqualTo("over HTTP");
    assertThat(map.get("three")).isEqualTo("over HTTP".getBytes(UTF_8));

    HttpResponse<byte[]> seen = http("GET", "three", "");
    String tag = seen.headers().firstValue("ETag").orElseThrow();
    jedis.set("three", "over RESP");
    assertThat(http("PUT", "three", "late", "If-Match", tag).statusCode()).isEqualTo(412);
    map.put("three", "over HTTP"); // a string now, of the same bytes: what was seen is there again
    assertThat(http("PUT", "three", "compared", "If-Match", tag).statusCode()).isEqualTo(204);
    assertThat(jedis.get("three")).isEqualTo("compared");

    map.put("three", 42);
    assertThat(new String(http("GET", "three", "").body(), UTF_8)).isEqualTo("42");
    assertThat(jedis.incr("three")).isEqualTo(43);
    map.put("three", LocalDate.of(2030, 1, 31));
    assertThat(http("GET", "three", "").statusCode()).isEqualTo(409);
    assertThat(http("PUT", "three", "x", "If-Match", tag).statusCode()).isEqualTo(409);
    assertThat(http("PUT", "three", "x", "Kvs-Ttl-Millis", "100000").statusCode()).isEqualTo(204);
    assertThat(jedis.ttl("three")).isBetween(1L, 100L);
    assertThat(http("DELETE", "three", "").statusCode()).isEqualTo(204);
    assertThat(map.containsKey("three")).isFalse();
    assertThat(jedis.exists("three")).isFalse();
  }

  private HttpResponse<byte[]> http(String method, String key, String value, String... headers) {
    return admin.entry(method, tenant, "people", key, value.getBytes(UTF_8), headers);
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
