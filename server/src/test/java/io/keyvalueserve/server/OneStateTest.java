package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.server.config.ConfigReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisException;

/** MGET of Redis clients beside MSET and MULTI that keep keys in many partitions equal. */
final class OneStateTest {
  private static final Pattern MEMBER = Pattern.compile("this one: (\\S+)\\)");
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String[] KEYS =
      IntStream.range(0, 10).mapToObj(i -> "key-" + i).toArray(String[]::new);

  @TempDir private Path directory;
  private Path secret;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final Queue<Set<String>> mixed = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private String key = "";

  @BeforeEach
  void writeSecret() throws IOException {
    secret = Files.writeString(directory.resolve("secret"), "a secret of 32 characters or more");
  }

  private Server server(String join, Map<String, String> more) {
    Map<String, String> flags = new HashMap<>(more);
    for (String port : List.of("resp-port", "http-port", "client-port", "member-port")) {
      flags.put(port, "0");
    }
    flags.put("dev", "true");
    flags.put("log-level", "warn");
    flags.put("memory.size", "64m");
    flags.put("cluster-secret-file", secret.toString());
    flags.put("join", join);
    return Server.start(ConfigReader.read(null, flags));
  }

  private static String address(Server server) {
    Matcher matcher = MEMBER.matcher(String.join("\n", server.describe()));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  private Jedis jedis(Server server) {
    Jedis jedis = new Jedis("127.0.0.1", server.respPort(), PATIENCE_MILLIS);
    jedis.auth("acme", key);
    return jedis;
  }

  private interface Step {
    void run(Jedis jedis);
  }

  /** Does a step again and again. A member that comes or goes may let it fail. */
  private void start(Server server, Step step) {
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    try (Jedis jedis = jedis(server)) {
                      while (!over.get()) {
                        step.run(jedis);
                      }
                    } catch (JedisException e) {
                      Thread.onSpinWait(); // with another connection
                    }
                  }
                }));
  }

  private void mset(Jedis jedis) {
    String value = Long.toString(writes.incrementAndGet());
    String[] pairs = new String[2 * KEYS.length];
    for (int i = 0; i < KEYS.length; i++) {
      pairs[2 * i] = KEYS[i];
      pairs[2 * i + 1] = value;
    }
    jedis.mset(pairs);
  }

  private void multi(Jedis jedis) {
    String value = Long.toString(writes.incrementAndGet());
    try (Transaction transaction = jedis.multi()) {
      for (String each : KEYS) {
        var _ = transaction.set(each, value);
      }
      List<Object> _ = transaction.exec();
    }
  }

  private void write(Server server) {
    start(
        server,
        jedis -> {
          mset(jedis);
          multi(jedis);
        });
  }

  private void read(Server server, int seed) {
    Random random = new Random(seed);
    List<String> keys = new ArrayList<>(Arrays.asList(KEYS));
    start(
        server,
        jedis -> {
          Collections.shuffle(keys, random);
          Set<String> seen = new HashSet<>(jedis.mget(keys.toArray(String[]::new)));
          reads.incrementAndGet();
          if (seen.size() > 1) {
            mixed.add(seen);
          }
        });
  }

  private void awaitReads(int more) {
    long until = reads.get() + more;
    long writesBefore = writes.get();
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> reads.get() >= until && writes.get() > writesBefore + 10);
  }

  private void end() throws InterruptedException {
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(mixed).isEmpty();
  }

  private void runOnOne(Map<String, String> flags) throws InterruptedException {
    try (Server server = server("", flags)) {
      key = server.createTenant("acme");
      try (Jedis jedis = jedis(server)) {
        mset(jedis);
      }
      write(server);
      read(server, 1);
      read(server, 2);
      awaitReads(5_000);
      end();
    }
  }

  @Test
  void seesNoHalfOnOneMember() throws InterruptedException {
    runOnOne(Map.of());
  }

  @Test
  void seesNoHalfOnOneMemberWithALog() throws InterruptedException {
    runOnOne(Map.of("data", directory.resolve("data").toString()));
  }

  @Test
  void seesNoHalfOnThreeMembersOfWhichOneJoinsAndOneLeaves() throws InterruptedException {
    try (Server first = server("", Map.of());
        Server second = server(address(first), Map.of())) {
      key = first.createTenant("acme");
      await()
          .atMost(Duration.ofMinutes(1))
          .ignoreExceptions()
          .until(
              () -> {
                try (Jedis jedis = jedis(second)) {
                  mset(jedis);
                }
                return true;
              });
      write(first);
      read(first, 1);
      read(second, 2);
      awaitReads(500);
      Server third = server(address(first), Map.of());
      try {
        awaitReads(500);
      } finally {
        third.close();
      }
      awaitReads(500);
      end();
    }
  }
}
