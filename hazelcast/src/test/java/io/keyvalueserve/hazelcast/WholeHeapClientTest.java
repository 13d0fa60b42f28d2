package io.keyvalueserve.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapLockCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.collection.IQueue;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.map.IMap;
import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Several tenants use a member's heap for different things at once, each as much as it can. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WholeHeapClientTest {
  private static final long MOST = 24L << 20;
  private static final int VALUE = 100_000;

  private final DoorMember member = new DoorMember();
  private final MemberHeap heap = member.admissions.memberHeap();
  private final HazelcastInstance keeping = member.client("keeping");
  private final HazelcastInstance other = member.client("other");

  @AfterAll
  void stop() {
    keeping.shutdown();
    other.shutdown();
    member.close();
  }

  @Test
  void allUsesOfAllTenantsStayWithinTheWholeAndOneMoreTenantIsServed() throws Exception {
    heap.setMost(MOST);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        RawClient sending = new RawClient(member.member.clientPort()).authenticate("sending");
        RawClient waiting = new RawClient(member.member.clientPort()).authenticate("waiting")) {
      Future<?> kept = threads.submit(this::keepUntilRefused);
      Future<?> waits = threads.submit(() -> waitUntilRefused(waiting));
      Future<?> sent = threads.submit(() -> sendUntilClosed(sending));
      kept.get();
      waits.get();
      sent.get();
      assertThat(sum()).isBetween(MOST / 3, MOST + MOST / 16);
      assertThat(heap.used(HeapUse.KEPT)).isGreaterThan(MOST / 16);
      assertThat(heap.used(HeapUse.REQUESTS)).isGreaterThan(MOST / 16);
      IMap<String, byte[]> map = other.getMap("m");
      map.set("k", new byte[VALUE]);
      assertThat(map.get("k")).hasSize(VALUE);
    }
    await().until(() -> heap.used(HeapUse.REQUESTS) == 0 && heap.used(HeapUse.MESSAGES) == 0);
    keeping.getQueue("q").destroy();
    await().until(() -> heap.used(HeapUse.KEPT) < MOST / 16);
    assertThat(keeping.getQueue("q").offer(new byte[VALUE])).isTrue();
  }

  private long sum() {
    long sum = 0;
    for (HeapUse use : HeapUse.values()) {
      sum += heap.used(use);
    }
    return sum;
  }

  private Void keepUntilRefused() {
    IQueue<byte[]> queue = keeping.getQueue("q");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MOST / VALUE; i++) {
                assertThat(queue.offer(new byte[VALUE])).isTrue();
              }
            })
        .isInstanceOf(HazelcastOverloadException.class)
        .hasMessageContaining("a member's Java heap together");
    return null;
  }

  /** Waits for a lock with a long key, many times. */
  private static Void waitUntilRefused(RawClient waiting) throws IOException {
    Data key = Messages.data("k".repeat(VALUE));
    for (int n = 1; n <= MOST / VALUE; n++) {
      waiting.send(
          Messages.request(
              MapLockCodec.encodeRequest("m", key, n, -1, n), n, Messages.partition(key)));
    }
    boolean served = false;
    boolean refused = false;
    while (!served || !refused) { // a refusal can overtake the answer of the first
      ClientMessage answer = waiting.receive();
      if (answer.getCorrelationId() == 1) {
        assertThat(answer.getMessageType()).isEqualTo(MapLockCodec.RESPONSE_MESSAGE_TYPE);
        served = true;
      } else {
        assertThat(answer.getMessageType()).isEqualTo(ErrorsCodec.EXCEPTION_MESSAGE_TYPE);
        assertThat(ErrorsCodec.decode(answer).getFirst().getMessage())
            .contains("a member's Java heap together");
        refused = true;
      }
    }
    return null;
  }

  /** Begins a message that has no end. */
  private static Void sendUntilClosed(RawClient sending) {
    assertThatThrownBy(
            () -> {
              sending.send(
                  ByteBuffer.allocate(6)
                      .order(ByteOrder.LITTLE_ENDIAN)
                      .putInt((int) (2 * MOST))
                      .putShort((short) ClientMessage.UNFRAGMENTED_MESSAGE)
                      .array());
              for (int i = 0; i < MOST / VALUE; i++) {
                sending.send(new byte[VALUE]);
              }
              ClientMessage _ = sending.receive();
            })
        .isInstanceOf(IOException.class);
    return null;
  }
}
