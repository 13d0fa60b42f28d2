package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands that wait for elements. What is expected of this door is expected of Redis too. */
class BlockingTest {
  private static RedisProcess redis;
  private static TestMember member;

  private final List<WireClient> clients = new ArrayList<>();
  private Server server = Server.OURS;

  enum Server {
    OURS,
    REDIS
  }

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    redis = RedisProcess.start(directory);
    member = TestMember.start();
  }

  @AfterAll
  static void stop() {
    if (redis != null) {
      redis.close();
      member.close();
    }
  }

  @BeforeEach
  void begin() {
    clients.clear();
  }

  @AfterEach
  void end() throws IOException {
    for (WireClient client : clients) {
      client.close();
    }
  }

  private WireClient connect() throws IOException {
    WireClient client = server == Server.OURS ? member.connect("acme") : redis.connect();
    clients.add(client);
    return client;
  }

  private WireClient begin(Server which) throws IOException {
    server = which;
    WireClient client = connect();
    client.call("FLUSHALL");
    return client;
  }

  /** Sends a command that waits, and returns when it does. */
  private WireClient blocked(WireClient observer, String... command) throws IOException {
    long before = waiting(observer);
    WireClient client = connect();
    client.send(WireClient.request(command));
    await().until(() -> waiting(observer) == before + 1);
    return client;
  }

  private static long waiting(WireClient observer) throws IOException {
    return observer.call("CLIENT", "LIST").lines().filter(l -> l.contains(" flags=b ")).count();
  }

  private static String array(String... words) {
    return WireClient.requestText(words);
  }

  @ParameterizedTest
  @EnumSource
  void takesWhatIsThereAtOnce(Server which) throws IOException {
    WireClient client = begin(which);
    client.call("RPUSH", "l", "a", "b", "c", "d", "e", "f");
    client.call("ZADD", "z", "1", "m", "2", "n", "3.5", "o", "4", "p");
    assertThat(client.call("BLPOP", "none", "l", "0")).isEqualTo(array("l", "a"));
    assertThat(client.call("BRPOP", "l", "none", "0.1")).isEqualTo(array("l", "f"));
    assertThat(client.call("BLMOVE", "l", "to", "RIGHT", "LEFT", "0")).isEqualTo("$1\r\ne\r\n");
    assertThat(client.call("BRPOPLPUSH", "l", "to", "0")).isEqualTo("$1\r\nd\r\n");
    assertThat(client.call("LRANGE", "to", "0", "-1")).isEqualTo(array("d", "e"));
    assertThat(client.call("BLMPOP", "0", "2", "none", "l", "LEFT", "COUNT", "5"))
        .isEqualTo("*2\r\n$1\r\nl\r\n" + array("b", "c"));
    assertThat(client.call("BZPOPMIN", "z", "0")).isEqualTo(array("z", "m", "1"));
    assertThat(client.call("BZPOPMAX", "none", "z", "0")).isEqualTo(array("z", "p", "4"));
    assertThat(client.call("BZMPOP", "0", "1", "z", "MAX", "COUNT", "2"))
        .isEqualTo("*2\r\n$1\r\nz\r\n*2\r\n" + array("o", "3.5") + array("n", "2"));
    assertThat(client.call("EXISTS", "l", "z")).isEqualTo(":0\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void scoresAreDoublesInResp3(Server which) throws IOException {
    WireClient client = begin(which);
    client.call("HELLO", "3");
    client.call("ZADD", "z", "1.5", "m");
    assertThat(client.call("BZPOPMIN", "z", "0")).isEqualTo("*3\r\n$1\r\nz\r\n$1\r\nm\r\n,1.5\r\n");
    assertThat(client.call("BLPOP", "l", "0.01")).isEqualTo("_\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void aWaitEndsWithNothingWhenItsTimeIsOver(Server which) throws IOException {
    WireClient client = begin(which);
    for (String[] command :
        List.of(
            new String[] {"BLPOP", "a", "b", "0.05"},
            new String[] {"BRPOP", "a", "0.05"},
            new String[] {"BLMOVE", "a", "b", "LEFT", "LEFT", "0.05"},
            new String[] {"BRPOPLPUSH", "a", "b", "0.05"},
            new String[] {"BLMPOP", "0.05", "1", "a", "LEFT"},
            new String[] {"BZPOPMIN", "a", "0.05"},
            new String[] {"BZPOPMAX", "a", "0.05"},
            new String[] {"BZMPOP", "0.05", "1", "a", "MIN"})) {
      long began = System.nanoTime();
      assertThat(client.call(command)).as(command[0]).isEqualTo("*-1\r\n");
      assertThat(System.nanoTime() - began)
          .as(command[0])
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
    }
    assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void badArgumentsAreRefusedInRedisWords(Server which) throws IOException {
    WireClient client = begin(which);
    String notFloat = "-ERR timeout is not a float or out of range\r\n";
    assertThat(client.call("BLPOP", "a", "x")).isEqualTo(notFloat);
    assertThat(client.call("BLPOP", "a", "")).isEqualTo(notFloat);
    assertThat(client.call("BLPOP", "a", "-1")).isEqualTo("-ERR timeout is negative\r\n");
    assertThat(client.call("BLMOVE", "a", "b", "UP", "LEFT", "x"))
        .isEqualTo("-ERR syntax error\r\n");
    assertThat(client.call("BLMOVE", "a", "b", "LEFT", "LEFT", "x")).isEqualTo(notFloat);
    assertThat(client.call("BLMPOP", "x", "1", "a", "LEFT")).isEqualTo(notFloat);
    assertThat(client.call("BLMPOP", "x", "0", "a", "LEFT"))
        .isEqualTo("-ERR numkeys should be greater than 0\r\n");
    assertThat(client.call("BLMPOP", "0", "2", "a", "LEFT")).isEqualTo("-ERR syntax error\r\n");
    assertThat(client.call("BZMPOP", "0", "1", "a", "LEFT")).isEqualTo("-ERR syntax error\r\n");
    client.call("SET", "s", "text");
    assertThat(client.call("BLPOP", "a", "s", "0")).startsWith("-WRONGTYPE ");
    assertThat(client.call("BLMPOP", "0", "1", "s", "LEFT")).startsWith("-WRONGTYPE ");
    assertThat(client.call("BZPOPMIN", "s", "0")).startsWith("-WRONGTYPE ");
    assertThat(client.call("BLMOVE", "s", "a", "LEFT", "LEFT", "0")).startsWith("-WRONGTYPE ");
  }

  @ParameterizedTest
  @EnumSource
  void isServedByWhateverMakesAList(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient first = blocked(client, "BLPOP", "a", "b", "0");
    assertThat(client.call("RPUSH", "b", "1")).isEqualTo(":1\r\n");
    assertThat(first.reply()).isEqualTo(array("b", "1"));

    client.call("RPUSH", "source", "2");
    WireClient second = blocked(client, "BLPOP", "a", "0");
    client.call("RENAME", "source", "a");
    assertThat(second.reply()).isEqualTo(array("a", "2"));

    WireClient third = blocked(client, "BLMOVE", "a", "to", "LEFT", "RIGHT", "0");
    client.call("MULTI");
    client.call("SADD", "a", "no list");
    client.call("DEL", "a");
    client.call("RPUSH", "a", "3", "4");
    client.call("EXEC");
    assertThat(third.reply()).isEqualTo("$1\r\n3\r\n");
    assertThat(client.call("LRANGE", "to", "0", "-1")).isEqualTo(array("3"));

    client.call("DEL", "a");
    WireClient fourth = blocked(client, "BLPOP", "a", "0");
    client.call("EVAL", "return redis.call('rpush', KEYS[1], 'x')", "1", "a");
    assertThat(fourth.reply()).isEqualTo(array("a", "x"));

    WireClient fifth = blocked(client, "BZPOPMIN", "z", "0");
    client.call("SADD", "set", "m");
    client.call("ZUNIONSTORE", "z", "1", "set");
    assertThat(fifth.reply()).isEqualTo(array("z", "m", "1"));
  }

  @ParameterizedTest
  @EnumSource
  void aMoveServesWhoWaitsAtItsTarget(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient last = blocked(client, "BLPOP", "c", "0");
    WireClient second = blocked(client, "BLMOVE", "b", "c", "LEFT", "LEFT", "0");
    WireClient first = blocked(client, "BRPOPLPUSH", "a", "b", "0");
    client.call("LPUSH", "a", "x");
    assertThat(first.reply()).isEqualTo("$1\r\nx\r\n");
    assertThat(second.reply()).isEqualTo("$1\r\nx\r\n");
    assertThat(last.reply()).isEqualTo(array("c", "x"));
    assertThat(client.call("EXISTS", "a", "b", "c")).isEqualTo(":0\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void anotherTypeServesNobody(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient waits = blocked(client, "BLPOP", "a", "0");
    client.call("SET", "a", "text");
    client.call("DEL", "a");
    client.call("ZADD", "a", "1", "m");
    client.call("DEL", "a");
    assertThat(waiting(client)).isEqualTo(1);
    client.call("RPUSH", "a", "1");
    assertThat(waits.reply()).isEqualTo(array("a", "1"));
  }

  @ParameterizedTest
  @EnumSource
  void whoCameFirstIsServedFirst(Server which) throws IOException {
    WireClient client = begin(which);
    List<WireClient> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(blocked(client, i % 2 == 0 ? "BLPOP" : "BRPOP", "other", "a", "0"));
    }
    List<String> push = new ArrayList<>(List.of("RPUSH", "a"));
    for (int i = 0; i < 10; i++) {
      push.add("first" + i);
    }
    client.call(push.toArray(String[]::new));
    await().until(() -> waiting(client) == 10);
    for (int i = 10; i < 20; i++) {
      client.call("RPUSH", "a", "then" + i);
      assertThat(waiting.get(i).reply()).isEqualTo(array("a", "then" + i));
    }
    for (int i = 0; i < 10; i++) {
      String expected = "first" + (i % 2 == 0 ? i / 2 : 9 - i / 2);
      assertThat(waiting.get(i).reply()).isEqualTo(array("a", expected));
    }
  }

  @ParameterizedTest
  @EnumSource
  void doesNotWaitInABlockOrAScript(Server which) throws IOException {
    WireClient client = begin(which);
    client.call("MULTI");
    client.call("BLPOP", "a", "0");
    client.call("BLMOVE", "a", "b", "LEFT", "LEFT", "0");
    client.call("BLMPOP", "0", "1", "a", "LEFT");
    client.call("BZPOPMIN", "a", "0");
    client.call("RPUSH", "a", "1");
    client.call("BRPOP", "b", "a", "0");
    assertThat(client.call("EXEC"))
        .isEqualTo("*6\r\n*-1\r\n$-1\r\n*-1\r\n*-1\r\n:1\r\n" + array("a", "1"));
    assertThat(client.call("EVAL", "return redis.call('blpop', KEYS[1], 0)", "1", "a"))
        .contains("This Redis command is not allowed from script");
    assertThat(client.call("EVAL", "return redis.call('blmpop', 0, 1, KEYS[1], 'LEFT')", "1", "a"))
        .isEqualTo("$-1\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void requestsBehindItWaitToo(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient waits = blocked(client, "BLPOP", "a", "0");
    waits.send(WireClient.request("PING"));
    waits.send(WireClient.request("BLPOP", "a", "0"));
    waits.send(WireClient.request("LLEN", "a"));
    client.call("RPUSH", "a", "1");
    assertThat(waits.reply()).isEqualTo(array("a", "1"));
    assertThat(waits.reply()).isEqualTo("+PONG\r\n");
    client.call("RPUSH", "a", "2", "3");
    assertThat(waits.reply()).isEqualTo(array("a", "2"));
    assertThat(waits.reply()).isEqualTo(":1\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void canBeUnblocked(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient waits = connect();
    String id = waits.call("CLIENT", "ID").substring(1).strip();
    assertThat(client.call("CLIENT", "UNBLOCK", id)).isEqualTo(":0\r\n");
    waits.send(WireClient.request("BLPOP", "a", "0"));
    await().until(() -> waiting(client) == 1);
    assertThat(client.call("CLIENT", "UNBLOCK", id)).isEqualTo(":1\r\n");
    assertThat(waits.reply()).isEqualTo("*-1\r\n");
    waits.send(WireClient.request("BLPOP", "a", "0"));
    await().until(() -> waiting(client) == 1);
    assertThat(client.call("INFO", "clients")).contains("blocked_clients:1\r\n");
    assertThat(client.call("CLIENT", "UNBLOCK", id, "ERROR")).isEqualTo(":1\r\n");
    assertThat(waits.reply()).isEqualTo("-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
    client.call("RPUSH", "a", "1");
    assertThat(client.call("LLEN", "a")).isEqualTo(":1\r\n");
    assertThat(client.call("CLIENT", "UNBLOCK", id, "NEVER")).startsWith("-ERR CLIENT UNBLOCK");
  }

  @ParameterizedTest
  @EnumSource
  void whoHasGoneTakesNothing(Server which) throws IOException {
    WireClient client = begin(which);
    WireClient gone = blocked(client, "BLPOP", "a", "0");
    WireClient stays = blocked(client, "BLPOP", "a", "0");
    gone.close();
    await().until(() -> waiting(client) == 1);
    client.call("RPUSH", "a", "1");
    assertThat(stays.reply()).isEqualTo(array("a", "1"));
  }

  @ParameterizedTest
  @EnumSource
  void isNotSlowWhileItWaits(Server which) throws IOException {
    WireClient client = begin(which);
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "90000");
    client.call("SLOWLOG", "RESET");
    assertThat(client.call("BLPOP", "a", "0.1")).isEqualTo("*-1\r\n");
    assertThat(client.call("SLOWLOG", "LEN")).isEqualTo(":0\r\n");
    client.call("CONFIG", "SET", "slowlog-log-slower-than", "10000");
  }

  @Test
  void aTimeBeyondAllTimesIsOutOfRange() throws IOException {
    WireClient client = begin(Server.OURS);
    for (String seconds : List.of("inf", "1e300", "9223372036854775.9")) {
      assertThat(client.call("BLPOP", "a", seconds)).isEqualTo("-ERR timeout is out of range\r\n");
    }
  }

  @Test
  void tenantsDoNotServeEachOther() throws IOException {
    WireClient client = begin(Server.OURS);
    WireClient waits = blocked(client, "BLPOP", "a", "0");
    try (WireClient other = member.connect("globex")) {
      other.call("RPUSH", "a", "theirs");
      assertThat(other.call("CLIENT", "LIST")).doesNotContain(" flags=b ");
      assertThat(other.call("LLEN", "a")).isEqualTo(":1\r\n");
    }
    client.call("SELECT", "1");
    client.call("RPUSH", "a", "another map's");
    client.call("SELECT", "0");
    client.call("RPUSH", "a", "ours");
    assertThat(waits.reply()).isEqualTo(array("a", "ours"));
  }

  @Test
  void thousandsWaitWithinTheirTenantsHeapAndAreAllServed() throws IOException {
    WireClient client = begin(Server.OURS);
    List<WireClient> waiting = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      WireClient each = connect();
      each.send(WireClient.request("BLPOP", "q" + i % 7, "q" + i % 5, "0"));
      waiting.add(each);
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> waiting(client) == 500);
    for (int i = 0; i < 500; i++) {
      client.call("RPUSH", "q" + i % 7, "x" + i);
    }
    for (int i = 0; i < 7; i++) {
      for (int more = 0; more < 100; more++) {
        client.call("RPUSH", "q" + i, "y");
      }
    }
    for (WireClient each : waiting) {
      assertThat(each.reply()).startsWith("*2\r\n$2\r\nq");
    }
    assertThat(waiting(client)).isZero();
  }

  @Test
  void aLargeRequestDoesNotWaitBehindIt() throws IOException {
    WireClient client = begin(Server.OURS);
    WireClient waits = blocked(client, "BLPOP", "a", "0");
    waits.send(WireClient.request("SET", "large", "x".repeat(100_000)));
    assertThat(waits.reply()).startsWith("-UNBLOCKED a large request has come behind it");
    assertThat(waits.reply()).isEqualTo("+OK\r\n");
    waits.send(
        WireClient.requestText("BLPOP", "a", "0")
            + WireClient.requestText("SET", "large", "y".repeat(100_000)));
    assertThat(waits.reply()).startsWith("-UNBLOCKED ");
    assertThat(waits.reply()).isEqualTo("+OK\r\n");
    assertThat(client.call("BLPOP", "k".repeat(20_000), "0"))
        .startsWith("-ERR a request that may wait takes arguments of at most 16384 bytes");
  }

  @Test
  void aRequestThatNamesTooManyKeysIsRefused() throws IOException {
    WireClient client = begin(Server.OURS);
    List<String> words = new ArrayList<>(List.of("BLPOP"));
    for (int i = 0; i < 1025; i++) {
      words.add("k" + i);
    }
    words.add("0");
    assertThat(client.call(words.toArray(String[]::new)))
        .isEqualTo("-ERR a request may wait at 1024 keys at most: use fewer keys\r\n");
  }

  @ParameterizedTest
  @EnumSource
  void waitAnswersHowManyCopiesThereAre(Server which) throws IOException {
    WireClient client = begin(which);
    assertThat(client.call("WAIT", "0", "0")).isEqualTo(":0\r\n");
    assertThat(client.call("WAIT", "x", "0")).startsWith("-ERR value is not an integer");
    assertThat(client.call("WAIT", "0", "x"))
        .isEqualTo("-ERR timeout is not an integer or out of range\r\n");
    assertThat(client.call("WAIT", "0", "-1")).isEqualTo("-ERR timeout is negative\r\n");
  }

  @Test
  void waitaofSaysThatMemoryIsNoDisk() throws IOException {
    WireClient client = begin(Server.OURS);
    assertThat(client.call("WAITAOF", "0", "1", "100")).isEqualTo("*2\r\n:0\r\n:0\r\n");
    assertThat(client.call("WAITAOF", "1", "0", "0")).contains("the map is kept in memory only");
    assertThat(client.call("WAITAOF", "2", "0", "0")).contains("must be between 0 and 1");
    assertThat(client.call("WAITAOF", "0", "-1", "0")).contains("must be positive");
    assertThat(client.call("WAITAOF", "0", "0", "-1")).isEqualTo("-ERR timeout is negative\r\n");
    assertThat(client.call("WAITAOF", "x", "0", "0")).contains("not an integer");
    assertThat(client.call("MULTI")).isEqualTo("+OK\r\n");
    assertThat(client.call("WAITAOF", "0", "0", "0")).contains("cannot be part of a transaction");
    assertThat(client.call("EXEC")).startsWith("-EXECABORT");
  }
}
