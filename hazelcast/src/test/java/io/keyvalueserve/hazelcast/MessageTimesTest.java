package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.codec.MapTryPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapUnlockCodec;
import com.hazelcast.client.impl.protocol.codec.QueueTakeCodec;
import io.keyvalueserve.gates.latency.Latencies;
import io.keyvalueserve.tenancy.Door;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Goal: a request is timed from the read that had its last byte until its answer is written. */
class MessageTimesTest {
  private static final Percentage ERROR = Percentage.withPercentage(6.25);

  private final AtomicLong nanos = new AtomicLong(-7_000);
  private final List<ClientMessage> slow = new ArrayList<>();

  private FakeWire wire(DirectDoor door) {
    return new FakeWire(door, (wire, message) -> slow.add(message), true, nanos::get);
  }

  private static Latencies latencies(FakeWire wire) {
    return wire.meters.meter(wire.session.identity(), Door.HAZELCAST).latency().latencies();
  }

  private static byte[] get(long correlation) {
    return Messages.request(MapGetCodec.encodeRequest("m", data("k"), 1), correlation, 1);
  }

  private void answer(FakeWire wire, long correlation) {
    ClientMessage answer = MapSetCodec.encodeResponse();
    answer.setCorrelationId(correlation);
    wire.write(answer);
  }

  @Test
  void aMessageOfTheLongWayIsTimedUntilItsAnswer() {
    FakeWire wire = wire(DirectDoor.closed(DirectDoors.foreignTypes()));
    byte[] bytes = Messages.join(List.of(get(1), get(2)));
    wire.read(bytes, 0, bytes.length);
    nanos.addAndGet(5_000_000);
    answer(wire, 2);
    nanos.addAndGet(195_000_000);
    answer(wire, 1);
    answer(wire, 1); // nobody asked

    assertThat(slow).hasSize(2);
    assertThat(latencies(wire).count()).isEqualTo(2);
    assertThat((double) latencies(wire).percentileNanos(0.5)).isCloseTo(5e6, ERROR);
    assertThat((double) latencies(wire).percentileNanos(1)).isCloseTo(200e6, ERROR);
  }

  @Test
  void aMessageBeginsWithTheReadThatHasItsLastByte() {
    FakeWire wire = wire(DirectDoor.closed(DirectDoors.foreignTypes()));
    byte[] bytes = Messages.join(List.of(get(1)));
    wire.read(bytes, 0, 20);
    nanos.addAndGet(9_000_000_000L);
    wire.read(bytes, 20, bytes.length);
    nanos.addAndGet(2_000_000);
    answer(wire, 1);

    assertThat((double) latencies(wire).percentileNanos(1)).isCloseTo(2e6, ERROR);
  }

  @Test
  void requestsOfTheShortWayAreTimedToo() {
    ModelMap map = new ModelMap(() -> false);
    FakeWire wire =
        wire(
            DirectDoors.of(
                name -> {
                  nanos.addAndGet(3_000_000); // a page that is not in memory, say
                  return map;
                }));
    byte[] bytes = Messages.join(List.of(get(1), get(2), get(3)));
    wire.read(bytes, 0, bytes.length);

    assertThat(slow).isEmpty();
    assertThat(latencies(wire).count()).isEqualTo(3);
    assertThat((double) latencies(wire).percentileNanos(0.01)).isCloseTo(3e6, ERROR);
  }

  @Test
  void whatWaitsByItsNatureIsNotTimed() {
    assertThat(MessageTable.get(MapGetCodec.REQUEST_MESSAGE_TYPE).timed()).isTrue();
    for (int type :
        new int[] {
          MapLockCodec.REQUEST_MESSAGE_TYPE,
          MapUnlockCodec.REQUEST_MESSAGE_TYPE,
          MapTryPutCodec.REQUEST_MESSAGE_TYPE,
          QueueTakeCodec.REQUEST_MESSAGE_TYPE
        }) {
      assertThat(MessageTable.get(type).timed()).isFalse();
    }
  }
}
