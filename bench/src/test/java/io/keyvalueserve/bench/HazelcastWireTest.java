package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessageReader;
import com.hazelcast.client.impl.protocol.ClientMessageWriter;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.exception.ErrorHolder;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests as Hazelcast's own codecs read them, and replies as they write them. */
class HazelcastWireTest {
  private static final int VALUE_BYTES = 100;
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();

  private final HazelcastWire wire =
      new HazelcastWire(new Login(1, "dev", "", ""), 100_000, VALUE_BYTES);

  @Test
  void asksForTheKey() {
    ClientMessage message = request(70_045, true, 41);
    assertThat(message.getMessageType()).isEqualTo(MapGetCodec.REQUEST_MESSAGE_TYPE);
    assertThat(message.getCorrelationId()).isEqualTo(42);
    MapGetCodec.RequestParameters get = MapGetCodec.decodeRequest(message);
    assertThat(get.name).isEqualTo("bench");
    assertThat(get.key).isEqualTo(SERIALIZATION.toData(Load.key(70_045)));
  }

  @Test
  void writesTheKey() {
    MapSetCodec.RequestParameters set = MapSetCodec.decodeRequest(request(99_999, false, 0));
    assertThat(set.key).isEqualTo(SERIALIZATION.toData(Load.key(99_999)));
    assertThat(set.value).isEqualTo(value(VALUE_BYTES));
    assertThat(set.ttl).isEqualTo(-1);
  }

  @Test
  void findsTheEndOfAReply() {
    findsEnd(MapGetCodec.encodeResponse(value(VALUE_BYTES)));
    findsEnd(MapSetCodec.encodeResponse());
  }

  @Test
  void abortsWithWhatTheMemberSays() {
    ErrorHolder error =
        new ErrorHolder(1, "java.lang.IllegalStateException", "too late", List.of());
    aborts(ErrorsCodec.encode(List.of(error)), "IllegalStateException: too late");
  }

  @Test
  void abortsWhenAKeyIsMissingOrAnotherValueComes() {
    aborts(MapGetCodec.encodeResponse(noData()), "a key was missing");
    aborts(MapGetCodec.encodeResponse(value(VALUE_BYTES + 1)), "another size");
  }

  private static @Nullable Data noData() {
    return null;
  }

  private ClientMessage request(int key, boolean read, long sequence) {
    byte[] out = new byte[wire.longestRequest() + 3];
    int end = wire.put(out, 3, key, read, sequence);
    ClientMessageReader reader = new ClientMessageReader(1 << 20);
    assertThat(reader.readFrom(ByteBuffer.wrap(out, 3, end - 3), true)).isTrue();
    return reader.getClientMessage();
  }

  private void findsEnd(ClientMessage reply) {
    byte[] in = bytes(reply);
    for (int there = 1; there < in.length; there++) {
      assertThat(wire.reply(in, 0, there)).as("%d bytes of %d", there, in.length).isZero();
    }
    assertThat(wire.reply(in, 0, in.length)).isEqualTo(in.length);
  }

  private void aborts(ClientMessage reply, String words) {
    byte[] in = bytes(reply);
    assertThatThrownBy(() -> wire.reply(in, 0, in.length))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(words);
  }

  private static byte[] bytes(ClientMessage message) {
    ByteBuffer bytes = ByteBuffer.allocate(message.getFrameLength());
    assertThat(new ClientMessageWriter().writeTo(bytes, message)).isTrue();
    return bytes.array();
  }

  private static Data value(int bytes) {
    return SERIALIZATION.toData(Load.text(bytes).getBytes(StandardCharsets.US_ASCII));
  }
}
