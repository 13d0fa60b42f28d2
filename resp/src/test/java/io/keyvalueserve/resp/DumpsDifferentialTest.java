package io.keyvalueserve.resp;

import static io.keyvalueserve.engine.rdb.OldEncodings.compressed;
import static io.keyvalueserve.engine.rdb.OldEncodings.intset;
import static io.keyvalueserve.engine.rdb.OldEncodings.joined;
import static io.keyvalueserve.engine.rdb.OldEncodings.length;
import static io.keyvalueserve.engine.rdb.OldEncodings.listpack;
import static io.keyvalueserve.engine.rdb.OldEncodings.payload;
import static io.keyvalueserve.engine.rdb.OldEncodings.string;
import static io.keyvalueserve.engine.rdb.OldEncodings.textScore;
import static io.keyvalueserve.engine.rdb.OldEncodings.ziplist;
import static io.keyvalueserve.engine.rdb.OldEncodings.zipmap;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.rdb.OldEncodings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: collections move from Redis to this door and back, and lose nothing. Method: collections at
 * random, of sizes that Redis keeps in different ways, are dumped by one and restored by the other,
 * and then read from both. The seed is in the message.
 */
@ParameterizedClass
@EnumSource(Way.class)
class DumpsDifferentialTest {
  private static final List<String> TYPES = List.of("hash", "list", "set", "zset");
  private static final String OK = "+OK\r\n";
  private static final int MOST_ELEMENTS_IN_A_CALL = 200;
  private static final int ROUNDS = 60;
  private static final int DAMAGED = 2_000;

  private static RedisProcess redis;

  @Parameter private Way way = Way.DIRECT;

  private final Random random = new Random();
  private long seed;
  private TestMember member;
  private WireClient ours;
  private WireClient theirs;

  /** What the elements of a collection are like. */
  private enum Shape {
    FEW_WORDS,
    MANY_WORDS,
    FEW_INTEGERS,
    MANY_INTEGERS,
    LARGE_INTEGERS,
    BINARY,
    REPEATED,
    LONG
  }

  @BeforeAll
  static void startRedis(@TempDir Path directory) throws IOException {
    redis = RedisProcess.start(directory, "--sanitize-dump-payload", "yes");
  }

  @AfterAll
  static void stopRedis() {
    if (redis != null) {
      redis.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    member = TestMember.startDev(way, config -> config.withMostCollectionBytes(1 << 20));
    ours = member.connect();
    theirs = redis.connect();
    assertThat(theirs.call("FLUSHALL")).isEqualTo(OK);
  }

  @AfterEach
  void stop() throws IOException {
    ours.close();
    theirs.close();
    member.close();
  }

  @Test
  void collectionsMoveBothWays() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      for (String type : TYPES) {
        Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
        String what = "seed=" + seed + " " + type + " " + shape;
        fill(theirs, "k", type, shape);
        List<String> expected = contents(theirs, "k", type);
        assertThat(expected).as(what).isNotEmpty();

        assertThat(ours.call("RESTORE", "k", "0", dump(theirs, "k"), "REPLACE"))
            .as(what)
            .isEqualTo(OK);
        assertThat(contents(ours, "k", type)).as(what).isEqualTo(expected);

        assertThat(theirs.call("RESTORE", "back", "0", dump(ours, "k"), "REPLACE"))
            .as(what)
            .isEqualTo(OK);
        assertThat(contents(theirs, "back", type)).as(what).isEqualTo(expected);
        assertThat(ours.call("RESTORE", "again", "0", dump(ours, "k"), "REPLACE")).isEqualTo(OK);
        assertThat(contents(ours, "again", type)).as(what).isEqualTo(expected);
      }
    }
  }

  @Test
  void bothReadTheEncodingsOfOlderVersions() throws IOException {
    List<byte[]> few = latin("a", "1", "-4097", "", "b", "\u00ff\r\n", "c", "s".repeat(300));
    List<byte[]> scored = latin("b", "-2.5", "a", "1", "d", "1.0000000000000001e+300", "c", "inf");
    for (Old old :
        List.of(
            new Old("list", payload(10, string(ziplist(few)))),
            new Old("list", payload(10, compressed(ziplist(few)))),
            new Old("list", payload(14, length(2), string(ziplist(few)), compressed(ziplist(few)))),
            new Old("list", payload(18, length(1), length(2), string(listpack(few)))),
            new Old("set", payload(11, string(intset(-70_000, 1, 2)))),
            new Old("hash", payload(9, string(zipmap(few, 2)))),
            new Old("hash", payload(13, string(ziplist(few)))),
            new Old("hash", payload(16, string(listpack(few)))),
            new Old("zset", payload(12, string(ziplist(scored)))),
            new Old("zset", payload(17, string(listpack(scored)))),
            new Old(
                "zset",
                payload(
                    3,
                    length(3),
                    joined(string(few.get(0)), textScore("2.5")),
                    joined(string(few.get(1)), new byte[] {(byte) 254}),
                    joined(string(few.get(2)), new byte[] {(byte) 255}))))) {
      String what = Arrays.toString(old.payload());
      String payload = new String(old.payload(), ISO_8859_1);
      assertThat(theirs.call("RESTORE", "k", "0", payload, "REPLACE")).as(what).isEqualTo(OK);
      assertThat(ours.call("RESTORE", "k", "0", payload, "REPLACE")).as(what).isEqualTo(OK);
      assertThat(contents(ours, "k", old.type()))
          .as(what)
          .isEqualTo(contents(theirs, "k", old.type()));
    }
  }

  private record Old(String type, byte[] payload) {}

  /** Redis checks all that it reads here. It takes more: scores that are no text of a number. */
  @Test
  void takesNoPayloadThatRedisRefuses() throws IOException {
    List<byte[]> payloads = new ArrayList<>();
    for (String type : TYPES) {
      for (Shape shape : List.of(Shape.FEW_WORDS, Shape.FEW_INTEGERS, Shape.REPEATED)) {
        fill(theirs, "k", type, shape);
        payloads.add(dump(theirs, "k").getBytes(ISO_8859_1));
        assertThat(ours.call("RESTORE", "k", "0", dump(theirs, "k"), "REPLACE")).isEqualTo(OK);
        payloads.add(dump(ours, "k").getBytes(ISO_8859_1));
      }
    }
    int taken = 0;
    for (int i = 0; i < DAMAGED; i++) {
      byte[] payload = payloads.get(random.nextInt(payloads.size())).clone();
      int body = payload.length - 10;
      payload[1 + random.nextInt(Math.min(body - 1, 40))] = (byte) random.nextInt();
      String mended = new String(OldEncodings.mended(payload), ISO_8859_1);
      String what = "seed=" + seed + " " + Arrays.toString(payload);
      String reply = ours.call("RESTORE", "k", "0", mended, "REPLACE");
      assertThat(reply)
          .as(what)
          .matches("\\+OK\r\n|-ERR (Bad data format|the [a-z ]+ would take more than) ?.*\r\n");
      String theirReply = theirs.call("RESTORE", "k", "0", mended, "REPLACE");
      if (reply.equals(OK)) {
        taken++;
        assertThat(theirReply).as(what).isEqualTo(OK);
        String type = ours.call("TYPE", "k");
        assertThat(theirs.call("TYPE", "k")).as(what).isEqualTo(type);
        String name = type.substring(1, type.length() - 2);
        // Redis keeps a sorted set in the order of its listpack, even if that is none
        assertThat(contents(ours, "k", name))
            .as(what)
            .containsExactlyInAnyOrderElementsOf(contents(theirs, "k", name));
      }
    }
    assertThat(taken).isGreaterThan(DAMAGED / 20);
  }

  @Test
  void optionsAreThoseOfRedis() throws IOException {
    fill(theirs, "source", "hash", Shape.FEW_WORDS);
    String dump = dump(theirs, "source");
    String later = Long.toString(System.currentTimeMillis() + 3_600_000);
    for (List<String> request :
        List.of(
            List.of("RESTORE", "k", "0", dump),
            List.of("RESTORE", "k", "0", dump),
            List.of("RESTORE", "k", "0", "damaged"),
            List.of("PTTL", "k"),
            List.of("RESTORE", "k", "100000", dump, "REPLACE"),
            List.of("TTL", "k"),
            List.of("RESTORE", "k", later, dump, "replace", "absttl"),
            List.of("PEXPIRETIME", "k"),
            List.of("RESTORE", "k", "1", dump, "REPLACE", "ABSTTL"),
            List.of("EXISTS", "k"),
            List.of("RESTORE", "k", "0", dump, "IDLETIME", "100", "REPLACE"),
            List.of("RESTORE", "k", "0", dump, "FREQ", "255", "REPLACE"),
            List.of("RESTORE", "k", "0", dump, "FREQ", "256", "REPLACE"),
            List.of("RESTORE", "k", "-1", dump, "REPLACE"),
            List.of("RESTORE", "k", "x", dump, "REPLACE"),
            List.of("RESTORE", "k", "0", dump, "what"),
            List.of("SET", "k", "text"),
            List.of("RESTORE", "k", "0", dump),
            List.of("RESTORE", "k", "0", dump, "REPLACE"),
            List.of("TYPE", "k"),
            List.of("MULTI"),
            List.of("RESTORE", "m", "0", dump),
            List.of("RESTORE", "m", "0", dump),
            List.of("RESTORE", "n", "0", "damaged"),
            List.of("HLEN", "m"),
            List.of("EXEC"),
            List.of(
                "EVAL",
                "redis.call('RESTORE', KEYS[1], 0, ARGV[1]); return redis.call('HLEN', KEYS[1])",
                "1",
                "s",
                dump),
            List.of("EVAL", "return #redis.call('DUMP', KEYS[1]) > 20", "1", "s"),
            List.of("DUMP", "none"))) {
      String[] words = request.toArray(String[]::new);
      assertThat(ours.call(words)).as("%s", request).isEqualTo(theirs.call(words));
    }
    assertThat(contents(ours, "s", "hash")).isEqualTo(contents(theirs, "s", "hash"));
  }

  @Test
  void whatIsNotTakenIsSaid() throws IOException {
    assertThat(theirs.call("XADD", "k", "*", "f", "v")).startsWith("$");
    assertThat(ours.call("RESTORE", "k", "0", dump(theirs, "k")))
        .isEqualTo("-ERR Bad data format: the value is a stream; there are none\r\n");
    assertThat(theirs.call("DEL", "k")).isEqualTo(":1\r\n");
    byte[] large = new byte[600_000];
    random.nextBytes(large);
    String element = new String(large, ISO_8859_1);
    assertThat(theirs.call("RPUSH", "k", element, element)).isEqualTo(":2\r\n");
    assertThat(ours.call("RESTORE", "k", "0", dump(theirs, "k")))
        .isEqualTo(
            "-ERR the list would take more than the limit of 1048576 bytes"
                + " ('resp.max-collection'); nothing was changed\r\n");
    assertThat(ours.call("EXISTS", "k")).isEqualTo(":0\r\n");
  }

  @Test
  void fieldsThatExpireAreNotDumped() throws IOException {
    assertThat(ours.call("HSET", "h", "a", "1", "b", "2")).isEqualTo(":2\r\n");
    assertThat(ours.call("HEXPIRE", "h", "1000", "FIELDS", "1", "a")).isEqualTo("*1\r\n:1\r\n");
    String refusal =
        "-ERR a field of this hash has an expiry of its own, which the format of Redis 7.0 cannot"
            + " hold; take it off with HPERSIST, or copy the fields with HGETALL and"
            + " HPEXPIRETIME\r\n";
    assertThat(ours.call("DUMP", "h")).isEqualTo(refusal);
    assertThat(ours.call("MULTI")).isEqualTo(OK);
    assertThat(ours.call("DUMP", "h")).isEqualTo("+QUEUED\r\n");
    assertThat(ours.call("EXEC")).isEqualTo("*1\r\n" + refusal);
    assertThat(ours.call("HPERSIST", "h", "FIELDS", "1", "a")).isEqualTo("*1\r\n:1\r\n");
    assertThat(theirs.call("RESTORE", "h", "0", dump(ours, "h"))).isEqualTo(OK);
    assertThat(contents(theirs, "h", "hash")).isEqualTo(contents(ours, "h", "hash"));

    assertThat(ours.call("HPEXPIRE", "h", "1", "FIELDS", "1", "a")).startsWith("*1\r\n:");
    while (!ours.call("HEXISTS", "h", "a").equals(":0\r\n")) {
      Thread.onSpinWait();
    }
    assertThat(theirs.call("RESTORE", "h", "0", dump(ours, "h"), "REPLACE")).isEqualTo(OK);
    assertThat(contents(theirs, "h", "hash")).isEqualTo(List.of("b=2"));
    assertThat(ours.call("HPEXPIRE", "h", "1", "FIELDS", "1", "b")).startsWith("*1\r\n:");
    while (!ours.call("HLEN", "h").equals(":0\r\n")) {
      Thread.onSpinWait();
    }
    assertThat(ours.call("DUMP", "h")).isEqualTo("$-1\r\n");
  }

  private void fill(WireClient client, String key, String type, Shape shape) throws IOException {
    assertThat(client.call("DEL", key)).startsWith(":");
    int count =
        switch (shape) {
          case FEW_WORDS, FEW_INTEGERS, REPEATED -> 1 + random.nextInt(20);
          case MANY_WORDS, MANY_INTEGERS -> 600 + random.nextInt(1_000);
          case LARGE_INTEGERS, BINARY -> 1 + random.nextInt(100);
          case LONG -> 1 + random.nextInt(4);
        };
    String command =
        switch (type) {
          case "hash" -> "HSET";
          case "list" -> "RPUSH";
          case "set" -> "SADD";
          default -> "ZADD";
        };
    for (int done = 0; done < count; ) {
      int some = Math.min(count - done, MOST_ELEMENTS_IN_A_CALL);
      List<String> words = new ArrayList<>(List.of(command, key));
      for (int i = 0; i < some; i++) {
        if (type.equals("zset")) {
          words.add(score());
        }
        words.add(element(shape));
        if (type.equals("hash")) {
          words.add(element(shape));
        }
      }
      assertThat(client.call(words.toArray(String[]::new))).startsWith(":");
      done += some;
    }
  }

  private String element(Shape shape) {
    return switch (shape) {
      case FEW_WORDS, MANY_WORDS ->
          switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> one("007", "-0", "+1", "1.5", "9223372036854775808", " 1");
            case 2 -> "w".repeat(random.nextInt(80)) + random.nextInt(100_000);
            default -> "w" + random.nextInt(100_000);
          };
      case FEW_INTEGERS, MANY_INTEGERS -> Integer.toString(random.nextInt(100_000) - 50_000);
      case LARGE_INTEGERS -> Long.toString(random.nextLong() >> random.nextInt(64));
      case BINARY -> bytes(random.nextInt(200));
      case REPEATED -> "r".repeat(random.nextInt(60));
      case LONG -> random.nextBoolean() ? bytes(100 << 10) : "l".repeat(random.nextInt(100 << 10));
    };
  }

  private String score() {
    return switch (random.nextInt(6)) {
      case 0 -> one("inf", "-inf", "-0", "0", "4.9406564584124654e-324", "-2.2e-310");
      case 1 -> one("1.7976931348623157e308", "1e17", "-123456789012345678", "0.1");
      case 2 -> Double.toString(random.nextGaussian());
      default -> Integer.toString(random.nextInt(2_000) - 1_000);
    };
  }

  private String bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return new String(bytes, ISO_8859_1);
  }

  private String one(String... words) {
    return words[random.nextInt(words.length)];
  }

  private static List<byte[]> latin(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  private static String dump(WireClient client, String key) throws IOException {
    String reply = client.call("DUMP", key);
    assertThat(reply).startsWith("$");
    return reply.substring(reply.indexOf('\n') + 1, reply.length() - 2);
  }

  /** Returns all of a collection, in an order that does not depend on who has it. */
  private static List<String> contents(WireClient client, String key, String type)
      throws IOException {
    List<String> elements =
        switch (type) {
          case "hash" -> WireReply.elements(client.call("HGETALL", key));
          case "list" -> WireReply.elements(client.call("LRANGE", key, "0", "-1"));
          case "set" -> WireReply.elements(client.call("SMEMBERS", key));
          default -> WireReply.elements(client.call("ZRANGE", key, "0", "-1", "WITHSCORES"));
        };
    List<String> plain =
        elements.stream().map(element -> element.substring(1, element.length() - 2)).toList();
    return switch (type) {
      case "list" -> plain;
      case "set" -> plain.stream().sorted().toList();
      case "hash" -> {
        TreeMap<String, String> fields = new TreeMap<>();
        for (int i = 0; i < plain.size(); i += 2) {
          fields.put(plain.get(i), plain.get(i + 1));
        }
        assertThat(fields).hasSize(plain.size() / 2);
        yield fields.entrySet().stream().map(Object::toString).toList();
      }
      // Redis tells the sign of 0 of large sorted sets, and of small ones not
      default -> plain.stream().map(text -> text.equals("-0") ? "0" : text).toList();
    };
  }
}
