package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is sent to Redis and memcached, and every beginning of what they answer. */
class TextWiresTest {
  private static final Wire RESP = new RespWire("", 5);
  private static final Wire MEMCACHED = new MemcachedWire(5);

  @Test
  void asksRedisForTheKey() {
    assertThat(request(RESP, 70_045, true))
        .isEqualTo("*2\r\n$3\r\nGET\r\n$16\r\nkey:000000070045\r\n");
    assertThat(request(RESP, 7, false))
        .isEqualTo("*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000007\r\n$5\r\nabcde\r\n");
  }

  @Test
  void asksMemcachedForTheKey() {
    assertThat(request(MEMCACHED, 70_045, true)).isEqualTo("get key:000000070045\r\n");
    assertThat(request(MEMCACHED, 0, false)).isEqualTo("set key:000000000000 0 0 5\r\nabcde\r\n");
  }

  @Test
  void findsTheEndOfAReply() {
    findsEnd(RESP, "$5\r\nabcde\r\n");
    findsEnd(RESP, "+OK\r\n");
    findsEnd(MEMCACHED, "VALUE key:000000000001 0 5\r\nabcde\r\nEND\r\n");
    findsEnd(MEMCACHED, "STORED\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "-NOAUTH Authentication required., NOAUTH",
    "$-1, $-1",
    "$6, $6",
    "*0, *0",
  })
  void abortsWithWhatRedisSays(String reply, String words) {
    aborts(RESP, reply + "\r\n", words);
  }

  @ParameterizedTest
  @CsvSource({
    "END, END",
    "ERROR, ERROR",
    "SERVER_ERROR out of memory storing object, out of memory",
    "NOT_STORED, NOT_STORED",
  })
  void abortsWithWhatMemcachedSays(String reply, String words) {
    aborts(MEMCACHED, reply + "\r\n", words);
  }

  @Test
  void logsInToRedisAndFindsTheEndOfTheAnswer() {
    Wire wire = RespWire.of("tenant", "key", 5);
    assertThat(new String(wire.greeting(), US_ASCII))
        .isEqualTo("*3\r\n$4\r\nAUTH\r\n$6\r\ntenant\r\n$3\r\nkey\r\n");
    byte[] in = "...+OK\r\n$1".getBytes(US_ASCII);
    for (int to = 3; to < 8; to++) {
      assertThat(wire.greeted(in, 3, to)).isZero();
    }
    assertThat(wire.greeted(in, 3, 8)).isEqualTo(5);
    assertThat(wire.greeted(in, 3, in.length)).isEqualTo(5);
    byte[] refused = "-ERR max number of clients reached\r\n".getBytes(US_ASCII);
    assertThat(wire.greeted(refused, 0, 10)).isZero();
    assertThatThrownBy(() -> wire.greeted(refused, 0, refused.length))
        .isInstanceOf(BenchException.class)
        .hasMessage("the server refused AUTH: -ERR max number of clients reached");
  }

  private static String request(Wire wire, int key, boolean read) {
    byte[] out = new byte[wire.longestRequest() + 3];
    int end = wire.put(out, 3, key, read, 0);
    return new String(out, 3, end - 3, US_ASCII);
  }

  private static void findsEnd(Wire wire, String reply) {
    byte[] in = ("..." + reply + "+OK\r\n").getBytes(US_ASCII);
    for (int there = 1; there < reply.length(); there++) {
      assertThat(wire.reply(in, 3, 3 + there)).as("%d bytes of %s", there, reply).isZero();
    }
    assertThat(wire.reply(in, 3, 3 + reply.length())).isEqualTo(reply.length());
    assertThat(wire.reply(in, 3, in.length)).isEqualTo(reply.length());
  }

  private static void aborts(Wire wire, String reply, String words) {
    byte[] in = reply.getBytes(US_ASCII);
    assertThatThrownBy(() -> wire.reply(in, 0, in.length))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(words);
  }
}
