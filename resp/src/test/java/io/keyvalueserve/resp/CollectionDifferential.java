package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a client cannot tell the collections of this door from those of Redis. Method: as {@link
 * DifferentialTest} does, with the commands of one type of collections, in both protocols. A
 * subclass makes the commands. The seed is in the message.
 */
@ParameterizedClass
@EnumSource(Way.class)
abstract class CollectionDifferential {
  private static final int COMMANDS = 6_000;
  private static final int MOST_PIPELINED = 20;
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "");

  private static RedisProcess redis;

  @Parameter private Way way = Way.DIRECT;

  private final Random random = new Random();
  private TestMember member;

  /** A command of this type of collections. */
  abstract String[] ofType();

  /** The replies of a command that may differ as an order or chance is left open. */
  boolean alike(String[] command, String expected, String actual) {
    return false;
  }

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

  @BeforeEach
  void start() throws IOException {
    member = TestMember.startDev(way, config -> config);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void randomCommandsAreAnsweredWithTheSameBytes(String protocol) throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      ours.call("HELLO", protocol);
      theirs.call("HELLO", protocol);
      ours.call("FLUSHALL");
      theirs.call("FLUSHALL");
      for (int sent = 0; sent < COMMANDS; ) {
        List<String[]> pipeline = new ArrayList<>();
        for (int i = random.nextInt(MOST_PIPELINED); i >= 0; i--) {
          pipeline.add(random.nextInt(12) == 0 ? ofKeys() : ofType());
          if (isRandom(pipeline.getLast()[0])) {
            break; // the key is set anew before anybody looks
          }
        }
        for (String[] command : pipeline) {
          byte[] request = WireClient.request(command);
          ours.send(request);
          theirs.send(request);
        }
        for (String[] command : pipeline) {
          String expected = theirs.reply();
          String actual = ours.reply();
          if (!expected.equals(actual) && !alike(command, expected, actual)) {
            assertThat(actual)
                .as("seed=%d command=%s", seed, Arrays.toString(command))
                .isEqualTo(expected);
          }
          if (isRandom(command[0]) && command.length > 1 && !expected.equals(actual)) {
            ours.call("DEL", command[1]);
            theirs.call("DEL", command[1]);
          }
        }
        sent += pipeline.size();
      }
    }
  }

  /** Returns whether a command leaves the key in another state if its reply is another. */
  boolean isRandom(String name) {
    return false;
  }

  private String[] ofKeys() {
    return switch (random.nextInt(12)) {
      case 0 -> line("TYPE", key());
      case 1 -> line("EXISTS", key());
      case 2, 3 -> line("DEL", key());
      case 4 -> line("SET", key(), "text");
      case 5 -> line(one("GET", "STRLEN", "GETDEL", "INCR"), key());
      case 6 -> line("RENAME", key(), key());
      case 7 -> line("COPY", key(), key(), "REPLACE");
      case 8 -> line("APPEND", key(), "x");
      case 9 -> line("SET", key(), "v", "GET");
      case 10 -> line("MGET", key(), key());
      default -> line("PERSIST", key());
    };
  }

  static String[] line(String... words) {
    return words;
  }

  /** A command on some words. */
  String[] many(String name, String key, int width, java.util.function.Supplier<String> word) {
    int count = width * (1 + (random.nextInt(20) == 0 ? random.nextInt(40) : random.nextInt(4)));
    count += random.nextInt(10) == 0 ? 1 : 0;
    String[] words = new String[2 + count];
    words[0] = name;
    words[1] = key;
    for (int i = 2; i < words.length; i++) {
      words[i] = word.get();
    }
    return words;
  }

  Random random() {
    return random;
  }

  String key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  String one(String... words) {
    return words[random.nextInt(words.length)];
  }

  /** An element: one of few, so that they meet. */
  String element() {
    return switch (random.nextInt(8)) {
      case 0 -> "";
      case 1 -> "\u0000\u00ff\r\n";
      case 2 -> Integer.toString(random.nextInt(100) - 50);
      case 3 -> "e" + random.nextInt(40);
      case 4 -> random.nextInt(10) == 0 ? "L".repeat(200 + random.nextInt(3)) : "f";
      default -> "e" + random.nextInt(8);
    };
  }

  /** A reply with its lines in order: for those whose elements have none. */
  static List<String> sorted(String reply) {
    return reply.lines().sorted().toList();
  }

  /** Returns whether two replies have the same first line. */
  static boolean beginAlike(String expected, String actual) {
    return expected.lines().findFirst().equals(actual.lines().findFirst());
  }
}
