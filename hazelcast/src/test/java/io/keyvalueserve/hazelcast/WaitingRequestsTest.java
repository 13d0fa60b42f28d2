package io.keyvalueserve.hazelcast;

import static io.keyvalueserve.hazelcast.TenantsWaiting.OVERHEAD_BYTES;
import static io.keyvalueserve.hazelcast.WaitingKind.FREEING;
import static io.keyvalueserve.hazelcast.WaitingKind.ORDINARY;
import static io.keyvalueserve.hazelcast.WaitingKind.PARKED;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.gates.heap.HeapUse;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.grid.WaitingLimit;
import io.keyvalueserve.hazelcast.WaitingRequests.Outcome;
import io.keyvalueserve.maps.gather.TemporaryHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many requests wait, counted once each and given back once each. */
@Timeout(60)
class WaitingRequestsTest {
  private static final int ACME = 1;
  private static final int GLOBEX = 2;

  private final TemporaryHeap heap = heap(1 << 20, tenant -> 1);
  private final TenantsWaiting all = new TenantsWaiting(new WaitingLimit(10, 1_000), heap);
  private final WaitingRequests acme = new WaitingRequests(all.enter(ACME));

  private static boolean admit(WaitingRequests session, long correlation, int length) {
    return session.admit(correlation, length, ORDINARY) == Outcome.ADMITTED;
  }

  private static TemporaryHeap heap(long most, IntUnaryOperator weights) {
    return new TemporaryHeap(most, weights, MemberHeap.unbounded(), HeapUse.REQUESTS);
  }

  @Test
  void oneNumberIsCountedOnceHoweverOftenItIsSent() {
    assertThat(admit(acme, 1, 100)).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(acme.admit(1, 100, WaitingKind.of(i % WaitingKind.COUNT)))
          .isEqualTo(Outcome.REPEATED);
    }
    assertThat(all.requests(ACME)).isEqualTo(1);
    assertThat(all.bytes(ACME)).isEqualTo(100);
    acme.answered(1);
    assertThat(admit(acme, 1, 100)).isTrue();
  }

  @Test
  void whatIsParkedIsBoundedAndKeepsNothingElseOut() {
    for (int i = 0; i < 10; i++) {
      assertThat(acme.admit(i, 1, PARKED)).isEqualTo(Outcome.ADMITTED);
    }
    assertThat(acme.admit(10, 1, PARKED)).isEqualTo(Outcome.TOO_MUCH);
    assertThat(acme.admit(11, 1, ORDINARY)).isEqualTo(Outcome.ADMITTED);
    assertThat(acme.admit(12, 1, FREEING)).isEqualTo(Outcome.ADMITTED);
    acme.answered(3);
    assertThat(acme.admit(10, 1, PARKED)).isEqualTo(Outcome.ADMITTED);
  }

  @Test
  void allKindsOfAllTenantsShareTheHeapAndWhatFreesHasAReserve() {
    TemporaryHeap small = heap(8 * OVERHEAD_BYTES, tenant -> 1);
    TenantsWaiting tenants = new TenantsWaiting(WaitingLimit.USUAL, small);
    WaitingRequests first = new WaitingRequests(tenants.enter(ACME));
    WaitingRequests second = new WaitingRequests(tenants.enter(GLOBEX));
    assertThat(fill(first, PARKED) + fill(first, ORDINARY)).isEqualTo(4);
    assertThat(first.refusal(ORDINARY)).contains("Java heap").contains("free=0");
    assertThat(fill(second, ORDINARY)).isEqualTo(2);
    assertThat(fill(first, FREEING)).isEqualTo(4);
    assertThat(small.bytes()).isEqualTo(10 * OVERHEAD_BYTES);
    first.end();
    second.end();
    assertThat(small.bytes()).isZero();
  }

  @Test
  void requestsAndResultsCountToTheHeapThatAllUse() {
    MemberHeap whole = new MemberHeap(20L * OVERHEAD_BYTES); // a tenant alone gets half
    TemporaryHeap large =
        new TemporaryHeap(1000L * OVERHEAD_BYTES, tenant -> 1, whole, HeapUse.REQUESTS);
    TenantsWaiting tenants = new TenantsWaiting(WaitingLimit.USUAL, large);
    WaitingRequests session = new WaitingRequests(tenants.enter(ACME));
    whole.lease(ACME, HeapUse.KEPT).force(4L * OVERHEAD_BYTES);
    assertThat(session.results().take(2L * OVERHEAD_BYTES)).isTrue();
    assertThat(session.results().take(5L * OVERHEAD_BYTES)).isFalse();
    assertThat(fill(session, ORDINARY)).isEqualTo(4);
    assertThat(session.refusal(ORDINARY))
        .contains("free=0")
        .contains("a member's Java heap together");
    assertThat(whole.used(HeapUse.REQUESTS))
        .isEqualTo(6L * OVERHEAD_BYTES)
        .isEqualTo(large.bytes());
    session.results().give(2L * OVERHEAD_BYTES);
    session.end();
    assertThat(whole.used(HeapUse.REQUESTS)).isZero();
    assertThat(large.bytes()).isZero();
  }

  @Test
  void theHeapIsSharedByWeightAmongTheTenantsThatAreConnected() {
    TemporaryHeap small = heap(120L * OVERHEAD_BYTES, tenant -> tenant == GLOBEX ? 3 : 1);
    TenantsWaiting tenants = new TenantsWaiting(WaitingLimit.USUAL, small);
    WaitingRequests light = new WaitingRequests(tenants.enter(ACME));
    assertThat(fill(light, ORDINARY)).as("alone: half").isEqualTo(60);
    light.end();
    light = new WaitingRequests(tenants.enter(ACME));
    WaitingRequests heavy = new WaitingRequests(tenants.enter(GLOBEX));
    assertThat(fill(heavy, ORDINARY)).as("1.5 of 2.5 parts").isEqualTo(72);
    assertThat(fill(light, ORDINARY)).as("0.5 of 1.5 parts of the rest").isEqualTo(16);
    heavy.end();
    light.end();
    assertThat(small.bytes()).isZero();
  }

  private static int fill(WaitingRequests session, WaitingKind kind) {
    int count = 0;
    while (session.admit(100L * kind.index() + count, 0, kind) == Outcome.ADMITTED) {
      count++;
    }
    return count;
  }

  @Test
  void aTenantHasSoManyRequestsWaitingOverAllItsSessionsAndNoMore() {
    WaitingRequests second = new WaitingRequests(all.enter(ACME));
    WaitingRequests others = new WaitingRequests(all.enter(GLOBEX));
    for (int i = 0; i < 5; i++) {
      assertThat(admit(acme, i, 1)).isTrue();
      assertThat(admit(second, i, 1)).isTrue();
    }
    assertThat(admit(acme, 5, 1)).isFalse();
    assertThat(admit(second, 5, 1)).isFalse();
    assertThat(admit(others, 5, 1)).isTrue();
    assertThat(all.requests(ACME)).isEqualTo(10);
    assertThat(acme.refusal(ORDINARY)).contains("requests=10").contains("bytes=10");
    second.answered(4);
    second.answered(4); // twice
    second.answered(5); // was refused
    assertThat(all.requests(ACME)).isEqualTo(9);
    assertThat(admit(acme, 5, 1)).isTrue();
    assertThat(admit(acme, 6, 1)).isFalse();
  }

  @Test
  void bytesAreBoundedButWhatIsLongMayWaitAlone() {
    assertThat(admit(acme, 1, 5_000)).isTrue();
    assertThat(admit(acme, 2, 1)).isFalse();
    acme.answered(1);
    assertThat(admit(acme, 3, 600)).isTrue();
    assertThat(admit(acme, 4, 401)).isFalse();
    assertThat(admit(acme, 4, 400)).isTrue();
    assertThat(all.bytes(ACME)).isEqualTo(1_000);
  }

  @Test
  void whatASessionLeavesBehindIsGivenBackOnce() {
    WaitingRequests second = new WaitingRequests(all.enter(ACME));
    assertThat(admit(acme, 1, 10)).isTrue();
    assertThat(acme.admit(1, 20, ORDINARY)).isEqualTo(Outcome.REPEATED);
    assertThat(admit(second, 1, 30)).isTrue();
    assertThat(all.requests(ACME)).isEqualTo(2);
    assertThat(all.bytes(ACME)).isEqualTo(40);
    acme.end();
    acme.end();
    acme.answered(1); // too late
    assertThat(admit(acme, 2, 10)).isTrue(); // nobody will hear of it
    assertThat(all.requests(ACME)).isEqualTo(1);
    assertThat(all.bytes(ACME)).isEqualTo(30);
    second.end();
    assertThat(all.requests(ACME)).isZero();
    assertThat(all.bytes(ACME)).isZero();
  }

  @Test
  void nothingIsLeftWhateverHappensAtOnce() throws InterruptedException {
    WaitingRequests kept = new WaitingRequests(all.enter(ACME));
    for (int round = 0; round < 200; round++) {
      WaitingRequests session = new WaitingRequests(all.enter(ACME));
      CountDownLatch begin = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int kind = i;
        Random random = new Random(3L * round + i);
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .start(
                    () -> {
                      try {
                        begin.await();
                      } catch (InterruptedException e) {
                        return;
                      }
                      for (int n = 0; n < 500; n++) {
                        switch (kind) {
                          case 0 -> {
                            boolean _ = admit(session, random.nextInt(20), 1 + random.nextInt(9));
                          }
                          case 1 -> session.answered(random.nextInt(20));
                          default -> {
                            if (n == 400) {
                              session.end();
                            }
                          }
                        }
                      }
                    }));
      }
      begin.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(all.requests(ACME)).isZero();
      assertThat(all.bytes(ACME)).isZero();
    }
    kept.end();
    acme.end();
    assertThat(all.requests(ACME)).isZero();
    assertThat(heap.bytes()).isZero();
  }
}
