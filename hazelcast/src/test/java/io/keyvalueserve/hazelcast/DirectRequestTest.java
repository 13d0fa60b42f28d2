package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static io.keyvalueserve.hazelcast.Messages.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.hazelcast.DirectRequest.Form;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: requests are read where they lie, and nothing that bytes can say leads outside them. */
class DirectRequestTest {
  private static final Data KEY = data("key");
  private static final Data VALUE = data("value");
  private static final int BEFORE = 13;
  private static final int BEHIND = 5;

  private final DirectRequest request = new DirectRequest();

  static Stream<ClientMessage> direct() {
    return Stream.of(
        MapGetCodec.encodeRequest("orders", KEY, 1),
        MapContainsKeyCodec.encodeRequest("orders", KEY, 1),
        MapGetAllCodec.encodeRequest("orders", List.of(KEY, VALUE, KEY)),
        MapPutCodec.encodeRequest("orders", KEY, VALUE, 1, -1),
        MapSetCodec.encodeRequest("orders", KEY, VALUE, 1, -1));
  }

  @ParameterizedTest
  @MethodSource("direct")
  void findsEverythingWhereItLies(ClientMessage message) {
    byte[] bytes = request(message, 0x123456789abcL, 42);
    byte[] among = among(bytes);
    assertThat(request.parse(among, BEFORE, among.length)).isEqualTo(Form.WHOLE);
    assertThat(request.end()).isEqualTo(BEFORE + bytes.length);
    assertThat(request.type()).isEqualTo(message.getMessageType());
    assertThat(request.correlation()).isEqualTo(0x123456789abcL);
    assertThat(request.partition()).isEqualTo(42);
    assertThat(slice(among, request.nameOffset(), request.nameLength()))
        .asString()
        .isEqualTo("orders");
    if (request.type() == DirectRequest.GET_ALL) {
      assertThat(request.keyCount()).isEqualTo(3);
      request.firstKey();
      assertThat(key(among)).isEqualTo(KEY);
      request.nextKey();
      assertThat(key(among)).isEqualTo(VALUE);
      request.nextKey();
      assertThat(key(among)).isEqualTo(KEY);
    } else {
      assertThat(key(among)).isEqualTo(KEY);
    }
    if (request.type() == DirectRequest.PUT || request.type() == DirectRequest.SET) {
      assertThat(new HeapData(slice(among, request.valueOffset(), request.valueLength())))
          .isEqualTo(VALUE);
    }
  }

  @ParameterizedTest
  @MethodSource("direct")
  void waitsForTheRestOfWhatIsCutAnywhere(ClientMessage message) {
    byte[] among = among(request(message, 1, 1));
    for (int limit = BEFORE; limit < among.length - BEHIND; limit++) {
      byte[] cut = Arrays.copyOf(among, limit); // whoever reads on runs into the end
      assertThat(request.parse(cut, BEFORE, limit))
          .as("cut at %d", limit)
          .isEqualTo(Form.INCOMPLETE);
    }
  }

  @ParameterizedTest
  @MethodSource("direct")
  void neverReadsOutsideWhateverTheBytesSay(ClientMessage message) {
    byte[] valid = request(message, 1, 1);
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = valid.clone();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] =
            (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(-9, 9));
      }
      if (request.parse(bytes, 0, bytes.length) == Form.WHOLE) {
        assertThat(request.end()).isBetween(1, bytes.length);
        assertInside(bytes, request.nameOffset(), request.nameLength(), 0);
        if (request.type() == DirectRequest.GET_ALL) {
          for (int i = 0; i < request.keyCount(); i++) {
            if (i == 0) {
              request.firstKey();
            } else {
              request.nextKey();
            }
            assertInside(bytes, request.keyOffset(), request.keyLength(), 8);
          }
        } else {
          assertInside(bytes, request.keyOffset(), request.keyLength(), 8);
        }
        if (request.type() == DirectRequest.PUT || request.type() == DirectRequest.SET) {
          assertInside(bytes, request.valueOffset(), request.valueLength(), 8);
        }
      }
    }
  }

  private static void assertInside(byte[] bytes, int offset, int length, int least) {
    assertThat(length).isBetween(least, bytes.length);
    assertThat(offset).isBetween(0, bytes.length - length);
  }

  @Test
  void leavesWhatIsUnusualAlone() {
    assertOther(
        MapPutCodec.encodeRequest("m", KEY, VALUE, 1, 0)); // for ever, whatever the map says
    assertOther(MapSetCodec.encodeRequest("m", KEY, VALUE, 1, 60_000));
    ClientMessage longer = MapGetCodec.encodeRequest("m", KEY, 1);
    longer.add(new ClientMessage.Frame(new byte[3])); // of a client of times to come
    assertOther(longer);
    ClientMessage fragment = MapGetCodec.encodeRequest("m", KEY, 1);
    fragment.getStartFrame().flags = ClientMessage.BEGIN_FRAGMENT_FLAG;
    assertOther(fragment);
    byte[] withoutKey = request(MapGetCodec.encodeRequest("m", KEY, 1), 1, 1);
    Arrays.fill(withoutKey, withoutKey.length - KEY.totalSize(), withoutKey.length, (byte) 0);
    assertThat(request.parse(withoutKey, 0, withoutKey.length)).isEqualTo(Form.OTHER);
  }

  private void assertOther(ClientMessage message) {
    byte[] bytes = request(message, 1, 1);
    assertThat(request.parse(bytes, 0, bytes.length)).isEqualTo(Form.OTHER);
  }

  private Data key(byte[] bytes) {
    return new HeapData(slice(bytes, request.keyOffset(), request.keyLength()));
  }

  private static byte[] slice(byte[] bytes, int offset, int length) {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  private static byte[] among(byte[] bytes) {
    byte[] among = new byte[BEFORE + bytes.length + BEHIND];
    Arrays.fill(among, (byte) 0xee);
    System.arraycopy(bytes, 0, among, BEFORE, bytes.length);
    return among;
  }
}
