package io.keyvalueserve.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.postgres.wire.MessageWriter;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Goal: no bytes from outside break the door, before or after a client has authenticated. Method:
 * mutations of valid messages for a few seconds; {@link FuzzTargets} has checks for a
 * coverage-guided fuzzer.
 */
class FuzzTest {
  private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final List<String> WORDS =
      List.of(
          "select",
          "pg_class",
          "pg_catalog",
          ".",
          "(",
          ")",
          "'x'",
          "from",
          "where",
          "1",
          "$1",
          "array",
          "[",
          "]",
          "::",
          "oid",
          "and",
          "case",
          "when",
          "then",
          "end",
          "*",
          ",",
          "any",
          "=",
          "join",
          "on",
          "order",
          "by",
          "pg_typeof",
          "null",
          "$$",
          "/*",
          "--",
          "\"",
          ";",
          "~",
          "with",
          "as",
          "lateral",
          "union",
          "limit",
          "values",
          "set",
          "show",
          "begin",
          "prepare");

  @Test
  void mutatedMessagesBreakNothing() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    try (TestDoor door = new TestDoor()) {
      long end = System.nanoTime() + BUDGET_NANOS;
      while (System.nanoTime() < end) {
        byte[] input = mutated(session(), random);
        FuzzTargets.checkReader(input);
        try (WireClient client =
            random.nextBoolean() ? WireClient.of(door, "acme") : new WireClient(door)) {
          client.sendRaw(input);
          client.sendRaw(new byte[] {'X', 0, 0, 0, 4});
          String answer = client.read();
          for (int i = 0; i < 50 && !answer.equals("end"); i++) {
            assertThat(answer).as("seed=%s", seed).doesNotContain("internal error");
            answer = client.read();
          }
        } catch (java.net.SocketTimeoutException | java.net.SocketException e) {
          // it waits for more, or has ended the connection
        }
      }
      try (WireClient client = WireClient.of(door, "acme")) {
        client.query("select 1");
        assertThat(client.upToReady()).endsWith("Z:I");
      }
    }
  }

  @Test
  void anyWordsAreAStatementOrAnError() throws IOException {
    long seed = Long.getLong("kvs.seed", System.nanoTime());
    Random random = new Random(seed);
    try (TestDoor door = new TestDoor();
        WireClient client = WireClient.of(door, "acme")) {
      long end = System.nanoTime() + BUDGET_NANOS;
      while (System.nanoTime() < end) {
        StringBuilder sql = new StringBuilder("select pg_typeof(1) ");
        for (int i = random.nextInt(15); i > 0; i--) {
          sql.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
        }
        FuzzTargets.checkText(sql.toString());
        client.query(sql.toString());
        assertThat(client.upToReady())
            .as("seed=%s sql=%s", seed, sql)
            .noneMatch(answer -> answer.contains("internal error") || answer.equals("end"));
      }
    }
  }

  private static byte[] session() {
    MessageWriter out = new MessageWriter();
    out.begin('Q').text("select 1").end();
    out.begin('P').text("s").text("select echo bigint $1").int16(1).int32(20).end();
    out.begin('B').text("p").text("s").int16(1).int16(1).int16(1).int32(8).int64(7).int16(0).end();
    out.begin('D').int8('P').text("p").end();
    out.begin('D').int8('S').text("s").end();
    out.begin('E').text("p").int32(1).end();
    out.begin('C').int8('S').text("s").end();
    out.begin('S').end();
    out.begin('Q').text("select relname from pg_class where oid = 'orders'::regclass").end();
    return out.take();
  }

  private static byte[] mutated(byte[] input, Random random) {
    byte[] bytes = input.clone();
    for (int i = random.nextInt(5); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 2 -> {
          int length = Math.min(random.nextInt(20), bytes.length - at);
          System.arraycopy(bytes, at, bytes, random.nextInt(bytes.length - length + 1), length);
        }
        default -> bytes[at] = "QPBDECSH01".getBytes(UTF_8)[random.nextInt(10)];
      }
    }
    return bytes;
  }
}
