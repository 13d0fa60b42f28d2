package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TolerantWireTest {
  private final List<String> failures = new ArrayList<>();

  @Test
  void goesOnAfterAnErrorOfRedisProtocol() {
    TolerantWire wire = TolerantWire.resp(new RespWire("", 5), failures::add);
    byte[] in = bytes("-THROTTLED slow\r\n$-1\r\n$5\r\nabcde\r\n+OK\r\n");
    int at = 0;
    for (int i = 0; i < 4; i++) {
      int length = wire.reply(in, at, in.length);
      assertThat(length).isPositive();
      at += length;
    }
    assertThat(at).isEqualTo(in.length);
    assertThat(failures).containsExactly("THROTTLED slow", TolerantWire.MISSING);
    assertThat(wire.failed()).isEqualTo(2);
  }

  @Test
  void waitsForTheRestOfAnError() {
    TolerantWire wire = TolerantWire.resp(new RespWire("", 5), failures::add);
    byte[] in = bytes("-ERR no\r\n$-1\r\n");
    assertThat(wire.reply(in, 0, 8)).isZero();
    assertThat(wire.reply(in, 0, 9)).isEqualTo(9);
    for (int end = 10; end < in.length; end++) {
      assertThat(wire.reply(in, 9, end)).isZero();
    }
    assertThat(failures).containsExactly("ERR no");
  }

  @Test
  void doesNotGuessWhereAnotherValueEnds() {
    TolerantWire wire = TolerantWire.resp(new RespWire("", 5), failures::add);
    byte[] in = bytes("$7\r\nabcdefg\r\n");
    assertThatThrownBy(() -> wire.reply(in, 0, in.length)).isInstanceOf(BenchException.class);
  }

  @Test
  void goesOnAfterAnErrorOfHazelcastsProtocol() {
    Wire strict = new HazelcastWire(new Login(1, "dev", "", ""), 1, 5);
    TolerantWire wire = new TolerantWire(strict, HazelcastWire::length, failures::add);
    ClientMessage message =
        ErrorsCodec.encode(
            List.of(new ErrorHolder(1, "java.lang.Refused", "QUOTA locks", List.of())));
    ByteBuffer bytes = ByteBuffer.allocate(message.getFrameLength());
    new ClientMessageWriter().writeTo(bytes, message);
    byte[] in = bytes.array();
    assertThat(wire.reply(in, 0, in.length - 1)).isZero();
    assertThat(wire.reply(in, 0, in.length)).isEqualTo(in.length);
    assertThat(failures).singleElement().asString().contains("Refused", "QUOTA locks");
    assertThat(IsolationTally.isRefusal(failures.getFirst())).isTrue();
  }

  @Test
  void logsInWithAllThatItHasToSay() {
    Wire wire = RespWire.of(new Login(1, "", "", "secret"), 3, 5);
    assertThat(new String(wire.greeting(), ISO_8859_1))
        .isEqualTo("*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n");
    byte[] answer = bytes("+OK\r\n+OK\r\n");
    assertThat(wire.greeted(answer, 0, 5)).isZero();
    assertThat(wire.greeted(answer, 0, 10)).isEqualTo(10);
    byte[] refusal = bytes("+OK\r\n-ERR DB index is out of range\r\n");
    assertThatThrownBy(() -> wire.greeted(refusal, 0, refusal.length))
        .isInstanceOf(BenchException.class)
        .hasMessageEndingWith("-ERR DB index is out of range");
    Wire tenant = RespWire.of(new Login(1, "kvs", "acme", "key"), 0, 5);
    assertThat(new String(tenant.greeting(), ISO_8859_1))
        .isEqualTo("*3\r\n$4\r\nAUTH\r\n$4\r\nacme\r\n$3\r\nkey\r\n");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
