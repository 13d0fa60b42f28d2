package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Goal: when both copies of an entry were on two members that are killed shortly one after the
 * other, it is served again once those are back, and nothing that was acknowledged is lost, also
 * not what the second one took alone. Method: three real members and a writer at the one that
 * stays. The second is killed as soon as the cluster goes on without the first, before there are
 * other backups; the second comes back first.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoMembersKilledAcceptanceTest {
  private static final int SIZE = 3;
  private static final int MORE = 2_000;
  private static final String MAP = "kept";
  private static final List<String> REFUSALS = List.of("INDOUBT", "CLUSTERDOWN", "LOADING");
  private static final Duration SETTLING = Duration.ofSeconds(90);
  private static final long RETRY_NANOS = 10_000_000;

  private KvsCluster cluster;
  private Tenant tenant;

  @BeforeAll
  void start() {
    cluster = KvsCluster.start("two-killed", SIZE, member -> List.of("--durability", "always"));
    tenant = cluster.member(0).admin().createTenant("two-killed");
  }

  @AfterAll
  void end() {
    cluster.close();
  }

  @Test
  void whatBothHadIsServedAgain() throws InterruptedException {
    cluster.member(0).admin().awaitSafe(SETTLING);
    try (Writer writer = new Writer(cluster.member(0), tenant)) {
      writer.awaitMore();
      cluster.member(1).kill();
      await("the first is found lost")
          .atMost(SETTLING)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> cluster.member(0).admin().members() == SIZE - 1);
      cluster.member(2).kill();
      cluster.launch(cluster.member(2));
      cluster.member(2).awaitMemberPort();
      cluster.repair();
      writer.awaitMore();
      cluster.member(0).admin().awaitSafe(SETTLING);
      writer.stop();
      assertThat(writer.strange()).isEmpty();
      for (KvsProcess member : cluster.members()) {
        assertThat(RedisDoor.missing(member, tenant, MAP, writer.acknowledged())).isEmpty();
      }
    }
  }

  /** Writes a key of its own each time, and keeps what was acknowledged. */
  private static final class Writer implements AutoCloseable {
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Set<String> strange = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final String prefix = "k" + System.nanoTime() + "-";
    private final Thread thread;

    Writer(KvsProcess member, Tenant tenant) {
      thread = Thread.ofPlatform().daemon().start(() -> write(member, tenant));
    }

    private void write(KvsProcess member, Tenant tenant) {
      long next = 0;
      while (!stopped.get()) {
        try (Jedis jedis = RedisDoor.jedis(member, tenant, MAP)) {
          while (!stopped.get()) {
            write(jedis, prefix + next++);
          }
        } catch (JedisException e) {
          LockSupport.parkNanos(RETRY_NANOS); // the member starts again in its process
        }
      }
    }

    private void write(Jedis jedis, String key) {
      try {
        assertThat(jedis.set(key, key)).isEqualTo("OK");
        String _ = acknowledged.put(key, key);
      } catch (JedisDataException e) {
        String why = String.valueOf(e.getMessage());
        if (REFUSALS.stream().noneMatch(why::startsWith)) {
          boolean _ = strange.add(why);
        }
      }
    }

    /** Answers that are neither a success nor a refusal that a client may try again. */
    Set<String> strange() {
      return strange;
    }

    Map<String, String> acknowledged() {
      return acknowledged;
    }

    void awaitMore() {
      int before = acknowledged.size();
      await("it writes").atMost(SETTLING).until(() -> acknowledged.size() > before + MORE);
    }

    void stop() throws InterruptedException {
      stopped.set(true);
      assertThat(thread.join(SETTLING)).isTrue();
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }
}
