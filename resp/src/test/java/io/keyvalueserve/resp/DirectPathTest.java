package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.resp.HeldEngine.HeldBatch;
import java.io.ByteArrayOutputStream;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: which way a request goes cannot be told from the replies: neither from their bytes nor from
 * their order.
 */
class DirectPathTest {
  private static final int STREAMS = 400;
  private static final int MOST_REQUESTS = 60;
  private static final int LONG_STREAMS = 30;

  /** Replies to random streams, whole and in pieces, are those of the way that queues. */
  @Test
  void anyStreamIsAnsweredAlikeWhateverIsDeclined() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < STREAMS; i++) {
      byte[] stream = stream(random);
      String expected = queued(stream, random);
      for (Way way : Way.values()) {
        try (EmbeddedSession whole = session(way, random);
            EmbeddedSession pieces = session(way, random);
            EmbeddedSession slices = inSlices(way, random)) {
          assertThat(whole.send(stream)).as("seed=%d %s whole", seed, way).isEqualTo(expected);
          assertThat(pieces.send(stream, random))
              .as("seed=%d %s in pieces", seed, way)
              .isEqualTo(expected);
          assertThat(slices.send(stream)).as("seed=%d %s in slices", seed, way).isEqualTo(expected);
        }
      }
    }
  }

  /** Of what is longer than a slice copies at once, nothing is served twice or left out. */
  @Test
  void longStreamsAreAnsweredAlikeInSlices() {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < LONG_STREAMS; i++) {
      byte[] stream = longStream(random);
      String expected = queued(stream, random);
      for (Way way : Way.values()) {
        try (EmbeddedSession whole = session(way, random);
            EmbeddedSession slices = inSlices(way, random)) {
          assertThat(whole.sendOffHeap(stream)).as("seed=%d %s", seed, way).isEqualTo(expected);
          assertThat(slices.sendOffHeap(stream))
              .as("seed=%d %s in slices", seed, way)
              .isEqualTo(expected);
        }
      }
    }
  }

  private static String queued(byte[] stream, Random random) {
    try (EmbeddedSession session = session(Way.QUEUED, random)) {
      return session.send(stream);
    }
  }

  private static byte[] longStream(Random random) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    int length = 10_000 + random.nextInt(60_000);
    while (stream.size() < length) {
      stream.writeBytes(
          random.nextInt(200) == 0
              ? WireClient.request("SET", "large", "l".repeat(random.nextInt(30_000)))
              : WireClient.request(command(random)));
    }
    return stream.toByteArray();
  }

  @Test
  void aReadThatIsDeclinedHalfWayLeavesNothingBehind() {
    // The values of MGET are asked for in order, each twice: before and after it is copied.
    for (int declinedAt = 3; declinedAt < 12; declinedAt++) {
      try (EmbeddedSession session = session(declinedAt)) {
        assertThat(session.send(request("SET", "a", "1") + request("SET", "b", "22")))
            .isEqualTo("+OK\r\n+OK\r\n");
        assertThat(session.send(request("MGET", "a", "b", "a", "nothing") + request("GET", "a")))
            .isEqualTo("*4\r\n$1\r\n1\r\n$2\r\n22\r\n$1\r\n1\r\n$-1\r\n$1\r\n1\r\n");
      }
    }
  }

  @Test
  void aWriteThatIsDeclinedHalfWayIsDoneOnce() {
    for (int declinedAt = 2; declinedAt < 8; declinedAt++) {
      try (EmbeddedSession session = session(declinedAt)) {
        assertThat(session.send(request("MSET", "a", "1", "b", "2", "c", "3")))
            .isEqualTo("+OK\r\n");
        assertThat(session.send(request("DEL", "a", "b", "c", "a"))).isEqualTo(":3\r\n");
      }
    }
  }

  @Test
  void whatComesBehindARequestThatWaitsWaitsToo() throws Exception {
    AtomicBoolean declines = new AtomicBoolean();
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system(), declines::get));
    try (TestMember member = TestMember.start(engine, config -> config);
        WireClient client = member.connect("acme");
        WireClient other = member.connect("acme")) {
      assertThat(client.call("SET", "a", "1")).isEqualTo("+OK\r\n");
      declines.set(true);
      client.send(request("GET", "a") + request("INCR", "a"));
      HeldBatch batch = engine.next();
      assertThat(batch.commands()).hasSize(2);
      declines.set(false);
      client.send(request("GET", "a") + request("PING") + request("INCR", "a"));
      assertThat(other.call("GET", "a")).isEqualTo("$1\r\n1\r\n"); // the others go on
      batch.release();
      assertThat(client.reply()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.reply()).isEqualTo(":2\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\n2\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).isEqualTo(":3\r\n");
      assertThat(engine.waiting()).isZero();
    }
  }

  @Test
  void theShortWayIsOpenAgainBehindARequestInPieces() throws Exception {
    HeldEngine engine = new HeldEngine(new MapEngine(InstantSource.system()));
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      String first = request("SET", "k", "v".repeat(100));
      assertThat(session.send(first.substring(0, 40).getBytes(ISO_8859_1))).isEmpty();
      assertThat(
              session.send(first.substring(40) + request("STRLEN", "k") + request("EXISTS", "k")))
          .isEqualTo("+OK\r\n:100\r\n:1\r\n");
      assertThat(engine.waiting()).isZero();
    }
  }

  @Test
  void largeValuesAreSentInOrder() throws Exception {
    String large = "L".repeat(50_000);
    try (EmbeddedSession session = new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK))) {
      session.send(request("SET", "l", large) + request("SET", "s", "v"));
      String one = "$50000\r\n" + large + "\r\n";
      assertThat(session.send((request("GET", "s") + request("GET", "l")).repeat(3)))
          .isEqualTo(("$1\r\nv\r\n" + one).repeat(3));
      assertThat(session.send(request("MGET", "s", "l", "s")))
          .isEqualTo("*3\r\n$1\r\nv\r\n" + one + "$1\r\nv\r\n");
      assertThat(session.send(request("ECHO", large) + request("PING", large)))
          .isEqualTo(one + one);
    }
  }

  private static EmbeddedSession session(Way way, Random random) {
    return new EmbeddedSession(way.engine(EmbeddedSession.CLOCK, random.nextLong()));
  }

  /** One with a rival. */
  private static EmbeddedSession inSlices(Way way, Random random) {
    return new EmbeddedSession(
        way.engine(EmbeddedSession.CLOCK, random.nextLong()), /* hasRival= */ true);
  }

  /** Over an engine that declines once, when it is asked for this time. */
  private static EmbeddedSession session(int declinedAt) {
    AtomicInteger asked = new AtomicInteger();
    return new EmbeddedSession(
        new MapEngine(EmbeddedSession.CLOCK, () -> asked.incrementAndGet() == declinedAt));
  }

  // ---- streams

  private static String request(String... words) {
    return new String(WireClient.request(words), ISO_8859_1);
  }

  static byte[] stream(Random random) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = random.nextInt(MOST_REQUESTS); i >= 0; i--) {
      stream.writeBytes(WireClient.request(command(random)));
    }
    byte[] bytes = stream.toByteArray();
    if (random.nextInt(4) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) "*$\r\n1x".charAt(random.nextInt(6));
    }
    return bytes;
  }

  private static String[] command(Random random) {
    String key = "k" + random.nextInt(4);
    String other = "k" + random.nextInt(4);
    String value = random.nextInt(3) == 0 ? "7" : "v".repeat(random.nextInt(60));
    String time = Integer.toString(random.nextInt(40) * 1000 - 1000);
    String[][] choices = {
      {"SET", key, value},
      {"set", key, value, "ex", time},
      {"SET", key, value, "PX", time},
      {"SET", key, value, "EXAT", "1800000" + time},
      {"SET", key, value, "PXAT", "1800000000" + time},
      {"SET", key, value, "NX", "GET"},
      {"SET", key, value, "KEEPTTL", "XX"},
      {"SETEX", key, time, value},
      {"PSETEX", key, time, value},
      {"SETNX", key, value},
      {"GET", key},
      {"Get", key},
      {"GET", key, other},
      {"GETDEL", key},
      {"GETRANGE", key, "1", "-2"},
      {"MGET", key, other, key},
      {"MSET", key, value, other, "x"},
      {"MSET", key, value, other},
      {"DEL", key, other},
      {"DEL", key},
      {"EXISTS", key, other, key},
      {"TOUCH", key},
      {"TYPE", key},
      {"STRLEN", key},
      {"APPEND", key, value},
      {"INCR", key},
      {"INCRBY", key, value},
      {"TTL", key},
      {"PTTL", key},
      {"EXPIRETIME", key},
      {"PEXPIRETIME", key},
      {"EXPIRE", key, time},
      {"PERSIST", key},
      {"RENAME", key, other},
      {"SELECT", random.nextBoolean() ? "0" : "orders"},
      {"HELLO", random.nextBoolean() ? "2" : "3"},
      {"PING"},
      {"PING", value},
      {"PING", value, value},
      {"ECHO", value},
      {"ECHO", "e".repeat(random.nextInt(40_000))},
      {"DBSIZE"},
      {"NOSUCH", value},
      {random.nextInt(20) == 0 ? "QUIT" : "RESET"},
    };
    return choices[random.nextInt(choices.length)];
  }
}
