package io.keyvalueserve.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.security.UsernamePasswordCredentials;
import com.hazelcast.transaction.TransactionContext;
import io.keyvalueserve.server.http.HttpServerUnderTest.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Locks over HTTP: a real server, and real clients that lock. A transaction locks the maps in the
 * order of their names, so one on two maps holds a key of the first while it waits for the second.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockDoorTest {
  private static final int PATIENCE_MILLIS = 60_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServerUnderTest server;
  private String key;
  private HazelcastInstance client;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = HttpServerUnderTest.start(Map.of("data", directory.resolve("data").toString()));
    key = server.tenant("acme");
    client = client("acme", key);
  }

  private HazelcastInstance client(String tenant, String accessKey) {
    ClientConfig config = new ClientConfig().setClusterName("kvs").setInstanceName(tenant + "-app");
    config.getNetworkConfig().addAddress("127.0.0.1:" + server.server().clientPort());
    config.getSecurityConfig().setCredentials(new UsernamePasswordCredentials(tenant, accessKey));
    return HazelcastClient.newHazelcastClient(config);
  }

  @AfterAll
  void stop() {
    client.shutdown();
    server.close();
    threads.close();
  }

  private static String locksOf(String map) {
    return "/api/v1/tenants/acme/maps/" + map + "/locks";
  }

  private JsonNode locks(String map) {
    return server.by(key, "GET", locksOf(map), "").is(200).json().path("locks");
  }

  /** Waits until one key of a map is locked, and returns its lock. */
  private JsonNode lock(String map) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> locks(map).path(0).path("purpose").asText().length() > 0);
    return locks(map).path(0);
  }

  private JsonNode unlock(String map) {
    JsonNode answer = server.by(key, "DELETE", locksOf(map) + "?key=k", "").is(200).json();
    assertThat(answer.path("locks")).hasSize(1);
    return answer.path("locks").path(0);
  }

  private Answer entry(String method, String map, String value) {
    String path = "/api/v1/tenants/acme/maps/" + map + "/entries/k";
    return server.call(key, method, path, value);
  }

  private Answer put(String... maps) {
    StringBuilder operations = new StringBuilder();
    for (String map : maps) {
      operations
          .append(operations.isEmpty() ? "" : ",")
          .append(
              "{\"op\":\"put\",\"map\":\"%s\",\"key\":\"k\",\"value\":\"http\"}".formatted(map));
    }
    return server.by(
        key, "POST", "/api/v1/tenants/acme/transactions", "{\"operations\":[" + operations + "]}");
  }

  @Test
  void namesTheClientOfALock() {
    IMap<String, String> map = client.getMap("plain");
    map.lock("k");
    JsonNode lock = lock("plain");
    assertThat(lock.path("key").asText()).isEqualTo("k");
    assertThat(lock.path("holder").asText()).isEqualTo("acme");
    assertThat(lock.path("purpose").asText()).isEqualTo("lock");
    assertThat(lock.path("client").asText()).isEqualTo("hazelcast");
    assertThat(lock.path("transactional").asBoolean()).isFalse();
    assertThat(lock.path("session").asText()).startsWith("127.0.0.1:").endsWith(" (acme-app)");
    assertThat(Instant.parse(lock.path("since").asText())).isBefore(Instant.now().plusSeconds(1));
    assertThat(lock.has("remainingMillis")).isFalse();
    assertThat(unlock("plain").has("end")).isFalse();
    assertThat(locks("plain")).isEmpty();
    assertThat(map.isLocked("k")).isFalse();
  }

  @Test
  void tellsTransactionsOfHazelcastClientsApart() {
    TransactionContext context = client.newTransactionContext();
    context.beginTransaction();
    context.<String, String>getMap("own").put("k", "v");
    JsonNode lock = lock("own");
    assertThat(lock.path("purpose").asText()).isEqualTo("client_transaction");
    assertThat(lock.path("transactional").asBoolean()).isTrue();
    assertThat(lock.path("session").asText()).endsWith(" (acme-app)");
    context.rollbackTransaction();
  }

  @Test
  void hidesWhereClientsOfOthersAre() {
    String other = server.tenant("guest");
    server
        .operator(
            "POST",
            "/api/v1/tenants/acme/maps/lent/grants",
            "{\"to\":\"guest\",\"rights\":\"lock\"}")
        .is(201);
    HazelcastInstance guest = client("guest", other);
    try {
      guest.getMap("acme/lent").lock("k");
      JsonNode lock = lock("lent");
      assertThat(lock.path("holder").asText()).isEqualTo("guest");
      assertThat(lock.path("remainingMillis").asLong()).isBetween(1L, 60_000L);
      assertThat(lock.has("session")).isFalse();
      JsonNode all = server.operator("GET", locksOf("lent"), "").is(200).json();
      assertThat(all.at("/locks/0/session").asText()).endsWith(" (guest-app)");
    } finally {
      guest.shutdown();
    }
  }

  /** The transaction has the key in {@code a1}, and waits for the one in {@code b1}. */
  @Test
  void endsATransactionOverHttpWhoseLockIsForcedOff() throws Exception {
    client.getMap("b1").lock("k");
    Future<Answer> ended = threads.submit(() -> put("a1", "b1"));
    JsonNode lock = lock("a1");
    assertThat(lock.path("purpose").asText()).isEqualTo("http");
    assertThat(lock.path("holder").asText()).isEqualTo("acme");
    assertThat(lock.path("client").asText()).isEqualTo("member");
    assertThat(lock.path("transactional").asBoolean()).isTrue();
    assertThat(lock.path("transaction").asText()).contains("/");
    Future<Answer> other = threads.submit(() -> put("a1", "c1"));
    JsonNode taken = unlock("a1");
    assertThat(taken.path("transaction")).isEqualTo(lock.path("transaction"));
    assertThat(taken.path("end").asText()).isEqualTo("aborted");
    Answer told = ended.get().is(409, "lock_forced_off");
    assertThat(told.text()).contains("forced off", "nothing was changed");
    other.get().is(200);
    assertThat(entry("GET", "a1", "").is(200).text()).isEqualTo("http");
    assertThat(entry("GET", "c1", "").is(200).text()).isEqualTo("http");
    client.getMap("b1").unlock("k");
    entry("GET", "b1", "").is(404);
    put("a1", "b1").is(200); // no lock is left
    assertThat(locks("a1")).isEmpty();
    JsonNode audit =
        server.operator("GET", "/api/v1/audit?tenant=acme&object=acme/a1", "").is(200).json();
    assertThat(audit.findValuesAsText("detail"))
        .anyMatch(detail -> detail.contains("a transaction over HTTP of acme ("));
  }

  @Test
  void endsABlockOfARedisClientWhoseLockIsForcedOff() throws Exception {
    client.getMap("b2").lock("k");
    try (Jedis redis = new Jedis("127.0.0.1", server.server().respPort(), PATIENCE_MILLIS)) {
      redis.auth("acme", key);
      Transaction block = redis.multi();
      for (String map : new String[] {"a2", "b2"}) {
        block.sendCommand(Protocol.Command.SELECT, map);
        Response<String> _ = block.set("k", "redis");
      }
      Future<?> ended =
          threads.submit(
              () ->
                  assertThatThrownBy(block::exec)
                      .isInstanceOf(JedisDataException.class)
                      .hasMessageContaining("forced off")
                      .hasMessageContaining("nothing was changed"));
      JsonNode lock = lock("a2");
      assertThat(lock.path("purpose").asText()).isEqualTo("multi");
      assertThat(lock.path("holder").asText()).isEqualTo("acme");
      assertThat(unlock("a2").path("end").asText()).isEqualTo("aborted");
      ended.get();
      entry("GET", "a2", "").is(404);
      client.getMap("b2").unlock("k");
      entry("GET", "b2", "").is(404);
      put("a2", "b2").is(200);
    }
  }

  /** A client that forces a lock off ends the whole transaction too, and leaves no half of it. */
  @Test
  void endsATransactionWhoseLockAClientForcesOff() throws Exception {
    client.getMap("b3").lock("k");
    try (Jedis redis = new Jedis("127.0.0.1", server.server().respPort(), PATIENCE_MILLIS)) {
      redis.auth("acme", key);
      redis.sendCommand(Protocol.Command.SELECT, "a3");
      Future<Answer> first = threads.submit(() -> put("a3", "b3"));
      lock("a3");
      assertThat(redis.sendCommand(() -> "KVS.UNLOCK".getBytes(UTF_8), "k")).isEqualTo(1L);
      first.get().is(409, "lock_forced_off");
      Future<Answer> second = threads.submit(() -> put("a3", "b3"));
      lock("a3");
      client.getMap("a3").forceUnlock("k");
      second.get().is(409, "lock_forced_off");
      entry("GET", "a3", "").is(404);
      // Other locks come off as before.
      client.getMap("b3").forceUnlock("k");
      redis.sendCommand(Protocol.Command.SELECT, "b3");
      assertThat(redis.sendCommand(() -> "KVS.UNLOCK".getBytes(UTF_8), "k")).isEqualTo(0L);
      put("a3", "b3").is(200);
    }
  }
}
