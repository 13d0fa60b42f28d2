package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.MapEngine;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: large values are answered and kept the same whether they were received where they stay or
 * in arrays, however they come, and nothing is held of those that never came as a whole. Method: a
 * session whose map makes room now and then, beside one whose map never does.
 */
class StagedValuesTest {
  private static final int LARGE = 64 * 1024;
  private static final int MOST = 400_000;
  private static final int REQUESTS = 12;
  private static final int KEYS = 3;

  private static byte[] request(Random random) {
    String key = "k" + random.nextInt(KEYS);
    return switch (random.nextInt(12)) {
      case 0 -> WireClient.request("GET", key);
      case 1 -> WireClient.request("SELECT", String.valueOf(random.nextInt(2)));
      case 2 -> WireClient.request("TTL", key);
      case 3 ->
          WireClient.request("SETEX", key, random.nextInt(4) == 0 ? "x" : "50", value(random));
      case 4 -> WireClient.request("SET", key, value(random), "EX", "100");
      case 5 -> WireClient.request("SET", key, value(random), "NX", "GET");
      case 6 -> WireClient.request("SET", key, value(random), "XX");
      case 7 -> WireClient.request("SET", key, value(random), "PX", "0");
      case 8 -> WireClient.request("APPEND", key, value(random));
      case 9 -> WireClient.request("STRLEN", key);
      default -> WireClient.request("SET", key, value(random));
    };
  }

  private static String value(Random random) {
    int length = random.nextInt(3) == 0 ? random.nextInt(100) : LARGE + random.nextInt(MOST);
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) ('a' + random.nextInt(26)));
    return new String(bytes, ISO_8859_1);
  }

  @Property(tries = 40)
  void doTheSameAsOthers(@ForAll long seed) {
    Random random = new Random(seed);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = 0; i < REQUESTS; i++) {
      stream.writeBytes(request(random));
    }
    byte[] bytes = stream.toByteArray();
    MapEngine staging = new MapEngine(EmbeddedSession.CLOCK, () -> random.nextInt(6) == 0);
    staging.prepareWhenTold();
    MapEngine plain = new MapEngine(EmbeddedSession.CLOCK, () -> true);
    int dropped = random.nextInt(2) == 0 ? 0 : random.nextInt(bytes.length);
    StringBuilder replies = new StringBuilder();
    try (EmbeddedSession session = new EmbeddedSession(staging, random.nextBoolean());
        EmbeddedSession other = new EmbeddedSession(plain)) {
      int end = bytes.length - dropped;
      for (int at = 0; at < end; ) {
        int to = Math.min(end, at + 1 + random.nextInt(random.nextBoolean() ? 100 : 200_000));
        replies.append(session.send(Arrays.copyOfRange(bytes, at, to)));
        if (random.nextInt(4) == 0) {
          staging.prepareNext();
        }
        at = to;
      }
      for (int i = 0; i < REQUESTS; i++) {
        replies.append(session.receive());
        staging.prepareNext();
      }
      replies.append(session.receive());
      assertThat(replies.toString().equals(other.send(Arrays.copyOf(bytes, end)))).isTrue();
      assertThat(staging.staged()).isLessThanOrEqualTo(1);
      session.closeByClient();
      assertThat(staging.staged()).isZero();
    }
  }

  /** Who leaves while its value is being prepared is forgotten when that is done. */
  @Property(tries = 30)
  void nothingIsHeldForWhoLeaves(@ForAll long seed) {
    Random random = new Random(seed);
    MapEngine engine = new MapEngine(EmbeddedSession.CLOCK, random::nextBoolean);
    engine.prepareWhenTold();
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      for (int i = 0; i < 3; i++) {
        session.read(WireClient.request("SET", "k", value(random)));
      }
      session.closeByClient();
      for (int i = 0; i < 3; i++) {
        engine.prepareNext();
        String _ = session.receive();
      }
      assertThat(engine.staged()).isZero();
    }
  }

  /** Else the other tests would show nothing. */
  @Test
  void areReceivedWhereTheyStay() {
    MapEngine engine = new MapEngine(EmbeddedSession.CLOCK);
    byte[] request = WireClient.request("SET", "k", "v".repeat(3 * LARGE));
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(Arrays.copyOf(request, LARGE))).isEmpty();
      assertThat(engine.staged()).isOne();
      assertThat(session.send(Arrays.copyOfRange(request, LARGE, request.length)))
          .isEqualTo("+OK\r\n");
      assertThat(engine.staged()).isZero();
      assertThat(session.send(WireClient.request("STRLEN", "k"))).isEqualTo(":196608\r\n");
    }
  }

  /** A request that is none ends the session, and what came before it is done. */
  @Test
  void nothingIsHeldAfterAnErrorInTheStream() {
    MapEngine engine = new MapEngine(EmbeddedSession.CLOCK);
    byte[] request = WireClient.request("SET", "k", "v".repeat(3 * LARGE), "EX", "10");
    byte[] broken = request.clone();
    broken[broken.length - "$2\r\n10\r\n".length()] = '!';
    try (EmbeddedSession session = new EmbeddedSession(engine)) {
      assertThat(session.send(Arrays.copyOf(broken, LARGE))).isEmpty();
      assertThat(engine.staged()).isOne();
      assertThat(session.send(Arrays.copyOfRange(broken, LARGE, broken.length)) + session.receive())
          .startsWith("-ERR Protocol error");
      assertThat(engine.staged()).isZero();
    }
  }
}
