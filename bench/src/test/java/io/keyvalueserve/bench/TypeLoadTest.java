package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine.TypeConversionException;

class TypeLoadTest {
  private static final TypePlan PLAN = new TypePlan(500, 300, 10, 100);
  private static final Wire NO_LOGIN = new RespWire("", 100);

  @Test
  void workloadsAreOfKeysOrOfTypes() {
    PeerWorkloads.Parser parser = new PeerWorkloads.Parser();
    assertThat(parser.convert("50/50")).isEqualTo(Mix.of("50/50"));
    assertThat(TypeLoad.of(parser.convert("HSet").name())).contains(TypeLoad.HSET);
    assertThat(parser.convert("types").name()).isEqualTo(TypeLoad.ALL);
    assertThatThrownBy(() -> parser.convert("hsets"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'hsets' is no load")
        .hasMessageContaining("hset, hget, queue");
  }

  @ParameterizedTest
  @EnumSource(
      value = TypeLoad.class,
      names = {"PUBSUB", "BLOCKING"},
      mode = EnumSource.Mode.EXCLUDE)
  void requestsAreWholeCommandsThatFit(TypeLoad load) {
    Wire wire = load.wire(NO_LOGIN, PLAN, 7).at(63);
    for (long sequence = 0; sequence < 4; sequence++) {
      byte[] out = new byte[wire.longestRequest()];
      int end = wire.put(out, 0, load.numbers(PLAN) - 1, false, sequence);
      int at = 0;
      while (at < end) {
        int length = TalkWire.length(out, at, end);
        assertThat(length).as(new String(out, 0, end, ISO_8859_1)).isPositive();
        at += length;
      }
    }
  }

  @Test
  void numbersStayWithinWhatIsThere() {
    assertThat(TypeLoad.HGET.numbers(PLAN)).isEqualTo(500);
    assertThat(TypeLoad.ZADD.numbers(PLAN)).isEqualTo(300);
    assertThat(TypeLoad.ZRANGE.numbers(PLAN)).as("ten from the last one on").isEqualTo(291);
    assertThat(TypeLoad.INCR.numbers(PLAN)).isEqualTo(500);
  }

  @Test
  void takesRepliesThatBeginAsTheyShould() {
    String reply =
        "+OK\r\n" + "+QUEUED\r\n".repeat(5) + "*5\r\n+OK\r\n:1\r\n:9\r\n$1\r\na\r\n$-1\r\n";
    byte[] in = (reply + "+OK\r\n").getBytes(ISO_8859_1);
    Wire wire = TypeLoad.MULTI.wire(NO_LOGIN, PLAN, 1);
    for (int to = 1; to < reply.length(); to++) {
      assertThat(wire.reply(in, 0, to)).as("cut off at %d", to).isZero();
    }
    assertThat(wire.reply(in, 0, in.length)).isEqualTo(reply.length());
  }

  @ParameterizedTest
  @CsvSource({
    "HGET, '-OOM no room', the server answered: -OOM no room",
    "HGET, '$-1', 'the server answered: $-1, not $16'",
    "HSET, ':1', 'the server answered: :1, not :0'",
    "ZRANGE, '*1|-ERR within', the server answered: -ERR within",
    "LOCK, '$-1', 'the server answered: $-1, not +OK'"
  })
  void aReplyThatIsAnErrorEndsTheLoad(TypeLoad load, String reply, String says) {
    byte[] in = (reply.replace("|", "\r\n") + "\r\n").getBytes(ISO_8859_1);
    Wire wire = load.wire(NO_LOGIN, PLAN, 1);
    assertThatThrownBy(() -> wire.reply(in, 0, in.length))
        .isInstanceOf(BenchException.class)
        .hasMessage(says);
  }

  @Test
  void eachConnectionKnowsItsTurn() {
    Wire wire = TypeLoad.QUEUE.wire(NO_LOGIN, PLAN, 1);
    Wire first = wire.at(0);
    byte[] pushed = ":5\r\n".getBytes(ISO_8859_1);
    byte[] popped = "$16\r\njob:000000000001\r\n".getBytes(ISO_8859_1);
    assertThat(first.reply(pushed, 0, pushed.length)).isEqualTo(4);
    assertThat(first.reply(popped, 0, popped.length)).isEqualTo(popped.length);
    assertThat(wire.at(1).reply(pushed, 0, pushed.length)).isEqualTo(4);
  }

  @Test
  void loadsScriptsWhenItConnects() {
    Wire wire = TypeLoad.LIMITER.wire(new RespWire("", 100), PLAN, 1);
    assertThat(new String(wire.greeting(), ISO_8859_1))
        .startsWith("*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD");
    byte[] hash = ("$40\r\n" + "a".repeat(40) + "\r\n").getBytes(ISO_8859_1);
    assertThat(wire.greeted(hash, 0, 20)).isZero();
    assertThat(wire.greeted(hash, 0, hash.length)).isEqualTo(hash.length);
  }

  @Test
  void holdsFiguresToRedis() {
    Shape shape = new Shape(1, 64, 16, TypeLoad.HSET.mix(), 0);
    Cell own = new Cell(shape, "kvs", List.of(window(4_000)));
    Cell valkey = new Cell(shape, "valkey", List.of(window(1_000)));
    Cell redis = new Cell(shape, "redis", List.of(window(5_000)));
    assertThat(TypeLoads.goals(List.of(own, redis, valkey)))
        .containsExactly(
            new Goal("64 connections, pipeline 16, hset: CPU x redis", 0.8, true, 0.8));
    assertThat(TypeLoad.LOCK.goal(16)).isEqualTo(1.2);
    assertThat(TypeLoad.HSET.goal(1)).isEqualTo(1.0);
  }

  private static Window window(long serverNanos) {
    Costs costs = new Costs(serverNanos, 0, 0, new CoreTimes(0, 0));
    return new Window(List.of(1L), 1, costs, 1, new Histogram(3));
  }
}
