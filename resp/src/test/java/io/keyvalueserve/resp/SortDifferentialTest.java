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
 * SORT and SORT_RO beside Redis: random commands, good and bad, by themselves, in blocks and in
 * scripts. The replies are the same bytes, but where Redis leaves an order to its hash tables. The
 * seed is in the message.
 */
class SortDifferentialTest {
  private static final int COMMANDS = 3_000;
  private static final int MOST_PIPELINED = 12;

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
          String[] command = random.nextBoolean() ? data() : sort();
          switch (random.nextInt(10)) {
            case 0 -> pipeline.addAll(List.of(line("MULTI"), command, line("EXEC")));
            case 1 -> pipeline.add(inScript(command));
            default -> pipeline.add(command);
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
          if (expected.contains("WRONGTYPE") && actual.contains("-ERR ")) {
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

  @Test
  void longListsAreSortedInTheSameOrder() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      theirs.call("FLUSHALL");
      for (WireClient client : List.of(ours, theirs)) {
        random.setSeed(seed);
        for (int i = 0; i < 10; i++) {
          List<String> words = new ArrayList<>(List.of("RPUSH", "l"));
          for (int j = 0; j < 200; j++) {
            words.add(Integer.toString(random.nextInt(1500)));
          }
          assertThat(client.call(words.toArray(String[]::new))).startsWith(":");
        }
        for (int i = 0; i < 1500; i += 2) {
          client.call("SET", "w" + i, Integer.toString(random.nextInt(40)));
        }
      }
      for (String request :
          List.of(
              "SORT l",
              "SORT l DESC",
              "SORT l ALPHA",
              "SORT l BY w*",
              "SORT l BY w* DESC LIMIT 100 700",
              "SORT l BY w* ALPHA",
              "SORT l BY w* ALPHA DESC",
              "SORT l BY w* ALPHA LIMIT 3 5",
              "SORT l BY w* ALPHA DESC LIMIT 500 1000 GET # GET w*",
              "SORT l BY w* GET # GET w* STORE t",
              "LRANGE t 0 -1",
              "SORT l BY nosort DESC LIMIT 10 20 GET w*")) {
        String[] words = request.split(" ", -1);
        assertThat(ours.call(words)).as("seed=%d %s", seed, request).isEqualTo(theirs.call(words));
      }
    }
  }

  /** Redis is not asked: after the first such number, it takes no number at all any more. */
  @Test
  void refusesNumbersThatADoubleDoesNotHold() throws IOException {
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient client = member.connect()) {
      for (String number : List.of("1e400", "-1e400", "1e-310", "1e-400", "0x1p2000")) {
        client.call("DEL", "l");
        client.call("RPUSH", "l", "1", number);
        assertThat(client.call("SORT", "l"))
            .as(number)
            .isEqualTo("-ERR One or more scores can't be converted into double\r\n");
      }
      client.call("DEL", "l");
      client.call("RPUSH", "l", "1e308", "-0.0", "0", "2.3e-308");
      assertThat(client.call("SORT", "l")).startsWith("*4\r\n$4\r\n-0.0\r\n");
    }
  }

  @Test
  void boundsTheKeysAndTheBytesOfPatterns() throws IOException {
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient client = member.connect()) {
      for (int i = 0; i < 11; i++) {
        List<String> words = new ArrayList<>(List.of("RPUSH", "l"));
        for (int j = 0; j < 1000; j++) {
          words.add(Integer.toString(1000 * i + j));
        }
        client.call(words.toArray(String[]::new));
      }
      String refusal = "-ERR the patterns of SORT name more than 10000 keys";
      assertThat(client.call("SORT", "l", "BY", "w*")).startsWith(refusal);
      assertThat(client.call("SORT", "l", "GET", "w*->f")).startsWith(refusal);
      assertThat(client.call("SORT", "l", "GET", "w*", "LIMIT", "0", "2"))
          .isEqualTo("*2\r\n$-1\r\n$-1\r\n");
      List<String> words = new ArrayList<>(List.of("SORT", "l", "STORE", "t"));
      for (int i = 0; i < 300; i++) {
        words.addAll(List.of("GET", "#"));
      }
      assertThat(client.call(words.toArray(String[]::new)))
          .startsWith("-ERR the values and the result of SORT may take 64 MiB at most");
      assertThat(client.call("EXISTS", "t")).isEqualTo(":0\r\n");
    }
  }

  private String[] data() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> line("RPUSH", key("l"), element(), element(), element());
      case 2 -> line("SADD", key("s"), element(), element());
      case 3 -> line("ZADD", key("z"), number(), element(), number(), element());
      case 4 -> line("SET", "w_" + element(), number());
      case 5 -> line("HSET", "h_" + element(), one("f", "g"), number());
      case 6 -> line("DEL", one("l", "s", "z", "ll", "ss", "zz", "t"));
      case 7 -> line("LREM", key("l"), "0", element());
      case 8 -> line("LRANGE", one("t", "l"), "0", "-1");
      case 9 -> line("SET", one("text", "t"), "x");
      case 10 -> line("DEL", one("w_", "h_") + element());
      default -> line("SET", "w_" + element(), one("x", "", " 5", "nan", "inf", "0x1p3"));
    };
  }

  private String[] sort() {
    String type = one("l", "l", "s", "z", "z", "text", "h_1", "t");
    String key = type.length() == 1 ? key(type) : type;
    boolean readOnly = random.nextInt(3) == 0;
    List<String> words = new ArrayList<>(List.of(readOnly ? "SORT_RO" : "sort", key));
    for (int i = random.nextInt(4); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0 -> words.add(one("ASC", "DESC", "desc"));
        case 1 -> words.add("ALPHA");
        case 2 -> words.addAll(List.of("LIMIT", bound(), bound()));
        case 3, 4 ->
            words.addAll(List.of("BY", one("w_*", "h_*->f", "nosort", "h_*->", "*", "x*", "#")));
        case 5, 6 ->
            words.addAll(List.of("GET", one("#", "w_*", "h_*->f", "h_*->g", "nothing", "*", "l*")));
        default -> words.add(one("x", "LIMIT", "STORE", "BY"));
      }
    }
    if (random.nextInt(4) == 0) {
      words.addAll(List.of("STORE", one("t", "t", "l", "z")));
    }
    return isLeftOpen(type, words) ? line("SORT", "l", "ALPHA") : words.toArray(String[]::new);
  }

  /** The order of a set's elements, and of those that are equal by a pattern, is Redis' own. */
  private static boolean isLeftOpen(String type, List<String> words) {
    boolean byPattern = false;
    boolean keepsOrder = false;
    for (int i = 2; i + 1 < words.size(); i++) {
      if (words.get(i).equals("BY")) {
        byPattern |= words.get(i + 1).contains("*");
        keepsOrder |= !words.get(i + 1).contains("*");
      }
    }
    return (type.equals("s") && keepsOrder)
        || (!type.equals("l") && byPattern && words.contains("ALPHA"));
  }

  private static String[] inScript(String[] command) {
    List<String> words = new ArrayList<>(List.of("EVAL", "return redis.pcall(unpack(ARGV))", "0"));
    words.addAll(List.of(command));
    return words.toArray(String[]::new);
  }

  private static String[] line(String... words) {
    return words;
  }

  private String key(String type) {
    return random.nextInt(3) == 0 ? type + type : type;
  }

  private String element() {
    return switch (random.nextInt(12)) {
      case 0 -> random.nextInt(8) == 0 ? one("x", "", "abc", "1e3") : "1";
      case 1 -> one("1.5", "-2", "+3", "1e2", "0x1f");
      default -> Integer.toString(random.nextInt(9));
    };
  }

  private String number() {
    return random.nextInt(10) == 0 ? "-1.5e3" : Integer.toString(random.nextInt(20) - 5);
  }

  private String bound() {
    return random.nextInt(20) == 0
        ? one("x", "9223372036854775807", "-9223372036854775808", "1.5")
        : Integer.toString(random.nextInt(8) - 2);
  }

  private String one(String... words) {
    return words[random.nextInt(words.length)];
  }
}
