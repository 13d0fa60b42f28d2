package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Goal: a member that is asked to end (SIGTERM) answers what it admitted, and then ends. Method:
 * connections that pipeline counting commands as fast as they can, each on a key of its own, so
 * that the last answer says how many commands were answered.
 */
class ShutdownAcceptanceTest {
  private static final int CONNECTIONS = 4;
  private static final int REPLIES_BEFORE_THE_END = 2_000;
  private static final String MAP = "counters";
  private static final Duration BOUND = Duration.ofSeconds(30);

  @Test
  void aMemberUnderLoadEndsCleanlyAndInTime() throws Exception {
    try (KvsProcess server = KvsProcess.start("shutdown")) {
      Tenant tenant = server.admin().createTenant("acme");
      List<CountingLoad> loads = startLoads(server, tenant);

      long start = System.nanoTime();
      int code = server.terminate();
      Duration took = Duration.ofNanos(System.nanoTime() - start);

      assertThat(code).as("exit code, see %s", server.tail()).isZero();
      assertThat(took).isLessThan(BOUND);
      for (CountingLoad load : loads) {
        load.awaitEnd();
        assertThat(load.failure()).isNull();
      }
    }
  }

  @Test
  void aMemberOfAClusterAnswersEveryCommandThatItCarriedOut() throws Exception {
    try (KvsCluster cluster = KvsCluster.start("leaving", 2)) {
      KvsProcess leaving = cluster.member(1);
      KvsProcess staying = cluster.member(0);
      Tenant tenant = staying.admin().createTenant("acme");
      List<CountingLoad> loads = startLoads(leaving, tenant);

      assertThat(leaving.terminate()).as("exit code, see %s", leaving.tail()).isZero();

      try (Jedis jedis = RedisDoor.jedis(staying, tenant, MAP)) {
        for (CountingLoad load : loads) {
          load.awaitEnd();
          assertThat(load.failure()).isNull();
          assertThat(Long.parseLong(jedis.get(load.key())))
              .as("%s: carried out, against answered", load.key())
              .isEqualTo(load.answered());
        }
      }
    }
  }

  private static List<CountingLoad> startLoads(KvsProcess server, Tenant tenant)
      throws IOException {
    List<CountingLoad> loads = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      loads.add(new CountingLoad(RespSocket.open(server, tenant, MAP), "counter" + i));
    }
    await("the load is up")
        .atMost(Duration.ofSeconds(30))
        .until(() -> loads.stream().allMatch(load -> load.answered() >= REPLIES_BEFORE_THE_END));
    return loads;
  }

  /** A connection that counts with pipelined INCR until the server ends it. */
  private static final class CountingLoad {
    private static final int DEPTH = 32;

    private final AtomicLong answered = new AtomicLong();
    private final RespSocket connection;
    private final String key;
    private final Thread thread;
    private volatile @Nullable Throwable failure;

    CountingLoad(RespSocket connection, String key) {
      this.connection = connection;
      this.key = key;
      this.thread = Thread.ofPlatform().name(key).daemon().start(this::run);
    }

    private void run() {
      String pipeline = RespSocket.command("INCR", key).repeat(DEPTH);
      try (connection) {
        while (true) {
          sendIfOpen(pipeline);
          for (int i = 0; i < DEPTH; i++) {
            expectNext(connection.readLine());
          }
        }
      } catch (EOFException | SocketException ended) {
        // Between two replies: a clean end.
      } catch (Throwable e) {
        failure = e;
      }
    }

    /** A write fails when the server has ended the connection; replies may still be waiting. */
    private void sendIfOpen(String commands) {
      try {
        connection.send(commands);
      } catch (IOException closed) {
        // The next read tells how it ended.
      }
    }

    /** A reply is the next number, or a refusal to begin anything new. */
    private void expectNext(String reply) {
      if (reply.startsWith("-")) {
        return;
      }
      long expected = answered.get() + 1;
      if (!reply.equals(":" + expected)) {
        throw new AssertionError(key + ": expected :" + expected + ", got " + reply);
      }
      answered.set(expected);
    }

    String key() {
      return key;
    }

    /** How many commands were carried out and answered. */
    long answered() {
      return answered.get();
    }

    @Nullable Throwable failure() {
      return failure;
    }

    void awaitEnd() throws InterruptedException {
      thread.join(BOUND.toMillis());
      assertThat(thread.isAlive()).as("the server ended the connection of %s", key).isFalse();
    }
  }
}
