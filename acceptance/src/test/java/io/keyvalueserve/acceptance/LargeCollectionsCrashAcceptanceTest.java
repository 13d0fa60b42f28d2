package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Goal: large collections are whole, and have all that was acknowledged, when a member is killed
 * while single elements are written. Method: one process with the durability "always", killed
 * twice.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeCollectionsCrashAcceptanceTest {
  private static final int ELEMENTS = 5_000;
  private static final int ROUNDS = 1;
  private static final int FEWEST = 200;
  private static final String MAP = "large";

  private final KvsProcess member = new KvsProcess("large-crash");
  private final Map<String, String> fields = new HashMap<>();
  private int pushed;
  private final AtomicInteger writing = new AtomicInteger();
  private Tenant tenant;

  @BeforeAll
  void start() {
    launch();
    tenant = member.admin().createTenant("large-crash");
  }

  @AfterAll
  void end() {
    member.close();
  }

  private void launch() {
    member.launch("--durability", "always");
    member.awaitReady();
  }

  @Test
  void allIsWholeAndNothingAcknowledgedIsLost() throws Exception {
    try (Jedis jedis = RedisDoor.jedis(member, tenant, MAP)) {
      IntStream.range(0, ELEMENTS).forEach(i -> fields.put("f" + i, "v" + i));
      jedis.hset("h", fields);
      String[] elements =
          IntStream.range(0, ELEMENTS).mapToObj(i -> "e" + i).toArray(String[]::new);
      jedis.rpush("l", elements);
      jedis.sadd("s", elements);
      fields.keySet().forEach(field -> jedis.zadd("z", 0, field));
    }
    for (int round = 0; round < ROUNDS; round++) {
      int before = writing.get();
      FutureTask<Boolean> writer = new FutureTask<>(this::write, true);
      Thread _ = Thread.ofPlatform().daemon().start(writer);
      await("it writes").until(() -> writing.get() > before + FEWEST);
      member.kill();
      assertThat(writer.get()).isTrue();
      launch();
      requireWhole();
    }
  }

  /** Until the member is killed. */
  private void write() {
    try (Jedis jedis = RedisDoor.jedis(member, tenant, MAP)) {
      while (true) {
        int next = writing.get();
        String field = field(next);
        String value = "x" + next;
        jedis.hset("h", field, value);
        fields.put(field, value);
        jedis.zadd("z", next, field);
        jedis.lpush("l", value);
        pushed++;
        jedis.srem("s", "e" + next);
        writing.set(next + 1);
      }
    } catch (JedisException e) {
      // it was killed
    }
  }

  private static String field(int number) {
    return "f" + number * 7 % (2 * ELEMENTS);
  }

  private void requireWhole() {
    try (Jedis jedis = RedisDoor.jedis(member, tenant, MAP)) {
      Map<String, String> hash = jedis.hgetAll("h");
      assertThat((long) hash.size()).isEqualTo(jedis.hlen("h"));
      int next = writing.get();
      String inDoubt = field(next);
      fields.forEach(
          (field, value) ->
              assertThat(hash.get(field)).isIn(value, field.equals(inDoubt) ? "x" + next : value));
      List<String> list = jedis.lrange("l", 0, -1);
      assertThat((long) list.size()).isEqualTo(jedis.llen("l"));
      assertThat(list).hasSizeBetween(ELEMENTS + pushed, ELEMENTS + pushed + 1);
      assertThat((long) jedis.smembers("s").size()).isEqualTo(jedis.scard("s"));
      assertThat((long) jedis.zrange("z", 0, -1).size()).isEqualTo(jedis.zcard("z"));
      assertThat(jedis.zcard("z")).isGreaterThanOrEqualTo(fields.size());
      fields.putAll(hash);
      pushed = list.size() - ELEMENTS;
    }
  }
}
