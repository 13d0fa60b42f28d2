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
 * Goal: a client cannot tell the positions and searches of this door from those of Redis. Method:
 * random commands, good and bad, on few keys, by themselves, in blocks and in scripts. The replies
 * are the same bytes, but for the last digits of distances that are stored. The seed is in the
 * message.
 */
class GeoDifferentialTest {
  private static final int COMMANDS = 3_000;
  private static final int MOST_PIPELINED = 12;
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "text");

  private static RedisProcess redis;

  private final Random random = new Random();
  private final List<String[]> places = new ArrayList<>();

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
  void randomCommandsAreAnsweredAlike(Way way) throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    for (int i = 0; i < 60; i++) {
      places.add(place());
    }
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
          String[] command = command();
          switch (random.nextInt(12)) {
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
          if (!alike(expected, actual)) {
            assertThat(actual)
                .as("seed=%d command=%s", seed, Arrays.toString(command))
                .isEqualTo(expected);
          }
        }
        sent += pipeline.size();
      }
    }
  }

  @Test
  void largeSetsAreSearchedAlike() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      theirs.call("FLUSHALL");
      for (int i = 0; i < 20; i++) {
        List<String> words = new ArrayList<>(List.of("GEOADD", "large"));
        for (int j = 0; j < 200; j++) {
          words.addAll(List.of(place()));
          words.add("m" + i + "/" + j);
        }
        assertThat(ours.call(words.toArray(String[]::new)))
            .isEqualTo(theirs.call(words.toArray(String[]::new)));
      }
      for (String rest :
          List.of(
              "BYRADIUS 30000 km ASC WITHDIST",
              "BYRADIUS 9000 mi DESC COUNT 900",
              "BYRADIUS 9000 mi COUNT 7 WITHHASH WITHCOORD",
              "BYBOX 20000 9000 km ASC",
              "BYBOX inf 9000 km COUNT 3000 ANY",
              "BYRADIUS 500 km DESC")) {
        for (String from : List.of("FROMLONLAT 10 50", "FROMMEMBER m3/7", "FROMLONLAT 179.9 -80")) {
          String[] request = ("GEOSEARCH large " + from + " " + rest).split(" ", -1);
          assertThat(ours.call(request))
              .as("seed=%d %s %s", seed, from, rest)
              .isEqualTo(theirs.call(request));
        }
      }
    }
  }

  @Test
  void hostileArgumentsAreRefusedAlike() throws IOException {
    try (TestMember member = TestMember.startDev(config -> config);
        WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      theirs.call("FLUSHALL");
      for (String request :
          List.of(
              "GEOADD k 13.361389 38.115556 Palermo 15.087269 37.502669 Catania",
              "GEOADD k nan 1 m",
              "GEOADD k 1 nan m",
              "GEOADD k inf 1 m",
              "GEOADD k 1 -inf m",
              "GEOADD k 180.000001 1 m",
              "GEOADD k 1 85.05112879 m",
              "GEOADD k -1e300 1 m",
              "GEOADD k 0x10 1e-400 m",
              "GEOADD k nx xx 1 1 m",
              "GEOADD k nx ch ch",
              "GEOADD k 1 1 m 1 1",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS nan km",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS -1 km",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS inf km",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 1e308 mi ASC",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 1e-320 m",
              "GEOSEARCH k FROMLONLAT 15 37 BYBOX inf inf km DESC",
              "GEOSEARCH k FROMLONLAT 15 37 BYBOX -0.0 1 km",
              "GEOSEARCH k FROMLONLAT 15 37 BYBOX 1 -1 km",
              "GEOSEARCH k FROMLONLAT 15 99 BYBOX 1 1 km",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km COUNT 9223372036854775807",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km COUNT 9223372036854775808",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km COUNT 9223372036854775807 ANY",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km COUNT 0",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km COUNT -9223372036854775808",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 km ANY",
              "GEOSEARCH k FROMLONLAT 15 37 BYRADIUS 500 parsec",
              "GEOSEARCH k FROMLONLAT 15 37 FROMMEMBER Palermo BYRADIUS 500 km",
              "GEOSEARCH k FROMMEMBER nobody BYRADIUS 500 km",
              "GEOSEARCH k FROMMEMBER Palermo COUNT 1 ASC DESC",
              "geosearch k BYRADIUS 500 km COUNT 1 ASC",
              "GEOSEARCH nokey FROMMEMBER nobody BYRADIUS 500 km",
              "GEORADIUSBYMEMBER nokey nobody x parsec",
              "GEORADIUSBYMEMBER k Palermo x parsec",
              "GEORADIUSBYMEMBER k Palermo 200 km STORE t WITHDIST",
              "GEORADIUS k 15 37 200 km STORE t STOREDIST u",
              "GEORADIUS_RO k 15 37 200 km STORE t",
              "GEOSEARCHSTORE t k FROMMEMBER Palermo BYRADIUS 1 km WITHDIST",
              "GEOSEARCHSTORE k k FROMMEMBER Palermo BYRADIUS 1 km",
              "ZRANGE k 0 -1",
              "GEODIST k Palermo Palermo x",
              "GEODIST k Palermo Palermo",
              "GEODIST k Palermo Palermo m m",
              "GEOPOS k",
              "GEOHASH k",
              "ZADD odd -1 a inf b -inf c 1e19 d 0.5 e 9e15 f",
              "GEOPOS odd a b c d e f",
              "GEOHASH odd a b c d e f",
              "GEOSEARCH odd FROMLONLAT 15 37 BYRADIUS inf km WITHHASH ASC",
              "COMMAND GETKEYS GEORADIUS k 1 1 1 km STORE t",
              "COMMAND GETKEYS GEOSEARCHSTORE t k FROMMEMBER m BYRADIUS 1 km")) {
        String[] words = request.split(" ", -1);
        assertThat(ours.call(words)).as(request).isEqualTo(theirs.call(words));
      }
    }
  }

  /** Replies whose numbers are the same but for the last digits, or of two errors the other. */
  private static boolean alike(String expected, String actual) {
    if (expected.equals(actual)) {
      return true;
    }
    if ((expected.contains("WRONGTYPE") || expected.contains("could not decode"))
        && actual.contains("-ERR ")) {
      return true;
    }
    List<String> one = expected.lines().toList();
    List<String> other = actual.lines().toList();
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      boolean isLength = one.get(i).startsWith("$") && other.get(i).startsWith("$");
      if (!isLength && !one.get(i).equals(other.get(i)) && !isClose(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isClose(String expected, String actual) {
    try {
      double one = Double.parseDouble(expected.replaceFirst("^,", ""));
      double other = Double.parseDouble(actual.replaceFirst("^,", ""));
      return expected.length() > 12 && Math.abs(one - other) <= Math.abs(one) * 1e-14;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private String[] command() {
    return switch (random.nextInt(24)) {
      case 0, 1, 2, 3, 4 -> add();
      case 5, 6 -> many(one("GEOPOS", "GEOHASH"));
      case 7, 8 ->
          random.nextInt(3) > 0
              ? line("GEODIST", key(), member(), member())
              : line("GEODIST", key(), member(), member(), unit());
      case 9 -> line("ZADD", key(), one("-1", "5", "3479099956230698", "inf", "0.5"), member());
      case 10 -> line("ZREM", key(), member(), member());
      case 11 -> line("DEL", key());
      case 12 -> line("SET", "text", "x");
      case 13 -> line("ZRANGE", key(), "0", "-1", "WITHSCORES");
      case 14, 15, 16 -> radius();
      case 17, 18, 19 -> store();
      default -> search(new ArrayList<>(List.of("GEOSEARCH", key())), false);
    };
  }

  private String[] add() {
    List<String> words = new ArrayList<>(List.of("GEOADD", key()));
    while (random.nextInt(4) == 0) {
      words.add(one("NX", "XX", "CH", "ch"));
    }
    for (int i = random.nextInt(5); i >= 0; i--) {
      words.addAll(List.of(anyPlace()));
      if (random.nextInt(40) > 0) {
        words.add(member());
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] radius() {
    boolean byMember = random.nextBoolean();
    boolean readOnly = random.nextBoolean();
    List<String> words = new ArrayList<>();
    words.add((byMember ? "GEORADIUSBYMEMBER" : "GEORADIUS") + (readOnly ? "_RO" : ""));
    words.add(key());
    words.addAll(byMember ? List.of(member()) : List.of(anyPlace()));
    words.add(length());
    words.add(unit());
    for (int i = random.nextInt(4); i > 0; i--) {
      option(words);
      if (random.nextInt(4) == 0) {
        words.addAll(List.of(one("STORE", "STOREDIST"), key()));
      }
    }
    return words.toArray(String[]::new);
  }

  private String[] store() {
    return search(new ArrayList<>(List.of("GEOSEARCHSTORE", key(), key())), true);
  }

  private String[] search(List<String> words, boolean stores) {
    words.addAll(
        random.nextBoolean()
            ? List.of("FROMMEMBER", member())
            : List.of("FROMLONLAT", anyPlace()[0], anyPlace()[1]));
    words.addAll(
        random.nextBoolean()
            ? List.of("BYRADIUS", length(), unit())
            : List.of("BYBOX", length(), length(), unit()));
    for (int i = random.nextInt(4); i > 0; i--) {
      if (stores && random.nextInt(10) > 0) {
        words.addAll(
            switch (random.nextInt(4)) {
              case 0 -> List.of("STOREDIST");
              case 1 -> List.of("COUNT", one("1", "2", "5"));
              default -> List.of(one("ASC", "DESC"));
            });
      } else {
        option(words);
      }
    }
    if (random.nextInt(20) == 0) {
      words.add(one("FROMMEMBER", "BYBOX", "STOREDIST", "x"));
    }
    return words.toArray(String[]::new);
  }

  private void option(List<String> words) {
    words.add(one("WITHDIST", "WITHHASH", "WITHCOORD", "ASC", "DESC", "COUNT", "withdist", "asc"));
    if (words.getLast().equals("COUNT") && random.nextInt(20) > 0) {
      words.add(one("1", "2", "3", "5", "100", "0", "x"));
      if (random.nextInt(3) == 0) {
        words.add("ANY");
      }
    }
  }

  private String[] many(String name) {
    List<String> words = new ArrayList<>(List.of(name, key()));
    for (int i = random.nextInt(5); i > 0; i--) {
      words.add(member());
    }
    return words.toArray(String[]::new);
  }

  private static String[] inScript(String[] command) {
    List<String> words = new ArrayList<>(List.of("EVAL", "return redis.pcall(unpack(ARGV))", "0"));
    words.addAll(List.of(command));
    return words.toArray(String[]::new);
  }

  private static String[] line(String... words) {
    return words;
  }

  private String key() {
    return random.nextInt(15) == 0 ? "text" : KEYS.get(random.nextInt(KEYS.size() - 1));
  }

  private String member() {
    return random.nextInt(20) == 0 ? "nobody" : "m" + random.nextInt(40);
  }

  private String length() {
    return switch (random.nextInt(10)) {
      case 0 -> one("0", "-1", "x", "inf", "1e300", "nan", "-0.0");
      case 1 -> Integer.toString(random.nextInt(100_000));
      default -> Double.toString(Math.exp(12 * random.nextDouble() - 2));
    };
  }

  private String unit() {
    return random.nextInt(20) == 0 ? one("x", "cm", "") : one("m", "km", "km", "KM", "ft", "mi");
  }

  /** One of few, so that positions meet; or a new one, or none. */
  private String[] anyPlace() {
    return switch (random.nextInt(30)) {
      case 0 -> line(one("x", "nan", "inf", "181", "-180.1"), "0");
      case 1 -> line("0", one("", "86", "-85.06", " 1"));
      case 2, 3 -> place();
      default -> places.get(random.nextInt(places.size()));
    };
  }

  private String[] place() {
    return switch (random.nextInt(8)) {
      case 0 -> line(one("180", "-180", "179.99"), one("85.05112878", "-85.05112878", "0.001"));
      case 1, 2 -> line(near(0, 180), near(0, 85));
      case 3 -> line(near(179.9, 0.1), near(-17, 3));
      default -> line(near(13.4, 0.5), near(52.5, 0.5));
    };
  }

  private String near(double middle, double most) {
    return Double.toString(middle + most * (2 * random.nextDouble() - 1));
  }

  private String one(String... words) {
    return words[random.nextInt(words.length)];
  }
}
