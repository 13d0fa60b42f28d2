package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.Messages.data;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.internal.serialization.Data;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Goal: a client gets the same answers, in the same order, whether or not what it sends waits for
 * its turn, moves to another thread meanwhile, or comes in whatever pieces. Method: connections of
 * several tenants on threads whose clock and tasks the test has in its hands, beside one that is
 * alone.
 */
class DecoderTurnsTest {
  private static final int ROUNDS = 40;
  private static final long MICRO = 1_000;

  private final AtomicReference<FakeThread> running = new AtomicReference<>();
  private long now = 1;

  /** Nobody else's connection was read there yet. */
  private FakeThread thread() {
    return FakeThread.of(running, () -> now, tenant -> tenant == 3 ? 3 : 1, () -> {});
  }

  /** A map that takes a microsecond for each request. */
  private ModelMap slowMap() {
    return new ModelMap(
        () -> {
          now += MICRO;
          return false;
        });
  }

  private FakeWire wire(int tenant, FakeThread thread, ModelMap map) {
    return new FakeWire(
        DirectDoors.of(name -> map), (any, message) -> {}, true, () -> now, tenant, thread);
  }

  /** Has a thread believe that it has connections of several tenants. */
  private static void contend(FakeThread thread) {
    boolean _ = thread.desk.turns.mustWait(1000);
    assertThat(thread.desk.turns.mustWait(1001)).isTrue();
  }

  private static byte[] get(String key, long correlation) {
    Data data = data(key);
    return Messages.request(
        MapGetCodec.encodeRequest("m", data, 1), correlation, Messages.partition(data));
  }

  private static byte[] gets(int from, int to) {
    List<byte[]> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(get("key", i));
    }
    return Messages.join(all);
  }

  private static List<Long> answered(FakeWire wire) {
    return Messages.read(wire.sent.toByteArray()).stream()
        .map(ClientMessage::getCorrelationId)
        .toList();
  }

  private static List<Long> numbers(int end) {
    List<Long> all = new ArrayList<>();
    for (long i = 0; i < end; i++) {
      all.add(i);
    }
    return all;
  }

  /** One connection, and what its client has yet to send. */
  private final class Stream {
    final Map<String, ModelMap> maps = new HashMap<>();
    final SlowDoor slow;
    final DirectDoor door;
    final FakeWire wire;
    final byte[] bytes;
    int at;

    /** One that is answered the long way only, and at once. */
    Stream(byte[] bytes) {
      this.bytes = bytes;
      this.slow =
          new SlowDoor(name -> maps.computeIfAbsent(name, any -> new ModelMap(() -> false)), null);
      this.door = DirectDoor.closed(DirectDoors.foreignTypes());
      this.wire = new FakeWire(door, slow, true);
    }

    Stream(byte[] bytes, int tenant, FakeThread thread, SplittableRandom declines) {
      Function<String, ModelMap> byName =
          name ->
              maps.computeIfAbsent(
                  name,
                  any ->
                      new ModelMap(
                          () -> {
                            now += MICRO;
                            return declines.nextInt(4) == 0;
                          }));
      this.bytes = bytes;
      this.slow = new SlowDoor(byName, declines);
      this.door = DirectDoors.of(byName::apply);
      this.wire = new FakeWire(door, slow, true, () -> now, tenant, thread);
    }

    boolean isSent() {
      return at == bytes.length;
    }

    void read(int most) {
      if (!wire.stopped && !isSent()) {
        at += wire.read(bytes, at, Math.min(bytes.length, at + most));
      }
    }

    List<String> answers() {
      return Messages.read(wire.sent.toByteArray()).stream()
          .map(message -> Arrays.toString(Messages.bytes(message)))
          .sorted()
          .toList();
    }
  }

  @Test
  void answersAreTheSameInTurnsAndOnOtherThreads() {
    long answered = 0;
    int moved = 0;
    for (int round = 0; round < ROUNDS; round++) {
      SplittableRandom random = new SplittableRandom(round);
      List<FakeThread> threads = List.of(thread(), thread(), thread());
      List<Stream> streams = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        byte[] bytes = Messages.join(DirectDecoderTest.messages(random, 80));
        streams.add(new Stream(bytes, 1 + i % 3, threads.get(i % 2), random.split()));
      }
      int mostCut = 1 << random.nextInt(6, 18);
      while (!streams.stream().allMatch(Stream::isSent)) {
        Stream stream = streams.get(random.nextInt(streams.size()));
        switch (random.nextInt(6)) {
          case 0 -> {
            FakeThread to = threads.get(random.nextInt(threads.size()));
            if (!to.equals(stream.wire.thread)) {
              stream.wire.migrate(to);
              moved++;
            }
          }
          case 1, 2 -> stream.read(random.nextInt(1, mostCut + 1));
          case 3 -> stream.slow.run(random.nextInt(3));
          default -> {
            boolean _ = threads.get(random.nextInt(threads.size())).runNext();
            boolean _ = stream.wire.wake();
          }
        }
      }
      finish(threads, streams);
      for (Stream stream : streams) {
        assertThat(stream.wire.failure).isNull();
        Stream alone = new Stream(stream.bytes);
        while (!alone.isSent()) {
          alone.read(alone.bytes.length);
        }
        assertThat(stream.answers()).as("round %d", round).isEqualTo(alone.answers());
        answered += stream.door.answered();
      }
    }
    assertThat(answered).as("direct answers").isGreaterThan(ROUNDS * 50L);
    assertThat(moved).as("moves").isGreaterThan(ROUNDS * 5);
  }

  /** Does all that is left to be done. */
  private static void finish(List<FakeThread> threads, List<Stream> streams) {
    boolean isBusy = true;
    while (isBusy) {
      isBusy = false;
      for (FakeThread thread : threads) {
        isBusy |= thread.runNext();
      }
      for (Stream stream : streams) {
        isBusy |= stream.wire.wake();
      }
    }
    streams.forEach(stream -> stream.slow.run(Integer.MAX_VALUE));
  }

  @Test
  void whatWaitsIsAnsweredInItsOrderAndInSlices() {
    FakeThread thread = thread();
    contend(thread);
    FakeWire wire = wire(1, thread, slowMap());
    FakeWire other = wire(2, thread, slowMap());
    byte[] stream = gets(0, 70);
    int _ = wire.read(stream, 0, stream.length);
    int _ = other.read(stream, 0, stream.length);
    assertThat(wire.sent.size()).as("sent before its turn").isZero();
    int rounds = 0;
    while (thread.runNext()) {
      rounds++;
    }
    assertThat(rounds).as("rounds for 140 microseconds").isEqualTo(2);
    assertThat(answered(wire)).isEqualTo(numbers(70));
    assertThat(answered(other)).isEqualTo(numbers(70));
  }

  @Test
  void moreIsReadWhileItWaitsUntilThereIsNoRoom() {
    FakeThread thread = thread();
    contend(thread);
    FakeWire wire = wire(1, thread, slowMap());
    byte[] stream = gets(0, 5_000);
    int at = 0;
    int stops = 0;
    while (at < stream.length) {
      while (!wire.stopped && at < stream.length) {
        at += wire.read(stream, at, Math.min(stream.length, at + 1_000));
      }
      stops += wire.stopped ? 1 : 0;
      assertThat(thread.turns().tasks()).isEqualTo(1);
      thread.runAll();
      assertThat(wire.stopped).as("reads on when it has been served").isFalse();
    }
    assertThat(stops).isPositive();
    assertThat(wire.inboundBufferBytes()).isGreaterThan(4 << 10);
    assertThat(answered(wire)).isEqualTo(numbers(5_000));
  }

  @Test
  void oneThatClosesWhileItWaitsIsNotServed() {
    FakeThread thread = thread();
    contend(thread);
    FakeWire told = wire(1, thread, slowMap());
    FakeWire untold = wire(1, thread, slowMap());
    FakeWire stays = wire(2, thread, slowMap());
    byte[] stream = gets(0, 10);
    for (FakeWire each : List.of(told, untold, stays)) {
      int _ = each.read(stream, 0, stream.length);
    }
    told.close();
    untold.closed = true; // and its listener will be told later
    thread.runAll();
    untold.close();
    thread.runAll();
    assertThat(told.sent.size() + untold.sent.size()).isZero();
    assertThat(answered(stays)).isEqualTo(numbers(10));
    thread.turns().turns.mustWait(2);
    assertThat(thread.turns().tasks()).isZero();
  }

  @Test
  void whatIsNoMessageEndsItsConnectionOnly() {
    FakeThread thread = thread();
    contend(thread);
    FakeWire broken = wire(1, thread, slowMap());
    FakeWire whole = wire(2, thread, slowMap());
    byte[] nonsense = new byte[100]; // a frame of no length
    int _ = broken.read(nonsense, 0, nonsense.length);
    byte[] stream = gets(0, 10);
    int _ = whole.read(stream, 0, stream.length);
    thread.runAll();
    assertThat(broken.failure).isNotNull();
    assertThat(whole.failure).isNull();
    assertThat(answered(whole)).isEqualTo(numbers(10));
  }

  @Test
  void oneThatHasNotAuthenticatedDoesNotWait() {
    FakeThread thread = thread();
    contend(thread);
    List<ClientMessage> slow = new ArrayList<>();
    FakeWire wire =
        new FakeWire(
            DirectDoors.of(name -> slowMap()),
            (any, message) -> slow.add(message),
            false,
            () -> now,
            1,
            thread);
    byte[] one = get("key", 1);
    int _ = wire.read(one, 0, one.length);
    assertThat(slow).hasSize(1);
    assertThat(thread.turns().tasks()).isZero();
  }

  @Test
  void aClientThatTakesNoAnswersIsNotReadAndGoesOnWhenItDoes() {
    int requests = 20_000;
    FakeThread thread = thread();
    ModelMap map = slowMap();
    map.entries().put(data("key"), data(new byte[2000]));
    FakeWire wire = wire(1, thread, map);
    byte[] stream = gets(0, requests);
    int at = 0;
    int stops = 0;
    wire.taking = false;
    while (at < stream.length || wire.pendingBytes() > 0 || wire.stopped) {
      contend(thread);
      if (!wire.stopped && at < stream.length) {
        at += wire.read(stream, at, Math.min(stream.length, at + 30_000));
      }
      thread.runAll();
      assertThat(wire.pendingBytes()).isLessThan(2 * ReplyBacklog.MOST_BYTES);
      if (wire.stopped || at == stream.length) {
        stops++;
        wire.taking = true;
        wire.flush();
        wire.taking = false;
        assertThat(wire.wake() || !wire.stopped).as("woken").isTrue();
        thread.runAll();
      }
    }
    assertThat(stops).isGreaterThan(requests * 2000 / (2 * ReplyBacklog.MOST_BYTES));
    assertThat(answered(wire)).isEqualTo(numbers(requests));
  }

  @Test
  void tenantsAreServedAlikeWhateverTheySend() {
    assertThat(ratioOfServed(1, 2)).isCloseTo(1, within(0.02));
    assertThat(ratioOfServed(3, 2)).as("of weight 3").isCloseTo(3, within(0.1));
  }

  /** Two tenants of which one has 64 times the requests on their way, and more of them at once. */
  private double ratioOfServed(int few, int many) {
    List<Loop> loops = new ArrayList<>();
    FakeThread thread =
        FakeThread.of(
            running,
            () -> now,
            tenant -> tenant == 3 ? 3 : 1,
            () -> loops.forEach(Loop::sendWhatWasAnswered));
    for (int i = 0; i < 16; i++) {
      loops.add(new Loop(wire(few, thread, slowMap()), few, 16));
    }
    for (int i = 0; i < 128; i++) {
      loops.add(new Loop(wire(many, thread, slowMap()), many, 128));
    }
    loops.forEach(Loop::sendWhatWasAnswered);
    loops.forEach(Loop::sendWhatWasAnswered); // the first tenant was alone until now
    Map<Integer, Long> begin = served(loops);
    for (int i = 0; i < 4_000; i++) {
      assertThat(thread.runNext()).isTrue();
    }
    Map<Integer, Long> end = served(loops);
    return (double) (end.getOrDefault(few, 0L) - begin.getOrDefault(few, 0L))
        / (end.getOrDefault(many, 0L) - begin.getOrDefault(many, 0L));
  }

  private static Map<Integer, Long> served(List<Loop> loops) {
    Map<Integer, Long> sums = new HashMap<>();
    loops.forEach(loop -> sums.merge(loop.tenant, loop.answered(), Long::sum));
    return sums;
  }

  /** A client that has so many requests on their way, and sends the next when one is answered. */
  private static final class Loop {
    private static final byte[] ONE = get("key", 1);

    final FakeWire wire;
    final int tenant;
    final int pipeline;
    long sent;

    Loop(FakeWire wire, int tenant, int pipeline) {
      this.wire = wire;
      this.tenant = tenant;
      this.pipeline = pipeline;
    }

    /** From what was metered, which is before it was sent. */
    long answered() {
      return wire.meters.readings().stream()
          .mapToLong(io.keyvalueserve.gates.TenantMeters.Reading::operations)
          .sum();
    }

    void sendWhatWasAnswered() {
      int more = (int) Math.min(answered() + pipeline - sent, wire.room() / ONE.length);
      if (more > 0 && !wire.stopped) {
        byte[] all = Messages.join(Collections.nCopies(more, ONE));
        sent += more;
        assertThat(wire.read(all, 0, all.length)).isEqualTo(all.length);
      }
    }
  }
}
