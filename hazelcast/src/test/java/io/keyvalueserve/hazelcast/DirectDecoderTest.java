package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapContainsKeyCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapSetCodec;
import com.hazelcast.client.impl.protocol.util.ClientMessageSplitter;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever bytes come in whatever pieces, a client gets the answers it gets without the short
 * way. Method: the same stream goes through a connection that may answer directly, with maps that
 * decline at random, and through one that may not.
 */
class DirectDecoderTest {
  private static final int PARTITIONS_USED = 3;
  private static final int ROUNDS = 60;
  private static final List<String> NAMES =
      List.of("m", "m", "n", "acme/m", "globex/m", "", "a/b/c", "ü".repeat(200));
  private static final Data FOREIGN =
      new HeapData(new byte[] {0, 0, 0, 0, -1, -1, -1, -2, 1, -1, -1, -1, -11, 0, 0, 0, 1});

  /** One side of a comparison. */
  private static final class Side {
    final Map<String, ModelMap> maps = new HashMap<>();
    final DirectDoor door;
    final SlowDoor slow;
    final FakeWire wire;

    Side(boolean direct, boolean late, SplittableRandom declines) {
      Function<String, ModelMap> byName =
          name -> maps.computeIfAbsent(name, any -> new ModelMap(() -> declines.nextInt(4) == 0));
      door = direct ? DirectDoors.of(byName::apply) : DirectDoor.closed(DirectDoors.foreignTypes());
      slow = new SlowDoor(byName, late ? declines : null);
      wire = new FakeWire(door, slow, true);
    }

    /** Every answer as bytes, in an order that depends on them alone. */
    List<String> answers() {
      return Messages.read(wire.sent.toByteArray()).stream()
          .map(message -> Arrays.toString(Messages.bytes(message)))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 1000, 20_000, 1 << 20})
  void answersAreTheSameHoweverTheStreamIsCut(int mostCut) {
    long answered = 0;
    int rounds = mostCut == 1 ? ROUNDS / 6 : ROUNDS; // byte by byte takes long, and is always alike
    for (int round = 0; round < rounds; round++) {
      SplittableRandom random = new SplittableRandom(round);
      byte[] stream = Messages.join(messages(random, 120));
      Side plain = new Side(false, false, random);
      plain.wire.readAll(stream, stream.length);
      Side direct = new Side(true, true, random);
      for (int at = 0; at < stream.length; ) {
        int cut = random.nextInt(1, mostCut + 1);
        at += direct.wire.read(stream, at, Math.min(stream.length, at + cut));
        direct.slow.run(random.nextInt(3));
      }
      direct.slow.run(Integer.MAX_VALUE);
      assertThat(direct.answers()).as("round %d", round).isEqualTo(plain.answers());
      answered += direct.door.answered();
    }
    assertThat(answered).as("direct answers").isGreaterThan(rounds * 10L);
  }

  @Test
  void damagedStreamsComeToTheSameEnd() {
    long answered = 0;
    int ended = 0;
    for (int round = 0; round < 10 * ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      List<byte[]> messages = messages(random, 20);
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        damage(messages.get(random.nextInt(messages.size())), random);
      }
      byte[] stream = Messages.join(messages);
      Side plain = new Side(false, false, random);
      boolean plainEnds = endsIn(plain, stream, stream.length);
      Side direct = new Side(true, false, random);
      boolean directEnds = endsIn(direct, stream, random.nextInt(1, 2000));
      assertThat(directEnds).as("round %d ends the connection", round).isEqualTo(plainEnds);
      assertThat(direct.answers()).as("round %d", round).isEqualTo(plain.answers());
      answered += direct.door.answered();
      ended += plainEnds ? 1 : 0;
    }
    assertThat(answered).as("direct answers").isGreaterThan(ROUNDS * 20L);
    assertThat(ended).as("streams that were no messages").isPositive();
  }

  /** Whether the stream is none of messages, as Hazelcast's reader finds. */
  private static boolean endsIn(Side side, byte[] stream, int cut) {
    try {
      side.wire.readAll(stream, cut);
      return false;
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      return true;
    }
  }

  /** Changes a byte, but none that would have Hazelcast's reader allocate a gigabyte. */
  private static void damage(byte[] message, SplittableRandom random) {
    int victim = random.nextInt(message.length);
    for (int frame = 0; frame + 6 <= message.length; ) {
      int length = FrameLayout.lengthAt(message, frame);
      if (length < 6 || length > message.length || victim == frame + 2 || victim == frame + 3) {
        return;
      }
      frame += length;
    }
    message[victim] = (byte) (random.nextBoolean() ? random.nextInt() : random.nextInt(-4, 12));
  }

  @Test
  void aSessionThatEndedGetsNothingMore() {
    Side side = new Side(true, false, new SplittableRandom(1));
    byte[] get = get("m", "key", 1);
    side.wire.readAll(get, get.length);
    assertThat(side.answers()).hasSize(1);
    side.wire.session.end("over");
    side.wire.readAll(get, get.length);
    assertThat(side.answers()).hasSize(1);
  }

  @Test
  void whoHasNotAuthenticatedIsNeverAnsweredDirectly() {
    DirectDoor door = DirectDoors.of(name -> new ModelMap(() -> false));
    List<ClientMessage> slow = new ArrayList<>();
    FakeWire wire = new FakeWire(door, (any, message) -> slow.add(message), false);
    byte[] get = get("m", "key", 1);
    wire.readAll(get, get.length);
    assertThat(slow).hasSize(1);
    assertThat(door.answered()).isZero();
    assertThat(wire.sent.size()).isZero();
  }

  @Test
  void partitionsThatDoNotExistGoTheLongWay() {
    DirectDoor door = DirectDoors.of(name -> new ModelMap(() -> false));
    List<ClientMessage> slow = new ArrayList<>();
    FakeWire wire = new FakeWire(door, (any, message) -> slow.add(message), true);
    for (int partition :
        new int[] {Messages.PARTITIONS, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      byte[] get = Messages.request(MapGetCodec.encodeRequest("m", data("key"), 1), 1, partition);
      wire.readAll(get, get.length);
    }
    assertThat(slow).hasSize(4);
    assertThat(door.answered()).isZero();
  }

  @Test
  void metersWhatItAnswers() {
    ModelMap map = new ModelMap(() -> false);
    map.entries().put(data("key"), data(new byte[500]));
    FakeWire wire = new FakeWire(DirectDoors.of(name -> map), (any, message) -> {}, true);
    byte[] one = get("m", "key", 1);
    byte[] stream = Messages.join(java.util.Collections.nCopies(100, one));
    wire.readAll(stream, 333);
    var reading =
        wire.meters.readings().stream()
            .filter(each -> each.door() == io.keyvalueserve.tenancy.Door.HAZELCAST)
            .findAny()
            .orElseThrow();
    assertThat(reading.operations()).isEqualTo(100);
    assertThat(reading.bytesIn()).isEqualTo(stream.length);
    assertThat(reading.bytesOut()).isEqualTo(wire.sent.size());
  }

  @Test
  void aClientThatDoesNotReadIsNotReadAndGoesOnWhenItDoes() {
    int requests = 40_000;
    ModelMap map = new ModelMap(() -> false);
    map.entries().put(data("key"), data(new byte[2000]));
    FakeWire wire = new FakeWire(DirectDoors.of(name -> map), (any, message) -> {}, true);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      all.add(get("m", "key", i));
    }
    byte[] stream = Messages.join(all);
    int at = 0;
    int stops = 0;
    wire.taking = false;
    while (at < stream.length || wire.pendingBytes() > 0 || wire.stopped) {
      if (!wire.stopped && at < stream.length) {
        at += wire.read(stream, at, Math.min(stream.length, at + 30_000));
        assertThat(wire.pendingBytes()).isLessThan(2 * ReplyBacklog.MOST_BYTES);
        continue;
      }
      stops++;
      wire.taking = true;
      wire.flush();
      wire.taking = false;
      assertThat(wire.wake() || !wire.stopped).as("woken").isTrue();
    }
    assertThat(stops).isGreaterThan(requests * 2000 / (2 * ReplyBacklog.MOST_BYTES));
    List<ClientMessage> answers = Messages.read(wire.sent.toByteArray());
    assertThat(answers).hasSize(requests);
    for (int i = 0; i < requests; i++) {
      assertThat(answers.get(i).getCorrelationId()).isEqualTo(i);
    }
  }

  @Test
  void buffersAreSmallUntilTheyFillAndSmallAgainAfterAWhile() {
    ModelMap map = new ModelMap(() -> false);
    map.entries().put(data("key"), data(new byte[300]));
    FakeWire wire = new FakeWire(DirectDoors.of(name -> map), (any, message) -> {}, true);
    byte[] one = get("m", "key", 1);
    byte[] many = Messages.join(java.util.Collections.nCopies(3000, one));
    wire.readAll(one, one.length);
    assertThat(wire.inboundBufferBytes()).isEqualTo(4 << 10);
    assertThat(wire.outboundBufferBytes()).isEqualTo(4 << 10);
    wire.readAll(many, many.length);
    assertThat(wire.inboundBufferBytes()).isEqualTo(FakeWire.MOST_BUFFER_BYTES);
    assertThat(wire.outboundBufferBytes()).isEqualTo(FakeWire.MOST_BUFFER_BYTES);
    for (int i = 0; i < 3000; i++) {
      wire.readAll(one, one.length);
    }
    assertThat(wire.inboundBufferBytes()).isEqualTo(4 << 10);
    assertThat(wire.outboundBufferBytes()).isEqualTo(4 << 10);
    assertThat(Messages.read(wire.sent.toByteArray())).hasSize(6001);
  }

  private static byte[] get(String map, String key, long correlation) {
    Data data = data(key);
    return Messages.request(
        MapGetCodec.encodeRequest(map, data, 1), correlation, Messages.partition(data));
  }

  /** Requests of all kinds, some in fragments. */
  static List<byte[]> messages(SplittableRandom random, int count) {
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Data key = data("key" + random.nextInt(12));
      int partition = partition(key);
      ClientMessage message = message(random, key);
      message.setCorrelationId(i + 1);
      message.setPartitionId(partition);
      if (random.nextInt(12) == 0) {
        ClientMessageSplitter.getFragments(64, message)
            .forEach(fragment -> all.add(Messages.bytes(fragment)));
      } else {
        all.add(Messages.bytes(message));
      }
    }
    return all;
  }

  private static ClientMessage message(SplittableRandom random, Data someKey) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    Data key = random.nextInt(20) == 0 ? FOREIGN : someKey;
    Data value = random.nextInt(20) == 0 ? FOREIGN : data(new byte[length(random)]);
    return switch (random.nextInt(8)) {
      case 0, 1 -> MapGetCodec.encodeRequest(name, key, 1);
      case 2 -> MapContainsKeyCodec.encodeRequest(name, key, 1);
      case 3 -> MapGetAllCodec.encodeRequest(name, keysBeside(someKey, random));
      case 4, 5 -> MapPutCodec.encodeRequest(name, key, value, 1, random.nextInt(5) == 0 ? 9 : -1);
      case 6 -> MapSetCodec.encodeRequest(name, key, value, 1, random.nextInt(5) == 0 ? 9 : -1);
      default -> MapRemoveCodec.encodeRequest(name, key, 1);
    };
  }

  private static int length(SplittableRandom random) {
    return random.nextInt(60) == 0 ? random.nextInt(300_000) : random.nextInt(200);
  }

  /** Keys of the same partition. */
  private static List<Data> keysBeside(Data key, SplittableRandom random) {
    List<Data> keys = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Data other = data("key" + i);
      if (partition(other) == partition(key) && random.nextBoolean()) {
        keys.add(other);
      }
    }
    return keys;
  }

  private static int partition(Data key) {
    return Messages.partition(key) % PARTITIONS_USED;
  }
}
