package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lists and sorted sets beside Redis: random commands, good and bad, on few keys, sent in pipelines
 * to both. The replies are the same bytes. The seed is in the message.
 */
class OrderedCollectionsTest {
  private static final int COMMANDS = 20_000;
  private static final int MOST_PIPELINED = 20;
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "s");
  private static final List<String> MEMBERS =
      List.of("m", "n", "o", "p", "", "q\u0000\u00ff", "mm", "1", "2");

  private static RedisProcess redis;

  private final Random random = new Random();

  @BeforeAll
  static void startRedis(@TempDir Path directory) throws IOException {
    redis = RedisProcess.start(directory);
  }

  @AfterAll
  static void stopRedis() {
    if (redis != null) {
      redis.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void randomCommandsAreAnsweredWithTheSameBytes(Way way) throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (TestMember member = TestMember.startDev(way, config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      ours.call("FLUSHALL");
      theirs.call("FLUSHALL");
      if (random.nextBoolean()) {
        ours.call("HELLO", "3");
        theirs.call("HELLO", "3");
      }
      for (int sent = 0; sent < COMMANDS; ) {
        List<String[]> pipeline = new ArrayList<>();
        for (int i = random.nextInt(MOST_PIPELINED); i >= 0; i--) {
          pipeline.add(
              switch (random.nextInt(5)) {
                case 0, 1 -> list();
                case 2, 3 -> sortedSet();
                default -> several();
              });
        }
        for (String[] command : pipeline) {
          byte[] request = WireClient.request(command);
          ours.send(request);
          theirs.send(request);
        }
        for (String[] command : pipeline) {
          String expected = withoutNegativeZeros(theirs.reply());
          String actual = ours.reply();
          if (isOtherErrorOfTwo(expected, actual)) {
            continue;
          }
          assertThat(actual)
              .as("seed=%d command=%s", seed, Arrays.toString(command))
              .isEqualTo(expected);
        }
        sent += pipeline.size();
      }
    }
  }

  /** Infinite scores, and weights of zero: their product is no number. */
  @Test
  void productsThatAreNoNumbersCountAsInRedis() throws IOException {
    try (TestMember member = TestMember.startDev(Way.DIRECT, config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      for (WireClient each : List.of(ours, theirs)) {
        each.call("FLUSHALL");
        each.call("ZADD", "a", "inf", "m", "1", "n");
        each.call("ZADD", "b", "-inf", "m");
        each.call("ZADD", "c", "3", "m", "inf", "n", "2", "o");
      }
      for (String name : List.of("ZINTER", "ZUNION")) {
        for (String aggregate : List.of("SUM", "MIN", "MAX")) {
          for (String weights : List.of("-1 0 0", "0 -1 1", "0 0 0", "1 0 2", "0 inf -inf")) {
            for (String keys : List.of("a a b", "a b c", "c b a", "b b a", "c c c")) {
              String request = name + " 3 " + keys + " WEIGHTS " + weights + " AGGREGATE ";
              String[] line = (request + aggregate + " WITHSCORES").split(" ");
              assertThat(withoutNegativeZeros(ours.call(line)))
                  .as(Arrays.toString(line))
                  .isEqualTo(withoutNegativeZeros(theirs.call(line)));
            }
          }
        }
      }
    }
  }

  /** Redis prints a negative zero now with its sign and now without. */
  private static String withoutNegativeZeros(String reply) {
    return reply.replace("$2\r\n-0\r\n", "$1\r\n0\r\n").replace(",-0\r\n", ",0\r\n");
  }

  /** Of a bad argument and a key that does not fit, Redis tells now the one and now the other. */
  private static boolean isOtherErrorOfTwo(String expected, String actual) {
    return (expected.startsWith("-WRONGTYPE") || expected.startsWith("-ERR no such key"))
        && actual.startsWith("-ERR ");
  }

  private String[] list() {
    return switch (random.nextInt(20)) {
      case 0, 1 -> many(one("LPUSH", "RPUSH"), key(), 4);
      case 2 -> many(one("LPUSHX", "RPUSHX"), key(), 3);
      case 3, 4 -> line(one("LPOP", "RPOP"), key());
      case 5 -> line(one("LPOP", "RPOP"), key(), number());
      case 6 -> line("LLEN", key());
      case 7, 8 -> line("LRANGE", key(), number(), number());
      case 9 -> line("LINDEX", key(), index());
      case 10 -> line("LSET", key(), index(), member());
      case 11 -> line("LINSERT", key(), one("BEFORE", "AFTER", "after", "x"), member(), member());
      case 12 -> line("LREM", key(), number(), member());
      case 13 -> line("LTRIM", key(), number(), number());
      case 14, 15 -> positions();
      case 16 -> line(one("DEL", "TYPE", "EXISTS", "TTL"), key());
      case 17 -> line("RENAME", key(), key());
      case 18 -> line(one("SET", "APPEND", "SETNX"), "s", "text");
      default -> line(one("LPUSH", "LPOP", "LRANGE", "LPOS", "LINSERT"), key());
    };
  }

  private String[] positions() {
    List<String> words = new ArrayList<>(List.of("LPOS", key(), member()));
    for (int i = random.nextInt(3); i > 0; i--) {
      words.add(one("RANK", "COUNT", "MAXLEN", "rank", "x"));
      if (random.nextInt(10) > 0) {
        words.add(number());
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] sortedSet() {
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3 -> add();
      case 4 -> line("ZINCRBY", key(), score(), member());
      case 5 -> line("ZSCORE", key(), member());
      case 6 -> many("ZMSCORE", key(), 3);
      case 7 -> line("ZCARD", key());
      case 8 -> line("ZCOUNT", key(), limit(), limit());
      case 9 -> line(one("ZRANK", "ZREVRANK"), key(), member());
      case 10, 11, 12 -> range();
      case 13 -> line(one("ZRANGE", "ZREVRANGE"), key(), number(), number(), "WITHSCORES");
      case 14, 15 -> byScore();
      case 16 -> many("ZREM", key(), 3);
      case 17 -> line("ZREMRANGEBYRANK", key(), number(), number());
      case 18 -> line("ZREMRANGEBYSCORE", key(), limit(), limit());
      case 19 -> line(one("ZPOPMIN", "ZPOPMAX"), key());
      case 20 -> line(one("ZPOPMIN", "ZPOPMAX"), key(), number());
      case 21 -> line("DEL", key());
      case 22 -> byMember();
      default -> line(one("ZADD", "ZRANGE", "ZSCORE", "ZPOPMIN"), key());
    };
  }

  private String[] several() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> line("LMOVE", key(), key(), one("LEFT", "RIGHT", "x"), one("LEFT", "right"));
      case 2 -> line("RPOPLPUSH", key(), key());
      case 3, 4 -> popMany();
      case 5 -> line("ZSCAN", key(), "0", "COUNT", "1000");
      case 6 -> line("SADD", key(), member(), member());
      case 7 -> {
        List<String> words = new ArrayList<>(List.of("ZRANGESTORE", key(), key()));
        words.addAll(List.of(limit(), limit()));
        for (int i = random.nextInt(3); i > 0; i--) {
          words.add(one("BYSCORE", "REV", "WITHSCORES"));
        }
        yield words.toArray(String[]::new);
      }
      default -> combine();
    };
  }

  private String[] popMany() {
    List<String> words = new ArrayList<>(keys(one("LMPOP", "ZMPOP")));
    words.add(
        words.getFirst().equals("LMPOP") ? one("LEFT", "RIGHT", "MIN") : one("MIN", "MAX", "LEFT"));
    if (random.nextBoolean()) {
      words.addAll(List.of("COUNT", number()));
    }
    return words.toArray(String[]::new);
  }

  private List<String> keys(String... before) {
    List<String> words = new ArrayList<>(List.of(before));
    int count = 1 + random.nextInt(3);
    words.add(random.nextInt(20) == 0 ? number() : Integer.toString(count));
    for (int i = 0; i < count; i++) {
      words.add(key());
    }
    return words;
  }

  private String[] combine() {
    String name = one("ZUNION", "ZINTER", "ZDIFF", "ZINTERCARD");
    boolean stores = !name.equals("ZINTERCARD") && random.nextBoolean();
    List<String> words = new ArrayList<>(stores ? keys(name + "STORE", key()) : keys(name));
    int count = words.size() - (stores ? 3 : 2);
    for (int i = random.nextInt(3); i > 0; i--) {
      words.add(one("WITHSCORES", "WEIGHTS", "AGGREGATE", "LIMIT"));
      switch (words.getLast()) {
        case "WEIGHTS" -> {
          for (int j = 0; j < count; j++) {
            words.add(score());
          }
        }
        case "AGGREGATE" -> words.add(one("SUM", "MIN", "MAX", "x"));
        case "LIMIT" -> words.add(number());
        default -> {}
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] add() {
    List<String> words = new ArrayList<>(List.of("ZADD", key()));
    for (int i = random.nextInt(3); i > 0; i--) {
      words.add(one("NX", "XX", "GT", "LT", "CH", "INCR", "ch"));
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      words.add(score());
      if (random.nextInt(30) > 0) {
        words.add(member());
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] range() {
    List<String> words = new ArrayList<>(List.of("ZRANGE", key(), limit(), limit()));
    for (int i = random.nextInt(4); i > 0; i--) {
      words.add(one("BYSCORE", "REV", "WITHSCORES", "LIMIT", "x", "rev"));
      if (words.getLast().equals("LIMIT") && random.nextInt(10) > 0) {
        words.add(number());
        words.add(number());
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] byScore() {
    List<String> words =
        new ArrayList<>(List.of(one("ZRANGEBYSCORE", "ZREVRANGEBYSCORE"), key(), limit(), limit()));
    for (int i = random.nextInt(3); i > 0; i--) {
      words.add(one("WITHSCORES", "LIMIT", "x"));
      if (words.getLast().equals("LIMIT")) {
        words.add(number());
        words.add(number());
      }
    }
    return words.toArray(String[]::new);
  }

  /** On a set of its own, all of one score: else Redis leaves the answer open. */
  private String[] byMember() {
    if (random.nextBoolean()) {
      return line("ZADD", "lex", "0", member());
    }
    List<String> words =
        new ArrayList<>(
            List.of(
                one("ZRANGEBYLEX", "ZREVRANGEBYLEX", "ZLEXCOUNT", "ZRANGE", "ZREMRANGEBYLEX"),
                "lex",
                memberLimit(),
                memberLimit()));
    if (words.getFirst().equals("ZRANGE")) {
      words.add("BYLEX");
      if (random.nextBoolean()) {
        words.add("REV");
      }
    }
    if (words.getFirst().startsWith("ZR") && random.nextBoolean()) {
      words.addAll(List.of("LIMIT", number(), number()));
    }
    return words.toArray(String[]::new);
  }

  private String memberLimit() {
    return random.nextInt(12) == 0 ? one("", "x", "(", "[") : one("-", "+", "[m", "(m", "[n", "(1");
  }

  private String[] many(String name, String key, int most) {
    List<String> words = new ArrayList<>(List.of(name, key));
    for (int i = random.nextInt(most); i >= 0; i--) {
      words.add(member());
    }
    return words.toArray(String[]::new);
  }

  private static String[] line(String... words) {
    return words;
  }

  private String key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  private String member() {
    return MEMBERS.get(random.nextInt(MEMBERS.size()));
  }

  private String score() {
    return switch (random.nextInt(10)) {
      case 0 -> one("inf", "-inf", "+inf", "Infinity");
      case 1 -> one("x", "", "nan", " 1", "1e400", "1e-400");
      case 2 -> one("0.1", "-2.5", "1e30", "1.5e-7", "12345678901234567", "3.0", "0x10");
      default -> Integer.toString(random.nextInt(12) - 4);
    };
  }

  private String limit() {
    return switch (random.nextInt(10)) {
      case 0 -> one("-inf", "+inf", "(inf", "x", "(", "");
      case 1, 2 -> "(" + score();
      default -> score();
    };
  }

  private String number() {
    return random.nextInt(30) == 0 ? one("x", "", "1.5", " 1") : index();
  }

  private String index() {
    return random.nextInt(20) == 0
        ? one("9223372036854775807", "-9223372036854775807")
        : Integer.toString(random.nextInt(14) - 6);
  }

  private String one(String... words) {
    return words[random.nextInt(words.length)];
  }
}
