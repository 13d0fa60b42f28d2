package io.keyvalueserve.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.IndeterminateOperationStateException;
import com.hazelcast.map.IMap;
import io.keyvalueserve.acceptance.HazelcastClients.Connection;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Goal: when the kernel refuses a member's writes, clients at every door learn what became of
 * theirs, and nothing that was acknowledged is lost. Method: real processes, whose limit of a
 * file's length is taken down while they run.
 */
class BadDiskAcceptanceTest {
  private static final String MAP = "orders";
  private static final String DOUBTFUL = "doubtful";
  private static final int ENTRIES = 300;
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final String[] ALWAYS = {"--durability", "always"};

  @BeforeAll
  static void requireLimits() {
    assumeTrue(Commands.answers("prlimit", "--version"), "prlimit is missing (util-linux)");
  }

  @Test
  void everyDoorTellsWhatIsInDoubtAndWhatWasRefused() {
    try (KvsProcess server = new KvsProcess("bad-disk")) {
      start(server);
      Tenant tenant = server.admin().createTenant("disk-acme");
      Map<String, String> written = new HashMap<>();
      try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
        write(jedis, "before:", written);
        String error = whileTheDiskFails(server, key -> set(jedis, key, written));
        assertThat(error).startsWith("INDOUBT").contains("restart");
        assertThat(jedis.get(DOUBTFUL)).as("it was carried out").isEqualTo("1");
        assertThatThrownBy(() -> jedis.set("refused", "1"))
            .isInstanceOf(JedisDataException.class)
            .hasMessageStartingWith("MISCONF");
        assertThat(jedis.get("refused")).isNull();
        assertThat(jedis.get("before:7")).isEqualTo(written.get("before:7"));
      }
      HttpResponse<byte[]> put = put(server, tenant, "refused");
      assertThat(put.statusCode()).isEqualTo(503);
      assertThat(new String(put.body(), UTF_8)).contains("not_logged");
      assertThat(put.headers().firstValue("Retry-After")).isPresent();
      try (Connection hazelcast = HazelcastClients.connect(server, tenant)) {
        IMap<String, String> map = hazelcast.client().getMap(MAP);
        assertThatThrownBy(() -> map.put("refused", "1"))
            .isInstanceOf(HazelcastException.class)
            .isNotInstanceOf(IndeterminateOperationStateException.class)
            .hasMessageContaining("not carried out");
        assertThat(map.containsKey("refused")).isFalse();
      }
      server.kill();
      start(server);
      assertThat(RedisDoor.missing(server, tenant, MAP, written)).as("lost").isEmpty();
      try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
        assertThat(jedis.get(DOUBTFUL)).isEqualTo("1");
        assertThat(jedis.exists("refused")).isFalse();
        jedis.set("refused", "2");
      }
    }
  }

  @Test
  void overHttpTheFirstWriteIsInDoubt() {
    try (KvsProcess server = new KvsProcess("bad-disk-http")) {
      start(server);
      Tenant tenant = server.admin().createTenant("disk-http");
      String error = whileTheDiskFails(server, key -> error(put(server, tenant, key)));
      assertThat(error).contains("in_doubt", "503", "Retry-After");
    }
  }

  /** With a disk of its own in memory. */
  @Test
  void aFullDiskIsToldAtEveryDoorAndReadsGoOn() throws IOException {
    assumeTrue(mayMount(), "needs root, to mount a small disk");
    try (KvsProcess server = new KvsProcess("full-disk");
        SmallDisk _ = new SmallDisk(server.folder())) {
      Path config = server.folder().resolve("small.yaml");
      Files.writeString(config, "restart:\n  chunk-mib: 1\n");
      server.launch("--config", config.toString());
      server.awaitReady();
      Tenant tenant = server.admin().createTenant("full-acme");
      try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
        fill(jedis);
        assertThat(jedis.dbSize()).as("reads go on").isGreaterThan(ENTRIES);
      }
      HttpResponse<byte[]> put = put(server, tenant, "refused");
      assertThat(put.statusCode()).isEqualTo(507);
      assertThat(new String(put.body(), UTF_8)).contains("disk_full");
      assertThat(server.admin().tryToCreateTenant("full-globex"))
          .startsWith("507 ")
          .contains("disk_full");
      assertThat(server.admin().readiness()).contains("\"degraded\":true", "is full");
      assertThat(server.admin().isReady()).isTrue();
      try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
        Set<String> keys = jedis.keys("*");
        for (String key : keys) {
          assertThat(delete(jedis, key)).as("a full disk takes deletes").isEqualTo(1);
        }
        awaitWritable(jedis);
        fill(jedis);
        assertThat(jedis.flushDB()).isEqualTo("OK");
        awaitWritable(jedis);
      }
    }
  }

  /** Writes until the disk is full. */
  private static void fill(Jedis jedis) {
    byte[] value = new byte[20_000];
    await("the disk is full")
        .atMost(SETTLING)
        .pollDelay(Duration.ZERO)
        .untilAsserted(
            () ->
                assertThatThrownBy(
                        () -> {
                          for (int i = 0; i < ENTRIES; i++) {
                            jedis.set(("k" + System.nanoTime()).getBytes(UTF_8), value);
                          }
                        })
                    .isInstanceOf(JedisDataException.class)
                    .hasMessageStartingWith("MISCONF"));
  }

  /** Removes a key, again while the member says that room is being made. */
  private static long delete(Jedis jedis, String key) {
    return await("a removal is taken")
        .atMost(SETTLING)
        .pollDelay(Duration.ZERO) // most are taken at once, and there are thousands
        .pollInSameThread()
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              try {
                return jedis.del(key);
              } catch (JedisDataException e) {
                assertThat(e).hasMessageContaining("try again");
                return -1L;
              }
            },
            removed -> removed >= 0);
  }

  private static void awaitWritable(Jedis jedis) {
    await("room was made, and writes are taken again")
        .atMost(SETTLING)
        .ignoreExceptionsInstanceOf(JedisDataException.class)
        .until(() -> jedis.set("again", "1").equals("OK"));
  }

  private static boolean mayMount() {
    return System.getProperty("user.name").equals("root") && Commands.answers("mount", "--version");
  }

  /** A file system of 48 MiB in memory. */
  private static final class SmallDisk implements AutoCloseable {
    private final Path at;

    SmallDisk(Path at) throws IOException {
      this.at = Files.createDirectories(at);
      assumeTrue(
          Commands.answers("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", at.toString()),
          "a file system cannot be mounted here");
    }

    @Override
    public void close() {
      assertThat(Commands.answers("umount", "-l", at.toString())).isTrue();
    }
  }

  private static String error(HttpResponse<byte[]> answer) {
    return answer.statusCode() / 100 == 2
        ? ""
        : answer.statusCode()
            + " "
            + new String(answer.body(), UTF_8)
            + answer.headers().firstValue("Retry-After").map(seconds -> " Retry-After").orElse("");
  }

  private static String set(Jedis jedis, String key, Map<String, String> written) {
    try {
      jedis.set(key, "1");
      written.put(key, "1");
      return "";
    } catch (JedisDataException e) {
      written.remove(key);
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Writes one key again and again, with the disk failing meanwhile: so it is this write that meets
   * it first, and not what the log writes for itself when it has nothing to do.
   *
   * @param write returns what went wrong, "" if nothing
   * @return the first of that
   */
  private static String whileTheDiskFails(KvsProcess server, UnaryOperator<String> write) {
    assertThat(write.apply(DOUBTFUL)).isEmpty();
    CompletableFuture<Void> failing = CompletableFuture.runAsync(server::failDisk);
    long end = System.nanoTime() + SETTLING.toNanos();
    String error = "";
    while (error.isEmpty() && System.nanoTime() < end) {
      error = write.apply(DOUBTFUL);
    }
    failing.join();
    return error;
  }

  @Test
  void ofThreeMembersOneWithABadDiskIsReplacedAndNothingIsLost() {
    try (KvsCluster cluster = KvsCluster.start("bad-disks", 3, member -> List.of(ALWAYS))) {
      KvsProcess bad = cluster.member(1);
      KvsProcess good = cluster.member(0);
      Tenant tenant = good.admin().createTenant("disk-cluster");
      Map<String, String> written = new HashMap<>();
      // one whose disk is bad takes no partitions any more
      await("each has its partitions").atMost(SETTLING).until(() -> good.admin().isSpreadOver(3));
      try (Jedis jedis = RedisDoor.jedis(good, tenant, MAP)) {
        write(jedis, "before:", written);
        bad.failDisk();
        await("a write meets the bad disk")
            .atMost(SETTLING)
            .until(() -> isAnyNotWritten(jedis, written));
        assertThat(written).as("what others keep goes on").hasSizeGreaterThan(ENTRIES);
      }
      for (KvsProcess member : cluster.members()) {
        assertThat(RedisDoor.missing(member, tenant, MAP, written)).as("lost").isEmpty();
      }
      bad.askToEnd(); // it hands over what it has
      int _ = bad.awaitExit();
      try (Jedis jedis = RedisDoor.jedis(good, tenant, MAP)) {
        await("the others have taken its place")
            .atMost(SETTLING)
            .ignoreExceptionsInstanceOf(JedisDataException.class)
            .until(
                () ->
                    writeAtOnce(jedis, "after:").stream()
                        .noneMatch(JedisDataException.class::isInstance));
      }
      assertThat(RedisDoor.missing(good, tenant, MAP, written)).as("lost").isEmpty();
      cluster.repair();
      good.admin().awaitSafe(SETTLING);
      for (KvsProcess member : cluster.members()) {
        assertThat(RedisDoor.missing(member, tenant, MAP, written)).as("lost").isEmpty();
      }
    }
  }

  /** Writes once more, and takes note of what was acknowledged; whether anything was not. */
  private static boolean isAnyNotWritten(Jedis jedis, Map<String, String> written) {
    List<Object> answers = writeAtOnce(jedis, "during:");
    for (int i = 0; i < ENTRIES; i++) {
      if (answers.get(i) instanceof JedisDataException e) {
        assertThat(e).message().containsAnyOf("INDOUBT", "MISCONF");
      } else {
        written.put("during:" + i, "during:" + i);
      }
    }
    return answers.stream().anyMatch(JedisDataException.class::isInstance);
  }

  private static void start(KvsProcess server) {
    server.launch(ALWAYS);
    server.awaitReady();
  }

  private static void write(Jedis jedis, String prefix, Map<String, String> written) {
    assertThat(writeAtOnce(jedis, prefix)).containsOnly("OK");
    for (int i = 0; i < ENTRIES; i++) {
      written.put(prefix + i, prefix + i);
    }
  }

  /** What each command was answered: "OK", or the error. */
  private static List<Object> writeAtOnce(Jedis jedis, String prefix) {
    try (var pipeline = jedis.pipelined()) {
      for (int i = 0; i < ENTRIES; i++) {
        var _ = pipeline.set(prefix + i, prefix + i);
      }
      return pipeline.syncAndReturnAll();
    }
  }

  private static HttpResponse<byte[]> put(KvsProcess server, Tenant tenant, String key) {
    return server.admin().entry("PUT", tenant, MAP, key, "1".getBytes(UTF_8));
  }
}
