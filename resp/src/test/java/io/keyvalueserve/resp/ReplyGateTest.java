package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.Outcome;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: no reply is sent before what it tells is certain, and the client can tell by nothing else.
 * Method: an engine of which the test says when it is certain.
 */
class ReplyGateTest {
  private static final int STREAMS = 300;
  private static final int TURNS = 1_000;
  private static final String SET = request("SET", "a", "1");
  private static final String GET = request("GET", "a");
  private static final String OK = "+OK\r\n";
  private static final String ONE = "$1\r\n1\r\n";

  private final UncertainEngine engine = new UncertainEngine(EmbeddedSession.CLOCK);

  private static String request(String... words) {
    return new String(WireClient.request(words), ISO_8859_1);
  }

  @Test
  void aWriteIsAnsweredWhenItIsCertain() throws Exception {
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(SET + SET + GET)).isEmpty();
      assertThat(engine.waiting()).isEqualTo(1);
      assertThat(session.receive()).isEmpty();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK + OK + ONE);
      assertThat(session.send(GET)).isEqualTo(ONE);
      assertThat(engine.waiting()).isZero();
    }
  }

  @Test
  void whatFollowsGoesOnAndKeepsItsPlace() throws Exception {
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(SET)).isEmpty();
      assertThat(session.send(GET)).isEmpty();
      assertThat(session.send(request("INCR", "a"))).isEmpty();
      assertThat(session.send(request("PING"))).isEmpty();
      var first = engine.next();
      engine.next().certain(); // of another stream, say
      assertThat(session.receive()).isEmpty();
      first.certain();
      assertThat(session.receive()).isEqualTo(OK + ONE + ":2\r\n+PONG\r\n");
    }
  }

  @Test
  void otherConnectionsGoOn() throws Exception {
    try (TestMember member = TestMember.start(engine, config -> config.withEventLoops(1));
        WireClient client = member.connect("acme");
        WireClient other = member.connect("acme")) {
      client.send(SET);
      var waiter = engine.next();
      assertThat(other.call("GET", "a")).isEqualTo(ONE);
      waiter.certain();
      assertThat(client.reply()).isEqualTo(OK);
    }
  }

  @Test
  void theEndWaitsToo() throws Exception {
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(SET + request("QUIT"))).isEmpty();
      assertThat(session.isOpen()).isTrue();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK + OK);
      assertThat(session.isOpen()).isFalse();
    }
  }

  @Test
  void whatIsHeldIsBounded() throws Exception {
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      int sent = 0;
      while (session.isReading()) {
        assertThat(session.send(SET)).isEmpty();
        assertThat(++sent).isLessThan(TURNS);
      }
      // What had been read by then waits its turn.
      assertThat(session.send(GET)).isEmpty();
      StringBuilder replies = new StringBuilder();
      while (engine.waiting() > 0) {
        engine.next().certain();
        replies.append(session.receive());
      }
      assertThat(replies).hasToString(OK.repeat(sent) + ONE);
      assertThat(session.isReading()).isTrue();
    }
  }

  private static final Outcome.Failure BAD_DISK =
      new Outcome.Failure(Outcome.Failure.Kind.IN_DOUBT, "a bad disk; read the key again");

  private static final String IN_DOUBT = "-INDOUBT a bad disk; read the key again\r\n";

  @Test
  void ofWhatWillNeverBeKnownEachWriteIsInDoubtAndNothingElse() throws Exception {
    String large = "L".repeat(20_000);
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(SET)).isEmpty();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK);
      assertThat(session.send(request("PING") + SET + GET + request("APPEND", "a", "2"))).isEmpty();
      assertThat(session.send(request("SET", "l", large) + request("GET", "l"))).isEmpty();
      assertThat(session.send(request("SET", "l", "s", "GET") + request("GET", "l") + GET))
          .isEmpty();
      var first = engine.next();
      engine.next().certain(); // waits behind what is older all the same
      assertThat(session.receive()).isEmpty();
      first.failed(BAD_DISK);
      assertThat(session.receive())
          .isEqualTo("+PONG\r\n" + IN_DOUBT + ONE + IN_DOUBT + OK + "$20000\r\n" + large + "\r\n");
      engine.next().failed(BAD_DISK);
      assertThat(session.receive()).isEqualTo(IN_DOUBT + "$1\r\ns\r\n" + "$2\r\n12\r\n");
      assertThat(session.isOpen()).isTrue();
      assertThat(session.send(SET)).isEmpty();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK);
    }
  }

  /** For random streams: what was certain is as it would have been, what was not is in doubt. */
  @Test
  void anyStreamHasAReplyForEachCommandWhateverFails() throws Exception {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < STREAMS; i++) {
      StringBuilder stream = new StringBuilder();
      List<String> wanted = new ArrayList<>();
      int count = 1 + random.nextInt(40);
      for (int command = 0; command < count; command++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            stream.append(SET);
            wanted.add(IN_DOUBT);
          }
          case 1 -> {
            stream.append(request("SET", "b", "v".repeat(random.nextInt(30_000)), "GET"));
            wanted.add(IN_DOUBT);
          }
          case 2 -> {
            stream.append(request("PING"));
            wanted.add("+PONG\r\n");
          }
          default -> {
            stream.append(request("ECHO", "e" + command));
            int length = ("e" + command).length();
            wanted.add("$" + length + "\r\ne" + command + "\r\n");
          }
        }
      }
      StringBuilder replies = new StringBuilder();
      byte[] bytes = stream.toString().getBytes(ISO_8859_1);
      try (EmbeddedSession session = new EmbeddedSession(engine)) {
        for (int at = 0; at < bytes.length; ) {
          int length = Math.min(bytes.length - at, 1 + random.nextInt(40_000));
          replies.append(session.send(Arrays.copyOfRange(bytes, at, at + length)));
          at += length;
        }
        while (engine.waiting() > 0) {
          engine.next().failed(BAD_DISK);
          replies.append(session.receive());
        }
      }
      assertThat(replies.toString()).as("seed=%d", seed).isEqualTo(String.join("", wanted));
    }
  }

  /** A command of which only a part was done at once has no reply yet that could be put right. */
  @Test
  void ifItIsNotKnownWhichReplyTellsOfItNothingIsAcknowledged() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    UncertainEngine declining =
        new UncertainEngine(EmbeddedSession.CLOCK, () -> asked.incrementAndGet() == 2);
    try (EmbeddedSession session = new EmbeddedSession(declining)) {
      assertThat(session.send(SET)).isEmpty();
      declining.next().certain();
      assertThat(session.receive()).isEqualTo(OK);
      asked.set(0);
      assertThat(session.send(request("DEL", "a", "b") + GET)).isEmpty();
      declining.next().failed(BAD_DISK);
      assertThat(session.receive()).isEqualTo(IN_DOUBT);
      assertThat(session.isOpen()).isFalse();
    }
  }

  @Test
  void whoGoesLeavesNothingBehind() throws Exception {
    EmbeddedSession session = new EmbeddedSession(engine);
    assertThat(session.send(SET)).isEmpty();
    session.close();
    engine.next().certain();
    assertThat(session.receive()).isEmpty();
  }

  @Test
  void largeRepliesWaitInTheirOrder() throws Exception {
    String large = "L".repeat(50_000);
    String reply = "$50000\r\n" + large + "\r\n";
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(request("SET", "l", large))).isEmpty();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK);
      assertThat(session.send(SET + request("GET", "l") + GET)).isEmpty();
      engine.next().certain();
      assertThat(session.receive()).isEqualTo(OK + reply + ONE);
    }
  }

  /** The replies to random streams are those of an engine that is certain at once. */
  @Test
  void anyStreamIsAnsweredAlikeWheneverItIsCertain() throws Exception {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < STREAMS; i++) {
      byte[] stream = DirectPathTest.stream(random);
      String expected;
      try (EmbeddedSession session =
          new EmbeddedSession(Way.DIRECT.engine(EmbeddedSession.CLOCK))) {
        expected = session.send(stream);
      }
      assertThat(repliesOf(stream, EmbeddedSession.CLOCK, random))
          .as("seed=%d", seed)
          .isEqualTo(expected);
    }
  }

  private static String repliesOf(byte[] stream, InstantSource clock, Random random)
      throws InterruptedException {
    UncertainEngine mixed = new UncertainEngine(clock, () -> random.nextInt(4) == 0);
    StringBuilder replies = new StringBuilder();
    try (EmbeddedSession session = new EmbeddedSession(mixed)) {
      for (int at = 0; at < stream.length && session.isOpen(); ) {
        int length = Math.min(stream.length - at, 1 + random.nextInt(300));
        replies.append(session.send(Arrays.copyOfRange(stream, at, at + length)));
        at += length;
        while (mixed.waiting() > 0 && random.nextInt(3) == 0) {
          mixed.next().certain();
          replies.append(session.receive());
        }
      }
      while (mixed.waiting() > 0) {
        mixed.next().certain();
        replies.append(session.receive());
      }
    }
    return replies.toString();
  }
}
