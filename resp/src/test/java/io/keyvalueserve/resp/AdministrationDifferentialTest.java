package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: administration is answered as by Redis where it can be. Method: the same requests to both;
 * replies are compared, without the order of sets, the time and the address.
 */
class AdministrationDifferentialTest {
  private static RedisProcess redis;
  private static TestMember member;

  private final Random random = new Random();

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    redis = RedisProcess.start(directory);
    member = TestMember.startDev(Way.MIXED, config -> config);
  }

  @AfterAll
  static void stop() {
    if (redis != null) {
      redis.close();
      member.close();
    }
  }

  private static List<String> names(String reply) {
    return WireReply.elements(reply).stream()
        .map(name -> name.strip().replace("'", ""))
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2", "3"})
  void commandInfoIsThatOfRedis(String protocol) throws IOException {
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      ours.call("HELLO", protocol);
      theirs.call("HELLO", protocol);
      List<String> known = new ArrayList<>(names(theirs.call("COMMAND", "LIST")));
      known.retainAll(names(ours.call("COMMAND", "LIST")));
      // Those of 7.2 take another argument; Redis tells no variable flags of BITFIELD here.
      known.removeAll(List.of("zrank", "zrevrank", "bitfield", "pfmerge"));
      assertThat(known).hasSizeGreaterThan(100).contains("get", "client|pause", "slowlog|get");
      for (String name : known) {
        String expected = WireReply.text(theirs.call("COMMAND", "INFO", name));
        String actual = WireReply.text(ours.call("COMMAND", "INFO", name));
        if (isContainer(name, known)) { // Redis has other subcommands
          assertThat(head(actual)).as(name).isEqualTo(head(expected));
        } else {
          assertThat(sets(actual)).as(name).isEqualTo(sets(expected));
        }
      }
    }
  }

  private static boolean isContainer(String name, List<String> all) {
    return all.stream().anyMatch(each -> each.startsWith(name + "|"));
  }

  private static String head(String info) {
    return info.lines().limit(7).toList().toString();
  }

  /** In RESP2 sets are arrays, whose order is left open. */
  private static List<String> sets(String info) {
    return info.lines().sorted().toList();
  }

  @Test
  void everyCommandOfRedisServerIsInTheList() throws IOException {
    String list = Files.readString(Path.of("..", "docs", "redis-commands.md"));
    try (WireClient theirs = redis.connect()) {
      assertThat(names(theirs.call("COMMAND", "LIST")))
          .hasSizeGreaterThan(300)
          .allMatch(
              name ->
                  list.contains("| `" + name.toUpperCase(Locale.ROOT).replace('|', ' ') + "` | "));
    }
  }

  @Test
  void documentedFactsAreThoseOfRedis() throws IOException {
    Pattern since = Pattern.compile("'since'\\s+'([^']*)'");
    Pattern group = Pattern.compile("'group'\\s+'([^']*)'");
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      for (String name : List.of("get", "getset", "client|id", "copy", "slowlog|get", "acl")) {
        String expected = WireReply.text(theirs.call("COMMAND", "DOCS", name));
        String actual = WireReply.text(ours.call("COMMAND", "DOCS", name));
        assertThat(first(since, actual)).as(name).isEqualTo(first(since, expected));
        assertThat(first(group, actual)).as(name).isEqualTo(first(group, expected));
        assertThat(actual.contains("deprecated_since"))
            .isEqualTo(expected.contains("deprecated_since"));
      }
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  @Test
  void keysOfRandomRequestsAreThoseThatRedisFinds() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      List<String> known = new ArrayList<>(names(theirs.call("COMMAND", "LIST")));
      known.retainAll(names(ours.call("COMMAND", "LIST")));
      // Those of 7.2 take another argument; Redis tells no variable flags of BITFIELD here.
      known.removeAll(List.of("zrank", "zrevrank", "bitfield", "pfmerge"));
      ours.call("HELLO", "3");
      theirs.call("HELLO", "3");
      for (int i = 0; i < 1_000; i++) {
        List<String> request =
            new ArrayList<>(
                List.of("COMMAND", random.nextBoolean() ? "GETKEYS" : "GETKEYSANDFLAGS"));
        String name = known.get(random.nextInt(known.size()));
        request.addAll(List.of(name.split("\\|")));
        for (int more = random.nextInt(6); more > 0; more--) {
          request.add(one("a", "b", "GET", "EX", "1", "2", "c", "STORE", "\u0000\u00ff"));
        }
        String[] line = request.toArray(String[]::new);
        assertThat(ours.call(line)).as("seed=%d %s", seed, request).isEqualTo(theirs.call(line));
      }
    }
  }

  private String one(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Test
  void chosenRequestsAreAnsweredWithTheSameBytes() throws IOException {
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      for (String line : CHOSEN.lines().toList()) {
        String[] request = line.split(" ");
        assertThat(ours.call(request)).as(line).isEqualTo(theirs.call(request));
      }
    }
  }

  @Test
  void theSlowLogHasTheRequestsThatRedisLogs() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      String[] before = {"CONFIG", "SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "50"};
      assertThat(ours.call(before)).isEqualTo(theirs.call(before)).isEqualTo("+OK\r\n");
      ours.call("SLOWLOG", "RESET");
      theirs.call("SLOWLOG", "RESET");
      for (int i = 0; i < 100; i++) {
        String[] request = request();
        ours.call(request);
        theirs.call(request);
      }
      assertThat(ours.call("SLOWLOG", "LEN"))
          .isEqualTo(theirs.call("SLOWLOG", "LEN"))
          .isEqualTo(":50\r\n");
      for (String count : List.of("-1", "0", "3", "1000")) {
        assertThat(arguments(ours.call("SLOWLOG", "GET", count)))
            .as("seed=%d", seed)
            .isEqualTo(arguments(theirs.call("SLOWLOG", "GET", count)));
      }
      String[] after = {"CONFIG", "SET", "slowlog-log-slower-than", "-1"};
      assertThat(ours.call(after)).isEqualTo(theirs.call(after)).isEqualTo("+OK\r\n");
      assertThat(arguments(ours.call("SLOWLOG", "GET")))
          .isEqualTo(arguments(theirs.call("SLOWLOG", "GET")));
    } finally {
      try (WireClient ours = member.connect()) {
        ours.call("CONFIG", "SET", "slowlog-log-slower-than", "10000", "slowlog-max-len", "128");
      }
    }
  }

  private String[] request() {
    return switch (random.nextInt(9)) {
      case 0 -> new String[] {"GET", "k"};
      case 1 -> new String[] {"SET", "k", "v".repeat(random.nextInt(300))};
      case 2 -> {
        String[] many = new String[1 + 1 + random.nextInt(60)];
        Arrays.setAll(many, i -> i == 0 ? "MGET" : "k" + i);
        yield many;
      }
      case 3 -> new String[] {"NOSUCH", "x"};
      case 4 -> new String[] {"GET"};
      case 5 -> new String[] {"CLIENT", "GETNAME"};
      case 6 -> new String[] {"AUTH", "default", "secret"};
      case 7 -> new String[] {"ECHO", "\u0000\u00ff\r\n\"\\\t\u0007 z"};
      default -> new String[] {"CLIENT", "NO-EVICT", "OFF"};
    };
  }

  /** The arguments of each entry. */
  private static List<String> arguments(String slowLog) {
    List<String> all = new ArrayList<>();
    for (String entry : WireReply.elements(slowLog)) {
      int from = entry.indexOf(" *\n");
      all.add(entry.substring(from, entry.lastIndexOf("\n '127.")));
    }
    return all;
  }

  @Test
  void aMonitorIsShownTheLinesThatRedisShows() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect();
        WireClient ourMonitor = member.connect();
        WireClient theirMonitor = redis.connect()) {
      ourMonitor.call("HELLO", "3");
      theirMonitor.call("HELLO", "3");
      assertThat(ourMonitor.call("MONITOR")).isEqualTo("+OK\r\n");
      assertThat(theirMonitor.call("MONITOR")).isEqualTo("+OK\r\n");
      for (int i = 0; i < 200; i++) {
        String[] request = request();
        ours.call(request);
        theirs.call(request);
      }
      ours.call("ECHO", "the end");
      theirs.call("ECHO", "the end");
      List<String> expected = untilTheEnd(theirMonitor);
      assertThat(untilTheEnd(ourMonitor)).as("seed=%d", seed).isEqualTo(expected);
      assertThat(expected).hasSizeGreaterThan(50);
    }
  }

  private static List<String> untilTheEnd(WireClient monitor) throws IOException {
    Pattern head = Pattern.compile("\\+\\d+\\.\\d{6} \\[0 127\\.0\\.0\\.1:\\d+\\] ");
    List<String> lines = new ArrayList<>();
    do {
      String line = monitor.reply();
      Matcher matcher = head.matcher(line);
      assertThat(matcher.lookingAt()).as(line).isTrue();
      lines.add(line.substring(matcher.end()));
    } while (!lines.getLast().contains("the end"));
    return lines;
  }

  @Test
  void suppressedRepliesAreThoseThatRedisSuppresses() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    random.setSeed(seed);
    try (WireClient ours = member.connect();
        WireClient theirs = redis.connect()) {
      ours.call("FLUSHALL");
      theirs.call("FLUSHALL");
      for (int round = 0; round < 300; round++) {
        StringBuilder pipeline = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
          pipeline.append(WireClient.requestText(suppressed().split(" ")));
        }
        pipeline.append(WireClient.requestText("CLIENT", "REPLY", "ON"));
        pipeline.append(WireClient.requestText("ECHO", "end" + round));
        ours.send(pipeline.toString());
        theirs.send(pipeline.toString());
        String end = "end" + round;
        assertThat(until(ours, end)).as("seed=%d %s", seed, pipeline).isEqualTo(until(theirs, end));
      }
    }
  }

  private String suppressed() {
    return one(
        "CLIENT REPLY OFF",
        "CLIENT REPLY SKIP",
        "CLIENT REPLY SKIP",
        "CLIENT REPLY ON",
        "CLIENT REPLY what",
        "GET k",
        "SET k v",
        "INCR n",
        "MGET k n",
        "DBSIZE",
        "KEYS nothing*",
        "NOSUCH",
        "GET",
        "PING");
  }

  private static List<String> until(WireClient client, String end) throws IOException {
    List<String> replies = new ArrayList<>();
    do {
      replies.add(client.reply());
    } while (!replies.getLast().contains(end));
    return replies;
  }

  @Test
  void textIsComparedAsItIs() {
    assertThat(WireReply.text("*2\r\n$1\r\na\r\n~2\r\n+z\r\n+b\r\n"))
        .isEqualTo("*\n 'a'\n ~\n  +b\n  +z\n");
    assertThat("\u00ff".getBytes(StandardCharsets.ISO_8859_1)).hasSize(1);
  }

  private static final String CHOSEN =
      """
      SLOWLOG
      SLOWLOG RESET
      SLOWLOG LEN
      SLOWLOG LEN x
      SLOWLOG GET 0
      SLOWLOG GET -2
      SLOWLOG GET x
      SLOWLOG GET 1 2
      SLOWLOG NOSUCH
      LATENCY
      LATENCY LATEST
      LATENCY HISTORY command
      LATENCY RESET
      LATENCY RESET command
      LATENCY NOSUCH
      CLIENT PAUSE x
      CLIENT PAUSE -1
      CLIENT PAUSE 0
      CLIENT PAUSE 1 what
      CLIENT UNPAUSE
      CLIENT UNPAUSE x
      CLIENT REPLY what
      CLIENT REPLY ON
      CLIENT TRACKING OFF
      CLIENT TRACKING what
      CLIENT TRACKINGINFO
      CLIENT GETREDIR
      CLIENT CACHING YES
      CLIENT UNBLOCK 5
      COMMAND GETKEYSANDFLAGS SORT a BY w GET STORE STORE b STORE c
      COMMAND GETKEYSANDFLAGS SORT_RO a STORE b
      COMMAND GETKEYS SORT_RO STORE STORE b c
      CLIENT UNBLOCK 5 ERROR
      CLIENT UNBLOCK x
      CLIENT UNBLOCK 1 what
      CLIENT NO-EVICT ON
      CLIENT NO-EVICT what
      CONFIG SET timeout x
      CONFIG SET timeout -1
      CONFIG SET timeout 0
      CONFIG SET timeout 0 timeout 0
      CONFIG SET timeout x timeout 0
      CONFIG SET maxmemory 1 maxmemory 2
      CLIENT KILL USER nobody
      CLIENT KILL ID 1 USER nobody
      CONFIG SET timeout
      CONFIG SET timeout 1 slowlog-max-len
      CONFIG SET nosuch 1
      CONFIG SET slowlog-max-len 60 slowlog-log-slower-than x
      CONFIG GET slowlog-max-len
      CONFIG SET slowlog-max-len 60
      CONFIG GET slowlog-max-len
      CONFIG SET slowlog-max-len 128
      CONFIG SET latency-monitor-threshold 100
      CONFIG GET latency-monitor-threshold
      CONFIG SET latency-monitor-threshold 0
      ACL
      ACL CAT
      ACL CAT nosuch
      ACL GETUSER nosuch
      ACL GENPASS 0
      ACL GENPASS x
      ACL GENPASS 5000
      ACL DRYRUN nosuch GET k
      MODULE LIST
      MODULE
      ROLE
      ROLE x
      COMMAND GETKEYS
      COMMAND GETKEYS nosuch a
      COMMAND GETKEYS client id
      COMMAND INFO nosuch
      COMMAND LIST FILTERBY ACLCAT nosuch
      COMMAND LIST FILTERBY MODULE nosuch
      COMMAND LIST FILTERBY what x\
      """;
}
