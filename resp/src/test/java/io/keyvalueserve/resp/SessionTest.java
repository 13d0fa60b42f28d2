package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.gates.TenantMeters.Reading;
import io.keyvalueserve.tenancy.Door;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: who may do what, on which map, and what one tenant learns of another: nothing. */
@ParameterizedClass
@EnumSource(Way.class)
class SessionTest {
  private static final String NO_AUTH = "-NOAUTH Authentication required.\r\n";
  private static final String WRONG_PASS =
      "-WRONGPASS invalid username-password pair or user is disabled.\r\n";

  private final Way way;
  private TestMember member;

  SessionTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start() throws IOException {
    member = TestMember.start(way);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  @Test
  void nothingButAuthenticationIsServedBeforeIt() throws IOException {
    try (WireClient client = member.connect()) {
      assertThat(client.call("GET", "k")).isEqualTo(NO_AUTH);
      assertThat(client.call("PING")).isEqualTo(NO_AUTH);
      assertThat(client.call("COMMAND")).isEqualTo(NO_AUTH);
      assertThat(client.call("HELLO", "3")).startsWith("-NOAUTH HELLO must be called");
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("AUTH", "acme", "wrong")).isEqualTo(WRONG_PASS);
      assertThat(client.call("AUTH", "nobody", "wrong")).isEqualTo(WRONG_PASS);
      assertThat(client.call("AUTH", "acme", TestMember.key("globex"))).isEqualTo(WRONG_PASS);
      assertThat(client.call("GET", "k")).isEqualTo(NO_AUTH);
      assertThat(client.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
    }
  }

  @Test
  void aCommandThatOnlyRedisHasIsToldToBeNotSupported() throws IOException {
    try (WireClient client = member.connect("acme")) {
      assertThat(client.call("XADD", "k", "1", "a"))
          .startsWith("-ERR unknown command 'XADD', with args beginning with: 'k' '1' 'a' ")
          .contains("this server does not", "COMMAND LIST");
      assertThat(client.call("NOSUCH", "k"))
          .isEqualTo("-ERR unknown command 'NOSUCH', with args beginning with: 'k' \r\n");
    }
  }

  @Test
  void aPipelineMayBeginWithAuthentication() throws IOException {
    try (WireClient client = member.connect()) {
      client.send(WireClient.request("AUTH", "acme", TestMember.key("acme")));
      client.send(WireClient.request("SET", "k", "v".repeat(100_000)));
      client.send(WireClient.request("STRLEN", "k"));
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo(":100000\r\n");
    }
  }

  @Test
  void aKeyAloneIsEnough() throws IOException {
    try (WireClient client = member.connect()) {
      assertThat(client.call("AUTH", TestMember.key("globex"))).isEqualTo("+OK\r\n");
      assertThat(client.call("CLIENT", "INFO")).contains("user=globex");
    }
    try (WireClient client = member.connect()) {
      assertThat(client.call("HELLO", "3", "AUTH", "default", TestMember.key("acme")))
          .startsWith("%7\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("_\r\n");
    }
  }

  @Test
  void theUserNameMaySelectAMap() throws IOException {
    try (WireClient client = member.connect()) {
      assertThat(client.call("AUTH", "acme/orders", TestMember.key("acme"))).isEqualTo("+OK\r\n");
      client.call("SET", "k", "in orders");
      assertThat(client.call("SELECT", "0")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      assertThat(client.call("SELECT", "orders")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$9\r\nin orders\r\n");
      assertThat(client.call("COPY", "k", "k", "DB", "0")).isEqualTo(":1\r\n");
      assertThat(client.call("SELECT", "default")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$9\r\nin orders\r\n");
      assertThat(client.call("SELECT", "a/b"))
          .startsWith("-NOPERM tenant 'acme' has no grant on 'a/b'");
      assertThat(client.call("SELECT", "a/b/c")).startsWith("-ERR invalid map name 'b/c': use ");
      assertThat(client.call("SELECT", "-1")).isEqualTo("-ERR DB index is out of range\r\n");
      assertThat(client.call("SELECT", "m".repeat(256))).startsWith("-ERR invalid map name");
      assertThat(client.call("AUTH", "acme/a:b@c", TestMember.key("acme"))).isEqualTo("+OK\r\n");
      client.call("SET", "k", "in a:b@c");
      assertThat(client.call("SELECT", "0")).isEqualTo("+OK\r\n");
      assertThat(client.call("SELECT", "a:b@c")).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$8\r\nin a:b@c\r\n");
    }
  }

  @Test
  void tenantsSeeNothingOfEachOther() throws IOException {
    try (WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex");
        WireClient globexToo = member.connect("globex")) {
      acme.call("SET", "k", "v");
      assertThat(globex.call("GET", "k")).isEqualTo("$-1\r\n");
      assertThat(globex.call("DBSIZE")).isEqualTo(":0\r\n");
      assertThat(globex.call("FLUSHALL")).isEqualTo("+OK\r\n");
      assertThat(acme.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(acme.call("CLIENT", "LIST")).contains("user=acme").doesNotContain("globex");
      assertThat(acme.call("INFO"))
          .contains("connected_clients:1\r\n")
          .contains("db0:keys=1,")
          .doesNotContain("globex");
      assertThat(globex.call("INFO")).contains("connected_clients:2\r\n").doesNotContain("db0");
      String id = group(globexToo.call("CLIENT", "INFO"), "id=(\\d+)");
      String address = group(globexToo.call("CLIENT", "INFO"), "addr=(\\S+)");
      assertThat(acme.call("CLIENT", "KILL", "ID", id)).isEqualTo(":0\r\n");
      assertThat(acme.call("CLIENT", "KILL", address)).isEqualTo("-ERR No such client\r\n");
      assertThat(globexToo.call("PING")).isEqualTo("+PONG\r\n");
      assertThat(globex.call("CLIENT", "KILL", "ID", id)).isEqualTo(":1\r\n");
      assertThat(globexToo.isClosedByServer()).isTrue();
      assertThat(globex.call("CLIENT", "KILL", "USER", "globex", "SKIPME", "no"))
          .isEqualTo(":1\r\n");
      assertThat(globex.isClosedByServer()).isTrue();
    }
  }

  /** Of redis-cli --stat, exporters, RedisInsight and the tests of redis-py. */
  @Test
  void infoHasTheFieldsThatToolsReadAndTheyAreTheTenants() throws IOException {
    member.admissions().of(TestMember.identity("acme")).usage().add(1_500_000, 3);
    try (WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex")) {
      acme.call("MSET", "a", "1", "b", "2");
      acme.call("SET", "c", "3", "EX", "1000");
      String info = acme.call("INFO");
      assertThat(info.lines())
          .contains(
              "# Cluster",
              "cluster_enabled:0",
              "used_memory:1500000",
              "used_memory_human:1.43M",
              "maxmemory:0",
              "maxmemory_human:0B",
              "connected_clients:1",
              "blocked_clients:0",
              "total_connections_received:1",
              "loading:0",
              "rdb_bgsave_in_progress:0",
              "aof_rewrite_in_progress:0",
              "role:master",
              "db0:keys=3,expires=1,avg_ttl=0");
      assertThat(Long.parseLong(group(info, "total_commands_processed:(\\d+)"))).isPositive();
      assertThat(group(info, "instantaneous_ops_per_sec:(\\d+)")).isNotEmpty();
      assertThat(group(info, "instantaneous_input_kbps:(\\d+\\.\\d\\d)")).isNotEmpty();
      assertThat(acme.call("INFO", "cluster"))
          .isEqualTo("$30\r\n# Cluster\r\ncluster_enabled:0\r\n\r\n");
      assertThat(globex.call("INFO").lines())
          .contains("used_memory:0", "total_connections_received:1");
    }
  }

  /** Requests and replies that wait because the client reads nothing. */
  @Test
  void clientListTellsTheBytesThatAConnectionHolds() throws IOException {
    try (WireClient acme = member.connect("acme");
        WireClient deaf = new WireClient(member.port(), 4096)) {
      deaf.call("AUTH", "acme", TestMember.key("acme"));
      String id = group(deaf.call("CLIENT", "INFO"), "id=(\\d+)");
      // The reply is at the client a moment before the connection has given up its buffer.
      await()
          .untilAsserted(
              () ->
                  assertThat(acme.call("CLIENT", "LIST", "ID", id))
                      .contains(" qbuf=0 qbuf-free=0 ")
                      .contains(" omem=0 tot-mem=0 events=r cmd=client|info "));
      acme.call("SET", "k", "v".repeat(100_000));
      deaf.send(WireClient.requestText("GET", "k").repeat(3_000));
      await()
          .until(
              () -> {
                String line = acme.call("CLIENT", "LIST", "ID", id);
                return Long.parseLong(group(line, " omem=(\\d+)")) > 100_000
                    && Long.parseLong(group(line, " qbuf=(\\d+)")) > 10_000
                    && Long.parseLong(group(line, " tot-mem=(\\d+)")) > 110_000;
              });
    }
  }

  @Test
  void aSessionMovesWhenItAuthenticatesAsAnotherTenant() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("SELECT", "orders");
      client.call("SET", "k", "v");
      assertThat(member.sessions().count(1)).isEqualTo(1);
      client.call("AUTH", "globex", TestMember.key("globex"));
      assertThat(member.sessions().count(1)).isZero();
      assertThat(member.sessions().count(2)).isEqualTo(1);
      client.call("SELECT", "orders");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
      client.call("RESET");
      assertThat(member.sessions().count()).isZero();
      assertThat(client.call("GET", "k")).isEqualTo(NO_AUTH);
    }
    await().until(() -> member.server().connections() == 0);
  }

  @Test
  void aRevokedKeyEndsItsSessionsAndNoOthers() throws IOException {
    try (WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex")) {
      assertThat(member.revoke("acme")).isEqualTo(1);
      assertThat(acme.isClosedByServer()).isTrue();
      assertThat(globex.call("PING")).isEqualTo("+PONG\r\n");
      await().until(() -> member.sessions().count() == 1);
    }
  }

  @Test
  void aKeyThatIsRevokedWhileASessionRegistersLetsNobodyIn() throws IOException {
    member.revokeQuietly("acme");
    try (WireClient client = member.connect()) {
      assertThat(client.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo(WRONG_PASS);
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aKeyIsNeverRepeated() throws IOException {
    String key = TestMember.key("acme");
    try (WireClient client = member.connect("acme")) {
      assertThat(client.call("AUHT", "acme", key)).doesNotContain("secret");
      assertThat(client.call(key, "x")).doesNotContain("secret");
      assertThat(client.call("AUTH", "acme", key, "x")).doesNotContain("secret");
      assertThat(client.call("HELLO", "3", "AUTH", key)).doesNotContain("secret");
      assertThat(client.call("HELLO", "3", key)).doesNotContain("secret");
      assertThat(client.call("CLIENT", "LIST")).doesNotContain("secret");
      assertThat(client.call("INFO")).doesNotContain("secret");
    }
  }

  @Test
  void whatATenantDoesIsMetered() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.send(
          new String(WireClient.request("SET", "k", "v"), java.nio.charset.StandardCharsets.UTF_8)
              .repeat(10));
      for (int i = 0; i < 10; i++) {
        client.reply();
      }
      client.call("AUTH", "acme", "wrong");
      Reading reading =
          member.meters().readings().stream()
              .filter(r -> r.door() == Door.RESP)
              .findFirst()
              .orElseThrow();
      assertThat(reading.tenant().value()).isEqualTo("acme");
      assertThat(reading.operations()).isEqualTo(11); // 10 SET and the second AUTH
      assertThat(reading.refused()).isEqualTo(1);
      int authBytes = WireClient.request("AUTH", "acme", "wrong").length;
      assertThat(reading.bytesIn())
          .isEqualTo(10L * WireClient.request("SET", "k", "v").length + authBytes);
      await().until(() -> member.meters().readings().getFirst().bytesOut() >= 50);
    }
  }

  @Test
  void aDevMemberNeedsNoKey() throws IOException {
    try (TestMember dev = TestMember.startDev(way, config -> config);
        WireClient client = dev.connect()) {
      assertThat(client.call("SET", "k", "v")).isEqualTo("+OK\r\n");
      assertThat(client.call("RESET")).isEqualTo("+RESET\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
      assertThat(client.call("AUTH", "acme", TestMember.key("acme"))).isEqualTo("+OK\r\n");
      assertThat(client.call("GET", "k")).isEqualTo("$-1\r\n");
    }
  }

  @Test
  void aClientTooManyIsToldSo() throws IOException {
    try (TestMember small = TestMember.startDev(way, config -> config.withMostClients(1));
        WireClient first = small.connect()) {
      first.call("PING");
      try (WireClient second = small.connect()) {
        assertThat(second.reply()).isEqualTo("-ERR max number of clients reached\r\n");
        assertThat(second.isClosedByServer()).isTrue();
      }
      assertThat(first.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void quitAnswersAndCloses() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.send("QUIT\r\nSET k v\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.isClosedByServer()).isTrue();
    }
    try (WireClient client = member.connect("acme")) {
      assertThat(client.call("EXISTS", "k")).isEqualTo(":0\r\n");
    }
  }

  @Test
  void aClientThatSendsNoMoreStillGetsItsReplies() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.send("SET k v\r\nGET k\r\n");
      client.shutdownOutput();
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\nv\r\n");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aMalformedFrameEndsOnlyItsConnection() throws IOException {
    try (WireClient good = member.connect("acme");
        WireClient bad = member.connect("acme")) {
      bad.send("SET k v\r\n*1\r\n$x\r\nGET k\r\n");
      assertThat(bad.reply()).isEqualTo("+OK\r\n");
      assertThat(bad.reply()).isEqualTo("-ERR Protocol error: invalid bulk length\r\n");
      assertThat(bad.isClosedByServer()).isTrue();
      assertThat(good.call("GET", "k")).isEqualTo("$1\r\nv\r\n");
    }
  }

  @Test
  void commandsDescribeThemselves() throws IOException {
    try (WireClient client = member.connect("acme")) {
      client.call("HELLO", "3");
      int count = Integer.parseInt(client.call("COMMAND", "COUNT").substring(1).strip());
      assertThat(count).isGreaterThan(50);
      assertThat(client.call("COMMAND")).startsWith("*" + count + "\r\n");
      assertThat(client.call("COMMAND", "INFO", "get", "client|list", "nosuch"))
          .startsWith("*3\r\n*10\r\n$3\r\nget\r\n:2\r\n~2\r\n")
          .contains("client|list")
          .endsWith("_\r\n");
      assertThat(client.call("COMMAND", "DOCS", "set"))
          .contains("unix-time-milliseconds", "oneof", "pure-token", "KEEPTTL");
      assertThat(client.call("COMMAND", "DOCS")).startsWith("%" + count + "\r\n");
      assertThat(client.call("COMMAND", "LIST", "FILTERBY", "PATTERN", "client|*"))
          .contains("client|kill");
      assertThat(client.call("CLIENT", "HELP")).contains("SETNAME connection-name");
    }
  }

  @Test
  void namesOfConnectionsAreBounded() throws IOException {
    try (WireClient client = member.connect("acme")) {
      String longest = "n".repeat(1024);
      assertThat(client.call("CLIENT", "SETNAME", longest)).isEqualTo("+OK\r\n");
      for (String[] command :
          new String[][] {
            {"CLIENT", "SETNAME", longest + "n"},
            {"CLIENT", "SETINFO", "LIB-NAME", longest + "n"},
            {"CLIENT", "SETINFO", "LIB-VER", longest + "n"},
            {"HELLO", "2", "SETNAME", longest + "n"}
          }) {
        assertThat(client.call(command))
            .startsWith("-ERR ")
            .contains("may have up to 1024 characters, and this has 1025");
      }
      assertThat(client.call("CLIENT", "GETNAME")).contains(longest);
    }
  }

  private static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group(1);
  }
}
