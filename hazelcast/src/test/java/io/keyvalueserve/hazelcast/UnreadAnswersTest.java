package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.internal.networking.OutboundFrame;
import io.keyvalueserve.gates.heap.HeapLease;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.grid.UnreadLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Bytes that wait for clients are counted exactly, and clients beyond the bounds are cut off. */
class UnreadAnswersTest {
  private static final long KIBIBYTE = 1024;
  private static final long CONNECTION = 1000 * KIBIBYTE;
  private static final long ALL = 4000 * KIBIBYTE;

  private static final Duration STALL = Duration.ofSeconds(5);

  private final AtomicLong now = new AtomicLong();
  private final MemberHeap whole = MemberHeap.unbounded();
  private final UnreadAnswers all =
      new UnreadAnswers(new UnreadLimit(CONNECTION, ALL, STALL), whole, now::get);
  private final List<String> closed = new ArrayList<>();

  private UnreadAnswers.OfConnection connection(String name, int tenant) {
    return all.enter(() -> tenant, reason -> closed.add(name));
  }

  private static ClientMessage answer(int bytes) {
    return MapGetCodec.encodeResponse(Messages.data(new byte[bytes]));
  }

  @Test
  void aConnectionIsClosedWhenMoreComesWhileItIsBeyondItsBound() {
    UnreadAnswers.OfConnection unread = connection("slow", 1);
    assertThat(unread.add(CONNECTION + 1)).as("one long message").isTrue();
    now.addAndGet(STALL.toNanos() - 1);
    assertThat(unread.add(1)).as("it may be about to read").isTrue();
    unread.progressed();
    now.addAndGet(STALL.toNanos() - 1);
    assertThat(unread.add(1)).as("it has read").isTrue();
    now.addAndGet(1);
    assertThat(unread.add(1)).isFalse();
    assertThat(closed).containsExactly("slow");
    assertThat(all.bytes(1)).isZero();
    assertThat(all.cutOff()).isEqualTo(1);
    assertThat(unread.add(1)).as("closed").isFalse();
  }

  @Test
  void aTenantThatUsesMuchForOtherThingsLosesItsOwnConnection() {
    whole.setMost(4000 * KIBIBYTE);
    assertThat(connection("other", 2).add(900 * KIBIBYTE)).isTrue();
    assertThat(connection("first", 1).add(200 * KIBIBYTE)).isTrue();
    assertThat(connection("second", 1).add(300 * KIBIBYTE)).isTrue();
    whole.lease(1, HeapUse.KEPT).force(1500 * KIBIBYTE);
    assertThat(connection("third", 1).add(100 * KIBIBYTE)).isTrue();
    assertThat(closed).containsExactly("second");
    assertThat(whole.used(HeapUse.UNREAD)).isEqualTo(all.bytes(1) + all.bytes(2));
  }

  @Test
  void aTenantWhoseRequestsUseAllThatTheyMayStillGetsAnswers() {
    whole.setMost(4000 * KIBIBYTE);
    HeapLease requests = whole.lease(1, HeapUse.REQUESTS);
    while (requests.take(KIBIBYTE)) {
      assertThat(requests.used()).isLessThan(4000 * KIBIBYTE);
    }
    assertThat(connection("reading", 1).add(300 * KIBIBYTE)).isTrue();
    assertThat(closed).isEmpty();
  }

  @Test
  void theLargestConnectionOfATenantBeyondItsBoundIsClosed() {
    List<UnreadAnswers.OfConnection> connections = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      connections.add(connection("c" + i, 1));
      assertThat(connections.get(i).add((500 + 100 * i) * KIBIBYTE)).isTrue();
    }
    assertThat(connection("reading", 1).add(300 * KIBIBYTE)).isTrue();
    assertThat(closed).containsExactly("c2");
    connections.get(0).remove(500 * KIBIBYTE);
    connections.get(1).remove(600 * KIBIBYTE);
    assertThat(all.bytes(1)).isEqualTo(5 * UnreadAnswers.STEP_BYTES);
  }

  @Test
  void aTenantWithMostMakesRoomForOthers() {
    for (int i = 0; i < 2; i++) {
      assertThat(connection("greedy" + i, 1).add((900 + i) * KIBIBYTE)).isTrue();
    }
    assertThat(connection("other", 2).add(900 * KIBIBYTE)).isTrue();
    assertThat(closed).isEmpty();
    assertThat(connection("third", 3).add(700 * KIBIBYTE)).isTrue();
    assertThat(closed).containsExactly("greedy1");
  }

  @Test
  void aFewBytesAndClientsWithoutAKeyAreInNoAccount() {
    UnreadAnswers.OfConnection few = connection("few", 1);
    assertThat(few.add(UnreadAnswers.FREE_BYTES)).isTrue();
    assertThat(all.bytes(1)).isZero();
    assertThat(connection("stranger", -1).add(CONNECTION)).isTrue();
    assertThat(few.add(1)).isTrue();
    assertThat(all.bytes(1)).isEqualTo(UnreadAnswers.STEP_BYTES);
    few.remove(UnreadAnswers.FREE_BYTES + 1);
    assertThat(all.bytes(1)).isZero();
  }

  @Test
  void aQueueCountsLikeAModel() {
    Random random = new Random(7);
    UnreadAnswers.OfConnection unread = connection("c", 1);
    AnswerQueue queue = new AnswerQueue(unread);
    Queue<OutboundFrame> model = new ArrayDeque<>();
    for (int step = 0; step < 5_000; step++) {
      if (random.nextInt(10) < (step / 500 % 2 == 0 ? 6 : 3) && unread.bytes() < CONNECTION / 2) {
        ClientMessage answer = answer(random.nextInt(40_000));
        assertThat(queue.offer(answer)).isTrue();
        model.add(answer);
      } else {
        OutboundFrame polled = queue.poll();
        assertThat(polled).isSameAs(model.poll());
        if (polled != null) {
          unread.remove(AnswerQueue.bytesOf(polled));
        }
      }
      long bytes = model.stream().mapToLong(AnswerQueue::bytesOf).sum();
      assertThat(unread.bytes()).isEqualTo(bytes);
      assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(queue).hasSameSizeAs(model);
      assertThat(all.bytes(1))
          .isBetween(
              Math.max(0, bytes - UnreadAnswers.FREE_BYTES),
              bytes == 0 ? 0 : bytes + 3 * UnreadAnswers.STEP_BYTES);
    }
    queue.clear();
    assertThat(unread.bytes()).isZero();
    assertThat(all.bytes(1)).isZero();
  }

  @Test
  void whatIsOfferedToAClosedConnectionIsDropped() {
    AnswerQueue queue = new AnswerQueue(connection("c", 1));
    assertThat(queue.offer(answer(100_000))).isTrue();
    queue.clear();
    assertThat(queue.offer(answer(100_000))).isFalse();
    assertThat(queue).isEmpty();
    assertThat(all.bytes(1)).isZero();
    assertThat(closed).as("closed by somebody else").isEmpty();
  }

  @Test
  void manyThreadsLeaveNothingCounted() {
    int threads = 3;
    int each = 3_000;
    UnreadAnswers.OfConnection unread = connection("c", 1);
    AnswerQueue queue = new AnswerQueue(unread);
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = 0; n < each; n++) {
                  while (unread.bytes() > CONNECTION / 2) {
                    Thread.onSpinWait();
                  }
                  assertThat(queue.offer(answer(n % 20_000))).isTrue();
                }
              }));
    }
    int polled = 0;
    while (polled < threads * each && closed.isEmpty()) {
      OutboundFrame frame = queue.poll();
      if (frame != null) {
        unread.remove(AnswerQueue.bytesOf(frame));
        polled++;
      }
    }
    writers.forEach(CompletableFuture::join);
    assertThat(closed).isEmpty();
    assertThat(unread.bytes()).isZero();
    assertThat(all.bytes(1)).isZero();
  }

  @Test
  void closingWhileThreadsOfferLeavesNothing() {
    for (int round = 0; round < 200; round++) {
      UnreadAnswers.OfConnection unread = connection("c", 1);
      AnswerQueue queue = new AnswerQueue(unread);
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                while (queue.offer(answer(30_000)) && !unread.hasEnded()) {
                  Thread.onSpinWait();
                }
              });
      while (unread.bytes() == 0 && !writer.isDone()) {
        Thread.onSpinWait();
      }
      queue.clear();
      writer.join();
      assertThat(queue).isEmpty();
      assertThat(all.bytes(1)).isZero();
    }
  }
}
