package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Goal: when a member is killed under load, nobody is charged for more than was asked, and what is
 * missing is no more than what the dead member had not told. Method: three real members that tell
 * their usage every second, and a client of each, on a map of its own, that counts what it sent and
 * what was acknowledged.
 */
class MeteringDeathAcceptanceTest {
  private static final int SIZE = 3;
  private static final int VICTIM = 2;
  private static final String TENANT = "metering-death";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long MORE = 500;

  @Test
  void aDeathCostsWhatWasNotToldAndNothingIsChargedTwice() {
    try (KvsCluster cluster =
        KvsCluster.start("metering-death", SIZE, MeteringDeathAcceptanceTest::config)) {
      KvsProcess asked = cluster.member(0);
      Tenant tenant = asked.admin().createTenant(TENANT);
      List<Counting> clients = new ArrayList<>();
      try {
        for (int i = 0; i < SIZE; i++) {
          clients.add(new Counting(cluster.member(i), tenant, map(i)));
        }
        clients.forEach(Counting::awaitMore);
        long first = clients.get(VICTIM).acknowledged();
        await("what was done by then is told")
            .atMost(PATIENCE)
            .until(() -> writes(asked, VICTIM) >= first);
        clients.get(VICTIM).awaitMore(); // some of which will not be told
        cluster.member(VICTIM).kill();
        clients.get(VICTIM).awaitEnd();
        clients.subList(0, VICTIM).forEach(Counting::awaitMore);
        clients.forEach(Counting::close);
        awaitSettled(asked);
        requireCharged(asked, clients, first);
        requireCharged(cluster.member(1), clients, first);
        assertThat(asked.kvs("bill", "verify", TENANT)).isNotBlank();
        long told = writes(asked, VICTIM);
        cluster.repair(); // who comes back tells nothing again
        awaitSettled(asked);
        requireCharged(cluster.member(VICTIM), clients, first);
        assertThat(writes(cluster.member(VICTIM), VICTIM)).isEqualTo(told);
        assertThat(cluster.member(VICTIM).kvs("bill", "verify", TENANT)).isNotBlank();
      } finally {
        clients.forEach(Counting::close);
      }
    }
  }

  private static String map(int client) {
    return "stock-" + client;
  }

  /**
   * Exactly what was done through those that live, writes in doubt aside; of the dead one, what it
   * had told.
   */
  private static void requireCharged(KvsProcess asked, List<Counting> clients, long first) {
    for (int i = 0; i < VICTIM; i++) {
      long done = clients.get(i).acknowledged();
      assertThat(writes(asked, i)).as(map(i)).isBetween(done, done + clients.get(i).doubted());
    }
    assertThat(writes(asked, VICTIM)).isBetween(first, clients.get(VICTIM).sent());
    assertThat(clients.get(VICTIM).sent() - clients.get(VICTIM).acknowledged())
        .as("asked of the dead member and not answered")
        .isBetween(0L, 1L);
  }

  private static List<String> config(KvsProcess member) {
    Path config = member.folder().resolve("metering.yaml");
    try {
      Files.writeString(config, "usage:\n  interval-seconds: 1\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of("--config", config.toString());
  }

  /** Until what is told is the same for some intervals. */
  private static void awaitSettled(KvsProcess member) {
    await("all is told")
        .atMost(PATIENCE)
        .during(Duration.ofSeconds(4))
        .pollInterval(Duration.ofSeconds(1))
        .until(new Unchanged(member)::look);
  }

  private static final class Unchanged {
    private final KvsProcess member;
    private String last = "";

    Unchanged(KvsProcess member) {
      this.member = member;
    }

    boolean look() {
      String now =
          member
              .admin()
              .ofTenant(TENANT, "usage?by=map")
              .at("/usage")
              .findValuesAsText("writes")
              .toString();
      boolean same = now.equals(last);
      last = now;
      return same;
    }
  }

  private static long writes(KvsProcess member, int client) {
    for (JsonNode group : member.admin().ofTenant(TENANT, "usage?by=map").path("usage")) {
      if (group.path("group").asText().equals(TENANT + "/" + map(client))) {
        return Long.parseLong(group.path("quantities").path("writes").asText("0"));
      }
    }
    return 0;
  }

  /**
   * Writes one key after the other through one member, until that is gone or it is closed. A write
   * is in doubt when its backup was on the member that died.
   */
  private static final class Counting implements AutoCloseable {
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong doubted = new AtomicLong();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread;

    Counting(KvsProcess member, Tenant tenant, String map) {
      thread = Thread.ofPlatform().daemon().start(() -> write(member, tenant, map));
    }

    private void write(KvsProcess member, Tenant tenant, String map) {
      try (Jedis jedis = RedisDoor.jedis(member, tenant, map)) {
        while (!stopped.get()) {
          write(jedis, "k" + sent.incrementAndGet() % 1_000);
        }
      } catch (JedisException e) {
        stopped.set(true); // its member was killed
      }
    }

    private void write(Jedis jedis, String key) {
      try {
        assertThat(jedis.set(key, "value")).isEqualTo("OK");
        acknowledged.incrementAndGet();
      } catch (JedisDataException e) {
        if (Objects.toString(e.getMessage()).startsWith("CLUSTERDOWN")) {
          sent.decrementAndGet(); // refused, and so not done
        } else {
          assertThat(e).message().startsWith("INDOUBT");
          doubted.incrementAndGet();
        }
      }
    }

    long doubted() {
      return doubted.get();
    }

    long sent() {
      return sent.get();
    }

    long acknowledged() {
      return acknowledged.get();
    }

    void awaitMore() {
      long before = acknowledged();
      await("it writes").atMost(PATIENCE).until(() -> acknowledged() > before + MORE);
    }

    void awaitEnd() {
      try {
        assertThat(thread.join(PATIENCE)).as("it ends").isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      stopped.set(true);
      awaitEnd();
    }
  }
}
