package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.answer;
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
import io.keyvalueserve.billing.metering.SharingLevel;
import io.keyvalueserve.billing.metering.UsageBook;
import io.keyvalueserve.billing.metering.UsageMeter;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Goal: a direct answer is the very bytes that Hazelcast's codecs would have written. */
class ReplyFrameTest {
  private static final long THREAD = 77;
  private static final Data KEY = data("key");
  private static final Data VALUE = data("a value of some length");
  private static final int PARTITION = 3;

  private final ModelMap map = new ModelMap(() -> false);
  private final DirectDoor door = DirectDoors.of(name -> map);
  private final DirectMaps maps =
      new DirectMaps(
          new ObjectNames(new TenantName("acme")),
          NoGrants.of("acme"),
          new SessionUsage(new TenantName("acme"), this::meter),
          name -> door.maps().apply(name, 1));
  private final ReplyFrame reply = new ReplyFrame();
  private final List<byte[]> expected = new ArrayList<>();
  private long correlation = 0x1122334455667788L;

  private UsageMeter meter(@Nullable QualifiedName ofMap) {
    return new UsageBook(UUID.randomUUID(), 0)
        .meter(new TenantName("acme"), 1, ofMap, SharingLevel.SHARED);
  }

  @Test
  void isWhatTheCodecsWrite() {
    check(MapGetCodec.encodeRequest("m", KEY, THREAD), MapGetCodec.encodeResponse(null));
    check(
        MapContainsKeyCodec.encodeRequest("m", KEY, THREAD),
        MapContainsKeyCodec.encodeResponse(false));
    check(MapPutCodec.encodeRequest("m", KEY, VALUE, THREAD, -1), MapPutCodec.encodeResponse(null));
    check(
        MapPutCodec.encodeRequest("m", KEY, VALUE, THREAD, -1), MapPutCodec.encodeResponse(VALUE));
    check(MapSetCodec.encodeRequest("m", KEY, VALUE, THREAD, -1), MapSetCodec.encodeResponse());
    check(MapGetCodec.encodeRequest("m", KEY, THREAD), MapGetCodec.encodeResponse(VALUE));
    check(
        MapContainsKeyCodec.encodeRequest("m", KEY, THREAD),
        MapContainsKeyCodec.encodeResponse(true));
    assertThat(written()).isEqualTo(Messages.join(expected));
  }

  @Test
  void isWhatTheCodecWritesForManyKeys() {
    List<Data> keys = List.of(data("a"), data("b"), data("absent"), data(4L), data("none"));
    List<Map.Entry<Data, Data>> entries = new ArrayList<>();
    for (Data key : keys.subList(0, 2)) {
      entries.add(Map.entry(key, data("of " + key)));
    }
    entries.add(Map.entry(keys.get(3), data(new byte[100_000])));
    entries.forEach(entry -> map.entries().put(entry.getKey(), entry.getValue()));
    check(MapGetAllCodec.encodeRequest("m", keys), MapGetAllCodec.encodeResponse(entries));
    map.entries().clear();
    for (int i = 0; i < 1000; i++) { // whichever part of an answer the buffer has to grow for
      check(
          MapGetAllCodec.encodeRequest("m", List.of(KEY)),
          MapGetAllCodec.encodeResponse(List.of()));
    }
    check(MapGetAllCodec.encodeRequest("m", List.of()), MapGetAllCodec.encodeResponse(List.of()));
    check(
        MapGetAllCodec.encodeRequest("m", List.of(data("absent"))),
        MapGetAllCodec.encodeResponse(List.of()));
    assertThat(written()).isEqualTo(Messages.join(expected));
  }

  private void check(ClientMessage request, ClientMessage answer) {
    byte[] bytes = request(request, ++correlation, PARTITION);
    DirectRequest direct = new DirectRequest();
    assertThat(direct.parse(bytes, 0, bytes.length)).isEqualTo(DirectRequest.Form.WHOLE);
    assertThat(door.answer(direct, maps, reply)).isTrue();
    expected.add(answer(answer, correlation));
  }

  /** Written as to a socket that takes a few bytes at a time. */
  private byte[] written() {
    ByteBuffer all = ByteBuffer.allocate(reply.getFrameLength());
    while (reply.remaining() > 0) {
      ByteBuffer some = ByteBuffer.allocate(97);
      reply.writeTo(some);
      all.put(some.flip());
    }
    return all.array();
  }
}
