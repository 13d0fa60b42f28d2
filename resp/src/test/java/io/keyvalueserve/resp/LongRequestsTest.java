package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.KeyMap;
import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.gates.fairness.Slicing;
import io.keyvalueserve.resp.HeldEngine.HeldBatch;
import io.keyvalueserve.resp.RespServerConfig.OutputLimits;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a request on very many keys is answered as any other, and an event loop goes on meanwhile.
 */
class LongRequestsTest {
  private static final int KEYS = 1_500;

  /** A listing of them takes at least so many steps, here of such a length. */
  private static final int STEPS = KEYS / 128;

  private static final long STEP_NANOS = 40_000_000;

  /** More than go to the engine together. */
  private static final int MANY = 5_000;

  private static String[] keys(String command) {
    return keys(command, KEYS);
  }

  private static String[] keys(String command, int count) {
    return Stream.concat(Stream.of(command), IntStream.range(0, count).mapToObj(i -> "k" + i))
        .toArray(String[]::new);
  }

  private static String[] pairs(int count) {
    return Stream.concat(
            Stream.of("MSET"),
            IntStream.range(0, count).boxed().flatMap(i -> Stream.of("k" + i, "v" + i)))
        .toArray(String[]::new);
  }

  private static String values(int from) {
    StringBuilder values = new StringBuilder("*" + KEYS + "\r\n");
    for (int i = 0; i < KEYS; i++) {
      String value = "v" + i;
      values.append(i < from ? "$-1\r\n" : "$" + value.length() + "\r\n" + value + "\r\n");
    }
    return values.toString();
  }

  /** What KEYS answers when two are gone, in some order. */
  private static String listing() {
    StringBuilder listing = new StringBuilder("*" + (KEYS - 2) + "\r\n");
    for (int i = 2; i < KEYS; i++) {
      String key = "k" + i;
      listing.append('$').append(key.length()).append("\r\n").append(key).append("\r\n");
    }
    return listing.toString();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyLongRequestIsAnsweredAsAShortOne(Way way) throws Exception {
    try (TestMember member =
            TestMember.startFair(way.engine(InstantSource.system()), tenant -> 1, Slicing.DEFAULT);
        WireClient client = member.connect("acme")) {
      answersLongRequests(client);
      try (WireClient _ = member.connect("globex")) {
        answersLongRequests(client);
      }
    }
  }

  private static void answersLongRequests(WireClient client) throws Exception {
    assertThat(client.call("FLUSHALL")).isEqualTo("+OK\r\n");
    client.send(
        WireClient.requestText("ECHO", "before")
            + WireClient.requestText(pairs(KEYS))
            + WireClient.requestText(keys("MGET"))
            + WireClient.requestText("DEL", "k0", "k1")
            + WireClient.requestText(keys("EXISTS"))
            + WireClient.requestText(keys("TOUCH"))
            + WireClient.requestText(keys("MGET"))
            + WireClient.requestText("KEYS", "*")
            + WireClient.requestText(keys("UNLINK"))
            + WireClient.requestText("DBSIZE")
            + WireClient.requestText(pairs(3))
            + WireClient.requestText(keys("DEL")));
    assertThat(client.reply()).isEqualTo("$6\r\nbefore\r\n");
    assertThat(client.reply()).isEqualTo("+OK\r\n");
    assertThat(client.next(values(0).length())).isEqualTo(values(0));
    assertThat(client.reply()).isEqualTo(":2\r\n");
    assertThat(client.reply()).isEqualTo(":" + (KEYS - 2) + "\r\n");
    assertThat(client.reply()).isEqualTo(":" + (KEYS - 2) + "\r\n");
    assertThat(client.next(values(2).length())).isEqualTo(values(2));
    assertThat(client.next(listing().length()).split("\r\n", -1))
        .contains("*" + (KEYS - 2), "k2", "k" + (KEYS - 1))
        .hasSize(2 * KEYS - 2)
        .doesNotContain("k0");
    assertThat(client.reply()).isEqualTo(":" + (KEYS - 2) + "\r\n");
    assertThat(client.reply()).isEqualTo(":0\r\n");
    assertThat(client.reply()).isEqualTo("+OK\r\n");
    assertThat(client.reply()).isEqualTo(":3\r\n");
  }

  /** As many as are read at a stretch, one more, and others; missing, empty, long and doubled. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void valuesOfEveryLengthAreReadHoweverManyAreAskedFor(Way way) throws Exception {
    try (TestMember member =
            TestMember.startFair(way.engine(InstantSource.system()), tenant -> 1, Slicing.DEFAULT);
        WireClient client = member.connect("acme")) {
      int[] lengths = {0, 1, 9, 10, 99, 100, 9_999, 16_383, 16_384, 20_000, 100_000};
      for (int length : lengths) {
        assertThat(client.call("SET", "v" + length, "x".repeat(length))).isEqualTo("+OK\r\n");
      }
      for (String hello : new String[] {"2", "3"}) {
        client.call("HELLO", hello);
        String none = hello.equals("2") ? "$-1\r\n" : "_\r\n";
        for (int count : new int[] {256, 257, 300, 1_024, 1_025}) {
          String[] request = new String[count + 1];
          StringBuilder reply = new StringBuilder("*" + count + "\r\n");
          request[0] = "MGET";
          for (int i = 1; i <= count; i++) {
            int length = lengths[i % lengths.length];
            boolean isThere = i % 7 != 0 && (length < 9_999 || i % 50 == 1);
            request[i] = (isThere ? "v" : "absent") + length;
            reply.append(isThere ? "$" + length + "\r\n" + "x".repeat(length) + "\r\n" : none);
          }
          client.send(WireClient.requestText(request));
          assertThat(client.next(reply.length()).equals(reply.toString()))
              .as("%s values, RESP%s", count, hello)
              .isTrue();
        }
      }
    }
  }

  @Test
  void othersAreServedWhileALongRequestGoesOn() throws Exception {
    for (String rival : new String[] {"acme", "globex"}) {
      AtomicInteger asked = new AtomicInteger();
      MapEngine engine =
          new MapEngine(
              InstantSource.system(),
              () -> {
                asked.incrementAndGet();
                spin(200_000_000 / KEYS);
                return false;
              });
      try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
          WireClient client = member.connect("acme");
          WireClient other = member.connect(rival)) {
        client.send(WireClient.requestText(keys("MGET")));
        while (asked.get() == 0) {
          Thread.onSpinWait();
        }
        assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
        assertThat(asked).as("reads when %s had its reply", rival).hasValueLessThan(KEYS);
        assertThat(client.next(5 * KEYS)).startsWith("*" + KEYS + "\r\n");
      }
    }
  }

  /** Replies of an event loop share a buffer: who waits for a turn may leave nothing in it. */
  @Test
  void othersAreServedWhileAPipelineClearsMapsInTheBackground() throws Exception {
    int clears = 100;
    int pings = 2_000;
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system()));
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient client = member.connect("acme");
        WireClient other = member.connect("globex")) {
      client.send(WireClient.requestText("FLUSHALL").repeat(clears));
      String pongs = "+PONG\r\n".repeat(pings);
      for (int i = 0; i < clears; i++) {
        other.send(WireClient.requestText("PING").repeat(pings));
        assertThat(other.next(pongs.length()).equals(pongs)).isTrue();
      }
      assertThat(client.next(5 * clears)).isEqualTo("+OK\r\n".repeat(clears));
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aScanLooksAtAboutAsManyKeysAsAskedForWhateverMatches(Way way) throws Exception {
    try (TestMember member = TestMember.start(way);
        WireClient client = member.connect("acme")) {
      assertThat(client.call(pairs(KEYS))).isEqualTo("+OK\r\n");
      for (String match : new String[] {"none*", "*"}) {
        String page = client.call("SCAN", "0", "MATCH", match, "COUNT", "10");
        assertThat(page).startsWith("*2\r\n$").doesNotStartWith("*2\r\n$1\r\n0\r\n");
        assertThat(page.split("\r\n", -1)).hasSizeLessThan(400);
      }
    }
  }

  @Test
  void othersAreServedWhileKeysAreListed() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicBoolean lists = new AtomicBoolean();
    MapEngine engine =
        new MapEngine(
            InstantSource.system(),
            () -> {
              if (lists.get()) {
                asked.incrementAndGet();
                spin(STEP_NANOS);
              }
              return false;
            });
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient client = member.connect("acme");
        WireClient other = member.connect("globex")) {
      assertThat(client.call(pairs(KEYS))).isEqualTo("+OK\r\n");
      assertThat(client.call("DEL", "k0", "k1")).isEqualTo(":2\r\n");
      lists.set(true);
      client.send(WireClient.requestText("KEYS", "*"));
      while (asked.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
      assertThat(asked).as("steps when the other had its reply").hasValueLessThan(STEPS);
      assertThat(client.next(listing().length())).startsWith("*" + (KEYS - 2) + "\r\n");
      assertThat(asked).hasValueGreaterThanOrEqualTo(STEPS);
    }
  }

  /** Each listing takes 100 keys times 60,000 steps. */
  @Test
  void othersAreServedWhileKeysAreMatchedWithCostlyPatterns() throws Exception {
    int listings = 8;
    AtomicInteger asked = new AtomicInteger();
    MapEngine engine =
        new MapEngine(
            InstantSource.system(),
            () -> {
              asked.incrementAndGet();
              return false;
            });
    try (TestMember member = TestMember.startFair(engine, tenant -> 1, Slicing.DEFAULT);
        WireClient client = member.connect("acme");
        WireClient other = member.connect("globex")) {
      String key = "a".repeat(1_000);
      for (int i = 0; i < 100; i++) {
        assertThat(client.call("SET", i + key, "")).isEqualTo("+OK\r\n");
      }
      asked.set(0);
      String costly = "*" + "a".repeat(60) + "b";
      client.send(WireClient.requestText("KEYS", costly).repeat(listings));
      while (asked.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
      int parts = asked.get();
      assertThat(client.next(4 * listings)).isEqualTo("*0\r\n".repeat(listings));
      assertThat(parts).as("parts when the other had its reply").isLessThan(asked.get() / 2);
      assertThat(asked.get() / listings).as("parts of each listing").isGreaterThanOrEqualTo(100);
      assertThat(client.call("KEYS", "*" + "a".repeat(100) + "b"))
          .startsWith("-ERR the pattern takes more than 65536 steps for a key of 100");
      assertThat(client.call("CONFIG", "GET", "*".repeat(100_000) + "?".repeat(1_000)))
          .startsWith("-ERR the pattern takes more than 65536 steps for a key of ");
      assertThat(client.call("KEYS", "99*")).startsWith("*1\r\n$1002\r\n");
    }
  }

  private static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatTheMapCannotDoAtOnceGoesToTheEngineManyTogether() throws Exception {
    AtomicBoolean declines = new AtomicBoolean();
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system(), declines::get));
    try (TestMember member = TestMember.start(engine, config -> config);
        WireClient client = member.connect("acme")) {
      declines.set(true);
      client.send(WireClient.requestText(keys("EXISTS", MANY)) + WireClient.requestText("PING"));
      HeldBatch first = engine.next();
      assertThat(first.commands()).hasSize(4096);
      assertThat(engine.waiting()).isZero();
      first.release();
      HeldBatch second = engine.next();
      assertThat(second.commands()).hasSize(MANY - 4096);
      second.release();
      assertThat(client.reply()).isEqualTo(":0\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
    }
  }

  /** Beyond the most that is one write, nobody waits until the loop has handed all of it over. */
  @Test
  void veryManyEntriesGoToTheEngineInParts() throws Exception {
    AtomicBoolean declines = new AtomicBoolean();
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system(), declines::get));
    try (TestMember member = TestMember.start(engine, config -> config);
        WireClient client = member.connect("acme")) {
      declines.set(true);
      client.send(WireClient.requestText(pairs(MANY)));
      HeldBatch whole = engine.next();
      assertThat(whole.commands()).hasSize(MANY);
      whole.release();
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      int most = KeyMap.MOST_TOGETHER;
      client.send(WireClient.requestText(pairs(most + 1)));
      for (int left = most + 1; left > 0; ) {
        HeldBatch part = engine.next();
        assertThat(part.commands()).hasSize(Math.min(left, 4_096));
        assertThat(engine.waiting()).isZero();
        left -= part.commands().size();
        part.release();
      }
      assertThat(client.reply()).isEqualTo("+OK\r\n");
    }
  }

  @Test
  void valuesThatTheMapCannotGiveAtOnceAreAskedOfTheEngineEverMoreTogether() throws Exception {
    AtomicBoolean declines = new AtomicBoolean();
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system(), declines::get));
    try (TestMember member = TestMember.start(engine, config -> config);
        WireClient client = member.connect("acme")) {
      declines.set(true);
      client.send(WireClient.requestText(keys("MGET", MANY)) + WireClient.requestText("PING"));
      int asked = 0;
      for (int together : new int[] {256, 512, 1_024, 2_048}) {
        asked += together;
        HeldBatch batch = engine.next();
        assertThat(batch.commands()).hasSize(together);
        assertThat(engine.waiting()).isZero();
        batch.release();
      }
      HeldBatch last = engine.next();
      assertThat(last.commands()).hasSize(MANY - asked);
      last.release();
      String nothing = "*" + MANY + "\r\n" + "$-1\r\n".repeat(MANY);
      assertThat(client.next(nothing.length())).isEqualTo(nothing);
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void valuesTooLongForOneReplyAreRefusedAndTheConnectionGoesOn() throws Exception {
    int most = 100_000;
    try (TestMember member =
            TestMember.start(
                new MapEngine(InstantSource.system()),
                config ->
                    config.withOutput(
                        new OutputLimits(
                            config.output().holdBackBytes(),
                            most,
                            config.output().longestStall())));
        WireClient client = member.connect("acme")) {
      assertThat(client.call("SET", "k", "x".repeat(1_000))).isEqualTo("+OK\r\n");
      String[] request = new String[301];
      Arrays.fill(request, "k");
      request[0] = "MGET";
      assertThat(client.call(request)).startsWith("-ERR the values are too long for one reply");
      assertThat(client.call("PING")).isEqualTo("+PONG\r\n");
    }
  }

  @Test
  void aSessionThatEndsInTheMiddleIsForgotten() throws Exception {
    HeldEngine engine =
        new HeldEngine(new MapEngine(InstantSource.system(), new Random(1)::nextBoolean));
    try (TestMember member = TestMember.start(engine, config -> config)) {
      try (WireClient client = member.connect("acme")) {
        client.send(WireClient.requestText(keys("MGET")));
        HeldBatch batch = engine.next();
        member.revoke("acme");
        assertThat(client.isClosedByServer()).isTrue();
        batch.release();
      }
      try (WireClient other = member.connect("globex")) {
        assertThat(other.call("PING")).isEqualTo("+PONG\r\n");
      }
      assertThat(engine.waiting()).isZero();
    }
  }
}
