package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.resp.RespServerConfig.OutputLimits;
import io.keyvalueserve.resp.watch.Monitors;
import io.keyvalueserve.resp.watch.TenantDesk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: a tenant administers its own sessions and sees its own requests, and no other tenant's. */
class AdministrationTest {

  /** Over each way that requests take. */
  @Nested
  @ParameterizedClass
  @EnumSource(Way.class)
  class OverEachWay {
    private final Way way;
    private TestMember member;

    OverEachWay(Way way) {
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

    @ParameterizedTest
    @ValueSource(strings = {"2", "3"})
    void aTenantSeesItsOwnSlowRequestsOnly(String protocol) throws IOException {
      try (WireClient acme = member.connect("acme");
          WireClient globex = member.connect("globex")) {
        acme.call("HELLO", protocol);
        acme.call("CLIENT", "SETNAME", "app");
        assertThat(acme.call("CONFIG", "SET", "slowlog-log-slower-than", "0")).isEqualTo("+OK\r\n");
        acme.call("SET", "mine", "1");
        globex.call("SET", "theirs", "1");
        String log = acme.call("SLOWLOG", "GET");
        assertThat(log).contains("mine", "app", "127.0.0.1:").doesNotContain("theirs");
        assertThat(WireReply.elements(log)).hasSize(2); // CONFIG SET, SET
        assertThat(globex.call("SLOWLOG", "GET")).doesNotContain("mine");
        assertThat(globex.call("CONFIG", "GET", "slowlog-log-slower-than")).contains("10000");
        assertThat(globex.call("SLOWLOG", "RESET")).isEqualTo("+OK\r\n");
        assertThat(acme.call("SLOWLOG", "LEN")).isEqualTo(":3\r\n"); // and SLOWLOG GET
        assertThat(acme.call("SLOWLOG", "HELP")).contains("GET [count]");
        assertThat(acme.call("SLOWLOG", "RESET")).isEqualTo("+OK\r\n");
        acme.call("AUTH", "acme", TestMember.key("acme"));
        acme.call("HELLO", protocol, "AUTH", "acme", TestMember.key("acme"));
        assertThat(acme.call("SLOWLOG", "GET"))
            .contains("(redacted)", "HELLO", "AUTH")
            .doesNotContain("secret");
      }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "3"})
    void aMonitorSeesItsTenantsRequestsAndNoOthers(String protocol) throws IOException {
      try (WireClient monitor = member.connect("acme");
          WireClient acme = member.connect("acme");
          WireClient globex = member.connect("globex");
          WireClient globexMonitor = member.connect("globex")) {
        monitor.call("HELLO", protocol);
        assertThat(monitor.call("MONITOR")).isEqualTo("+OK\r\n");
        assertThat(globexMonitor.call("MONITOR")).isEqualTo("+OK\r\n");
        globex.call("SET", "theirs", "1");
        acme.call("AUTH", "acme/orders", TestMember.key("acme"));
        acme.call("SET", "mine", "a\nb");
        acme.call("CONFIG", "GET", "timeout"); // not shown: it administers
        acme.call("DBSIZE");
        assertThat(monitor.reply())
            .matches("\\+\\d+\\.\\d{6} \\[0 127.*] \"AUTH\" \"\\(redacted\\)\" \"\\(r.*\"\r\n");
        assertThat(monitor.reply())
            .matches("\\+\\d+\\.\\d{6} \\[orders 127\\S+] \"SET\" \"mine\" \"a\\\\nb\"\r\n");
        assertThat(monitor.reply()).contains("\"DBSIZE\"");
        assertThat(globexMonitor.reply()).contains("\"SET\" \"theirs\" \"1\"");
        assertThat(acme.call("CLIENT", "LIST")).contains("flags=O ");
        // It may send requests itself, and is shown them.
        monitor.send(WireClient.request("GET", "k"));
        assertThat(List.of(monitor.reply(), monitor.reply()))
            .anyMatch(line -> line.contains("\"GET\" \"k\""));
        assertThat(monitor.call("RESET")).isEqualTo("+RESET\r\n");
        await().until(() -> !acme.call("CLIENT", "LIST").contains("flags=O "));
        monitor.call("AUTH", "globex", TestMember.key("globex"));
        acme.call("SET", "after", "1");
        assertThat(monitor.call("ECHO", "only this")).isEqualTo("$9\r\nonly this\r\n");
        globexMonitor.send(WireClient.request("QUIT"));
        assertThat(globexMonitor.rest()).doesNotContain("mine", "after");
      }
    }

    @Test
    void linesOfAMonitorAreNotWrittenIntoRepliesThatComeInParts() throws Exception {
      int keys = 3_000;
      try (WireClient monitor = member.connect("acme");
          WireClient acme = member.connect("acme")) {
        for (int i = 0; i < keys; i++) {
          acme.send(WireClient.request("SET", "k" + i, "v"));
        }
        for (int i = 0; i < keys; i++) {
          acme.reply();
        }
        monitor.call("MONITOR");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread traffic =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        while (!isOver.get()) {
                          acme.call("PING");
                        }
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    });
        try {
          for (int round = 0; round < 20; round++) {
            monitor.send(WireClient.request("KEYS", "*"));
            String reply;
            do {
              reply = monitor.reply();
            } while (reply.startsWith("+"));
            assertThat(reply).startsWith("*" + keys + "\r\n").doesNotContain("PING");
          }
        } finally {
          isOver.set(true);
          traffic.join();
        }
      }
    }

    @Test
    void aMonitorThatBecomesAnotherTenantSeesNothingMore() throws IOException {
      try (WireClient monitor = member.connect("acme");
          WireClient acme = member.connect("acme")) {
        monitor.call("MONITOR");
        acme.call("SET", "before", "1");
        assertThat(monitor.reply()).contains("before");
        monitor.send(WireClient.request("AUTH", "globex", TestMember.key("globex")));
        String reply = monitor.reply();
        if (reply.contains("AUTH")) {
          assertThat(reply).doesNotContain("secret");
          reply = monitor.reply();
        }
        assertThat(reply).isEqualTo("+OK\r\n");
        acme.call("SET", "after", "1");
        assertThat(monitor.call("ECHO", "x")).isEqualTo("$1\r\nx\r\n");
      }
    }

    @Test
    void aPauseHoldsTheTenantsOwnRequestsInTheirOrder() throws IOException {
      try (WireClient acme = member.connect("acme");
          WireClient other = member.connect("acme");
          WireClient globex = member.connect("globex")) {
        assertThat(acme.call("CLIENT", "PAUSE", "1000000", "WRITE")).isEqualTo("+OK\r\n");
        assertThat(other.call("GET", "k")).isEqualTo("$-1\r\n"); // reads go on
        assertThat(globex.call("SET", "k", "1")).isEqualTo("+OK\r\n");
        other.send(
            WireClient.requestText("SET", "k", "1")
                + WireClient.requestText("GET", "k")
                + WireClient.requestText("INCR", "k"));
        assertThat(acme.call("GET", "k")).isEqualTo("$-1\r\n"); // it is not done yet
        assertThat(acme.call("CLIENT", "UNPAUSE")).isEqualTo("+OK\r\n");
        assertThat(other.reply()).isEqualTo("+OK\r\n");
        assertThat(other.reply()).isEqualTo("$1\r\n1\r\n");
        assertThat(other.reply()).isEqualTo(":2\r\n");

        assertThat(acme.call("CLIENT", "PAUSE", "1000000")).isEqualTo("+OK\r\n");
        other.send(WireClient.request("PING"));
        assertThat(globex.call("PING")).isEqualTo("+PONG\r\n");
        try (WireClient fresh = member.connect("acme")) { // may authenticate, and waits then
          fresh.send(WireClient.request("GET", "k"));
          assertThat(globex.call("CLIENT", "UNPAUSE")).isEqualTo("+OK\r\n"); // not of acme
          assertThat(acme.call("CLIENT", "UNPAUSE")).isEqualTo("+OK\r\n");
          assertThat(fresh.reply()).isEqualTo("$1\r\n2\r\n");
        }
        assertThat(other.reply()).isEqualTo("+PONG\r\n");
      }
    }

    /** Redis counts as writes what may write. */
    @Test
    void aPauseOfWritesHoldsBlocksAndScriptsThatMayWrite() throws IOException {
      try (WireClient acme = member.connect("acme");
          WireClient block = member.connect("acme");
          WireClient reading = member.connect("acme");
          WireClient script = member.connect("acme")) {
        block.call("MULTI");
        block.call("SET", "k", "1");
        reading.call("MULTI");
        reading.call("GET", "k");
        assertThat(acme.call("CLIENT", "PAUSE", "1000000", "WRITE")).isEqualTo("+OK\r\n");
        block.send(WireClient.request("EXEC"));
        script.send(WireClient.request("EVAL", "return redis.call('SET', 'k', '2')", "0"));
        assertThat(reading.call("EXEC")).isEqualTo("*1\r\n$-1\r\n");
        assertThat(reading.call("EVAL_RO", "return redis.call('GET', 'k')", "0"))
            .isEqualTo("$-1\r\n");
        assertThat(acme.call("GET", "k")).isEqualTo("$-1\r\n");
        assertThat(acme.call("CLIENT", "PAUSE", "1000000")).isEqualTo("+OK\r\n");
        assertThat(reading.call("CLIENT", "GETNAME")).isEqualTo("$-1\r\n");
        assertThat(acme.call("CLIENT", "UNPAUSE")).isEqualTo("+OK\r\n");
        assertThat(block.reply()).isEqualTo("*1\r\n+OK\r\n");
        assertThat(script.reply()).isEqualTo("+OK\r\n");
      }
    }

    /** The first of them goes to the engine, and those behind must not go with it. */
    @Test
    void aPauseOfWritesHoldsThoseThatCameWithReads() throws IOException {
      try (WireClient acme = member.connect("acme");
          WireClient other = member.connect("acme")) {
        acme.call("CLIENT", "PAUSE", "1000000", "WRITE");
        other.send(WireClient.requestText("GET", "k") + WireClient.requestText("SET", "k", "1"));
        assertThat(other.reply()).isEqualTo("$-1\r\n");
        assertThat(acme.call("GET", "k")).isEqualTo("$-1\r\n");
        acme.call("CLIENT", "UNPAUSE");
        assertThat(other.reply()).isEqualTo("+OK\r\n");
      }
    }

    @Test
    void aMonitorSeesTheCommandsOfABlockBeforeItsEnd() throws IOException {
      try (WireClient monitor = member.connect("acme");
          WireClient acme = member.connect("acme")) {
        assertThat(monitor.call("MONITOR")).isEqualTo("+OK\r\n");
        acme.call("MULTI");
        acme.call("SET", "k", "1");
        acme.call("ECHO", "x");
        acme.call("EXEC");
        acme.call("GET", "k");
        for (String line :
            List.of("\"MULTI\"", "\"SET\" \"k\" \"1\"", "\"ECHO\" \"x\"", "\"EXEC\"", "\"GET\"")) {
          assertThat(monitor.reply()).contains(line);
        }
      }
    }

    /** All tenants share the memory of large values. */
    @Test
    void aLargeValueDoesNotWaitForTheEndOfAPause() throws IOException {
      String large = "v".repeat(4 << 20);
      try (WireClient acme = member.connect("acme");
          WireClient other = member.connect("acme")) {
        acme.call("CLIENT", "PAUSE", "1000000");
        assertThat(other.call("SET", "large", large))
            .startsWith("-ERR not executed: the tenant has paused its clients");
        other.send(WireClient.request("SET", "small", "1"));
        byte[] request = WireClient.request("SET", "large", large);
        // It need not be read before the pause ends.
        CompletableFuture<Void> sent =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    other.send(request);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        acme.call("CLIENT", "UNPAUSE");
        assertThat(other.reply()).isEqualTo("+OK\r\n");
        assertThat(other.reply())
            .satisfiesAnyOf( // what had come before the end was refused
                reply -> assertThat(reply).isEqualTo("+OK\r\n"),
                reply -> assertThat(reply).startsWith("-ERR not executed"));
        sent.join();
        assertThat(other.call("EXISTS", "small")).isEqualTo(":1\r\n");
      }
    }

    @Test
    void aPauseEndsByItself() throws IOException {
      try (WireClient acme = member.connect("acme")) {
        long begun = System.nanoTime();
        acme.send(
            WireClient.requestText("CLIENT", "PAUSE", "200") + WireClient.requestText("PING"));
        assertThat(acme.reply()).isEqualTo("+OK\r\n");
        assertThat(acme.reply()).isEqualTo("+PONG\r\n");
        assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(199));
        assertThat(acme.call("SET", "k", "1")).isEqualTo("+OK\r\n");
      }
    }
  }

  @Test
  void repliesThatAreNotWantedAreNotMetered() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient acme = member.connect("acme")) {
      acme.call("SET", "k", "v".repeat(100_000));
      acme.send(WireClient.request("CLIENT", "REPLY", "OFF"));
      for (int i = 0; i < 20; i++) {
        acme.send(WireClient.request("GET", "k"));
      }
      acme.send(WireClient.request("CLIENT", "REPLY", "ON"));
      assertThat(acme.reply()).isEqualTo("+OK\r\n");
      assertThat(acme.call("GET", "k")).hasSize(100_011);
      String sent = acme.call("INFO", "stats").replaceAll("(?s).*net_output_bytes:(\\d+).*", "$1");
      assertThat(Long.parseLong(sent)).isLessThan(200_000);
    }
  }

  @Test
  void theSlowestOfABatchIsLoggedWithItsTime() throws Exception {
    AtomicLong nanos = new AtomicLong(1_000);
    HeldEngine engine = new HeldEngine(Way.QUEUED.engine(InstantSource.system()));
    try (TestMember member = TestMember.startTimed(engine, nanos::get);
        WireClient acme = member.connect("acme")) {
      acme.send(WireClient.request("GET", "slow"));
      HeldEngine.HeldBatch batch = engine.next();
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(12));
      batch.release();
      acme.reply();
      acme.send(WireClient.request("GET", "quick"));
      HeldEngine.HeldBatch next = engine.next();
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(9));
      next.release();
      acme.reply();
      String log = acme.call("SLOWLOG", "GET");
      assertThat(WireReply.elements(log)).hasSize(1);
      assertThat(log).contains(":12000\r\n", "slow");

      assertThat(acme.call("CONFIG", "SET", "latency-monitor-threshold", "5")).contains("OK");
      acme.send(WireClient.requestText("GET", "a") + WireClient.requestText("GET", "b"));
      HeldEngine.HeldBatch first = engine.next();
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(7));
      first.release();
      acme.reply();
      if (first.commands().size() == 1) {
        engine.next().release();
      }
      acme.reply();
      assertThat(acme.call("LATENCY", "LATEST")).contains("fast-command", ":7\r\n");
      assertThat(acme.call("LATENCY", "HISTORY", "fast-command")).contains(":7\r\n");
      assertThat(acme.call("SLOWLOG", "LEN")).isEqualTo(":1\r\n");
    }
  }

  @Test
  void aMonitorThatDoesNotReadIsCutOff() throws IOException {
    OutputLimits patient = new OutputLimits(64 * 1024, 1L << 40, Duration.ofDays(1));
    try (TestMember member =
            TestMember.start(
                Way.DIRECT.engine(InstantSource.system()), config -> config.withOutput(patient));
        WireClient monitor = new WireClient(member.port(), 4096);
        WireClient acme = member.connect("acme")) {
      monitor.call("AUTH", "acme", TestMember.key("acme"));
      monitor.call("MONITOR");
      String value = "v".repeat(1_000);
      byte[] requests =
          WireClient.requestText("SET", "k", value)
              .repeat(500)
              .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
      await()
          .until(
              () -> {
                acme.send(requests);
                for (int i = 0; i < 500; i++) {
                  assertThat(acme.reply()).isEqualTo("+OK\r\n");
                }
                return !acme.call("CLIENT", "LIST").contains("flags=O ");
              });
    }
  }

  /** It may only listen, so it sends nothing. */
  @Test
  void aSubscriberIsNotIdle() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient acme = member.connect("acme");
        WireClient subscriber = member.connect("acme");
        WireClient idle = member.connect("acme")) {
      subscriber.call("SUBSCRIBE", "news");
      assertThat(acme.call("CONFIG", "SET", "timeout", "1")).isEqualTo("+OK\r\n");
      assertThat(idle.rest()).isEmpty();
      try (WireClient publisher = member.connect("acme")) {
        assertThat(publisher.call("PUBLISH", "news", "still here")).isEqualTo(":1\r\n");
      }
      assertThat(subscriber.reply()).contains("still here");
    }
  }

  @Test
  void commandGetKeysFindsKeysWhosePlacesArgumentsSay() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient acme = member.connect("acme")) {
      String ofTwo = "*2\r\n$1\r\na\r\n$1\r\nb\r\n";
      for (List<String> request :
          List.of(
              List.of("EVAL", "x", "2", "a", "b", "c"),
              List.of("EVALSHA_RO", "x", "2", "a", "b", "c"),
              List.of("ZUNION", "2", "a", "b", "WEIGHTS", "1", "2"),
              List.of("ZUNIONSTORE", "a", "1", "b"),
              List.of("SINTERCARD", "2", "a", "b", "LIMIT", "3"),
              List.of("ZINTERCARD", "2", "a", "b"),
              List.of("LMPOP", "2", "a", "b", "LEFT"),
              List.of("ZMPOP", "2", "a", "b", "MIN"))) {
        List<String> words = new ArrayList<>(List.of("COMMAND", "GETKEYS"));
        words.addAll(request);
        assertThat(acme.call(words.toArray(String[]::new))).isEqualTo(ofTwo);
        assertThat(acme.call("COMMAND", "INFO", request.getFirst())).contains("movablekeys");
      }
      assertThat(acme.call("COMMAND", "GETKEYS", "ZUNION", "3", "a", "b"))
          .startsWith("-ERR Invalid arguments");
    }
  }

  @Test
  void aTenantSetsItsOwnParametersOnly() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient acme = member.connect("acme")) {
      assertThat(acme.call("CONFIG", "SET", "maxmemory", "100mb"))
          .isEqualTo(
              "-ERR CONFIG SET failed (possibly related to argument 'maxmemory') - the operator"
                  + " limits memory (kvs quota set TENANT --memory BYTES)\r\n");
      assertThat(acme.call("CONFIG", "SET", "maxmemory", "0")).isEqualTo("+OK\r\n"); // it is so
      assertThat(acme.call("CONFIG", "SET", "slowlog-max-len", "7", "appendonly", "yes"))
          .contains("appendonly");
      assertThat(acme.call("CONFIG", "GET", "slowlog-max-len")).contains("128"); // all or nothing
      assertThat(acme.call("CONFIG", "SET", "slowlog-max-len", "1025"))
          .contains("must be between 0 and 1024");
    }
  }

  @Test
  void accessIsThatOfTheTenant() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient acme = member.connect("acme")) {
      assertThat(acme.call("ACL", "WHOAMI")).isEqualTo("$4\r\nacme\r\n");
      assertThat(acme.call("ACL", "USERS")).isEqualTo("*1\r\n$4\r\nacme\r\n");
      assertThat(acme.call("ACL", "LIST")).contains("user acme on ~* &* +@all");
      assertThat(acme.call("ACL", "GETUSER", "globex")).isEqualTo("$-1\r\n");
      assertThat(acme.call("ACL", "GETUSER", "acme")).contains("granted-maps");
      assertThat(acme.call("ACL", "DRYRUN", "acme", "GET", "k")).isEqualTo("+OK\r\n");
      assertThat(acme.call("ACL", "DRYRUN", "acme", "GET")).contains("wrong number of arguments");
      assertThat(acme.call("ACL", "DRYRUN", "acme", "NOSUCH"))
          .isEqualTo("-ERR Command 'NOSUCH' not found\r\n");
      assertThat(acme.call("ACL", "CAT", "string")).contains("getrange").doesNotContain("client");
      assertThat(acme.call("ACL", "GENPASS")).hasSize(5 + 64 + 2);
      assertThat(acme.call("ACL", "GENPASS", "5")).startsWith("$2\r\n");
      assertThat(acme.call("ACL", "SETUSER", "x")).contains("kvs key create");
      assertThat(acme.call("LASTSAVE")).isEqualTo(":0\r\n"); // the test's member began then
      assertThat(acme.call("LOLWUT", "VERSION", "5")).contains("KeyValueServe ver. 0.1.0");
      assertThat(acme.call("INFO", "modules")).contains("# Modules");
    }
  }

  @Test
  void whatATenantHadIsForgottenWithIt() throws IOException {
    try (TestMember member = TestMember.start()) {
      try (WireClient acme = member.connect("acme")) {
        acme.call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        acme.call("PING");
        assertThat(acme.call("SLOWLOG", "LEN")).isNotEqualTo(":0\r\n");
      }
      member.server().forget(1);
      try (WireClient acme = member.connect("acme")) {
        assertThat(acme.call("SLOWLOG", "LEN")).isEqualTo(":0\r\n");
        assertThat(acme.call("CONFIG", "GET", "slowlog-log-slower-than"))
            .contains(Long.toString(TenantDesk.USUAL_SLOW_MICROS));
      }
    }
  }

  @Test
  void anIdleSessionIsEndedIfItsTenantHasSetATimeout() throws IOException {
    try (TestMember member = TestMember.start();
        WireClient idle = member.connect("acme");
        WireClient acme = member.connect("acme");
        WireClient globex = member.connect("globex")) {
      assertThat(acme.call("CONFIG", "SET", "timeout", "1")).isEqualTo("+OK\r\n");
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(globex.call("PING")).isEqualTo("+PONG\r\n");
      try (WireClient fresh = member.connect("acme")) {
        assertThat(fresh.call("CONFIG", "GET", "timeout")).contains("$1\r\n1\r\n");
        assertThat(fresh.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void aTenantHasAFewMonitorsAtAMember() throws IOException {
    try (TestMember member = TestMember.start()) {
      List<WireClient> monitors = new ArrayList<>();
      for (int i = 0; i < Monitors.MOST; i++) {
        monitors.add(member.connect("acme"));
        assertThat(monitors.getLast().call("MONITOR")).isEqualTo("+OK\r\n");
      }
      try (WireClient acme = member.connect("acme");
          WireClient globex = member.connect("globex")) {
        assertThat(acme.call("MONITOR")).startsWith("-ERR 16 connections of the tenant monitor");
        assertThat(globex.call("MONITOR")).isEqualTo("+OK\r\n");
        monitors.removeLast().close();
        await().until(() -> acme.call("MONITOR").equals("+OK\r\n"));
      } finally {
        for (WireClient monitor : monitors) {
          monitor.close();
        }
      }
    }
  }
}
