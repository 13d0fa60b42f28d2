package io.keyvalueserve.gates.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The whole of what tenants and peers use of a member's heap. */
final class MemberHeapTest {
  private static final int MEBIBYTE = 1 << 20;
  private static final long MOST = 60L * MEBIBYTE;
  private static final int STEP = 4 << 10;
  private static final List<HeapUse> USES = List.of(HeapUse.values());

  private final MemberHeap heap = new MemberHeap(MOST);

  @Test
  void aTenantAloneGetsHalfOfTheWhole() {
    assertThat(fill(1, HeapUse.REQUESTS)).isBetween(30L * MEBIBYTE - 2 * STEP, 30L * MEBIBYTE);
    assertThat(heap.lease(1, HeapUse.REQUESTS).refusal())
        .contains("up to " + MOST + " bytes of a member's Java heap together");
  }

  @Test
  void allUsesOfATenantCountTogether() {
    long sum = 0;
    for (HeapUse use : HeapUse.values()) {
      sum += take(1, use, 10L * MEBIBYTE);
    }
    assertThat(sum).isBetween(30L * MEBIBYTE - 2 * STEP, 30L * MEBIBYTE);
    assertThat(heap.used(HeapUse.REQUESTS)).isEqualTo(10L * MEBIBYTE);
    assertThat(heap.used(HeapUse.BODIES)).isZero();
  }

  @Test
  void thereIsRoomForOneMore() {
    long sum = 0;
    long least = Long.MAX_VALUE;
    for (int tenant = 1; tenant <= 5; tenant++) {
      long got = fill(tenant, HeapUse.MESSAGES);
      least = Math.min(least, got);
      sum += got;
    }
    assertThat(least).isGreaterThan(MOST / 100);
    assertThat(sum).isLessThan(MOST);
  }

  @Test
  void tenantsThatFillItTogetherGetTheSame() {
    long[] got = new long[4];
    for (boolean any = true; any; ) {
      any = false;
      for (int tenant = 0; tenant < got.length; tenant++) {
        if (heap.lease(tenant + 1, HeapUse.UNREAD).take(STEP)) {
          got[tenant] += STEP;
          any = true;
        }
      }
    }
    for (long each : got) {
      assertThat(each).isBetween(MOST / 5 - 16 * STEP, MOST / 5 + 16 * STEP);
    }
  }

  @Test
  void aHeavierTenantMayHaveMore() {
    heap.setWeights(tenant -> tenant == 1 ? 3 : 1);
    assertThat(heap.lease(1, HeapUse.KEPT).take(STEP)).isTrue();
    assertThat(heap.lease(2, HeapUse.KEPT).take(STEP)).isTrue();
    // 3 over the mean of 2 is one and a half: 1.5 * (60 - x) = x
    assertThat(fill(1, HeapUse.REQUESTS)).isBetween(35L * MEBIBYTE, 36L * MEBIBYTE);
  }

  @Test
  void whatIsGivenBackIsThereForOthers() {
    HeapLease first = heap.lease(1, HeapUse.MESSAGES);
    assertThat(first.take(30L * MEBIBYTE - STEP)).isTrue();
    assertThat(heap.lease(2, HeapUse.MESSAGES).take(20L * MEBIBYTE)).isFalse();
    first.give(30L * MEBIBYTE - STEP);
    assertThat(heap.lease(2, HeapUse.MESSAGES).take(29L * MEBIBYTE)).isTrue();
  }

  @Test
  void whatIdleTenantsHaveInAdvanceIsTakenBack() {
    MemberHeap small = new MemberHeap(1 << 20); // lumps of 256 bytes
    for (int tenant = 1; tenant <= 900; tenant++) {
      HeapLease lease = small.lease(tenant, HeapUse.REQUESTS);
      assertThat(lease.take(1)).isTrue();
      lease.give(1);
    }
    assertThat(small.reserved()).isGreaterThan(800L * 256); // a lump each
    assertThat(small.lease(1000, HeapUse.KEPT).take(480 << 10)).isTrue();
  }

  @Test
  void smallTakesTouchNothingShared() {
    HeapLease lease = heap.lease(1, HeapUse.REQUESTS);
    assertThat(lease.take(1)).isTrue();
    long before = heap.reserved();
    assertThat(lease.take(STEP)).isTrue();
    lease.give(STEP);
    assertThat(heap.reserved()).isEqualTo(before);
  }

  @Test
  void whatFreesOthersHasAReserve() {
    heap.lease(1, HeapUse.KEPT).force(MOST);
    HeapLease lease = heap.lease(2, HeapUse.REQUESTS);
    assertThat(lease.take(STEP)).isFalse();
    assertThat(lease.takeToFree(MEBIBYTE)).isTrue();
    assertThat(lease.takeToFree(4L * MEBIBYTE)).isFalse();
    assertThat(lease.used()).isEqualTo(MEBIBYTE);
  }

  @Test
  void whatCannotBeRefusedInWordsMayUseMore() {
    HeapLease messages = heap.lease(1, HeapUse.MESSAGES);
    assertThat(fill(1, HeapUse.REQUESTS)).isPositive();
    assertThat(messages.takeAhead(9L * MEBIBYTE)).isTrue(); // up to two thirds
    assertThat(messages.takeAhead(2L * MEBIBYTE)).isFalse();
    assertThat(heap.lease(2, HeapUse.REQUESTS).take(9L * MEBIBYTE)).isTrue();
  }

  @Test
  void aLittleThatCannotBeRefusedInWordsHasTheReserve() {
    assertThat(fill(1, HeapUse.REQUESTS)).isPositive();
    heap.lease(2, HeapUse.KEPT).force(MOST - heap.reserved());
    HeapLease messages = heap.lease(1, HeapUse.MESSAGES);
    assertThat(messages.take(STEP)).isFalse();
    assertThat(messages.takeAhead(STEP)).isTrue();
    assertThat(messages.takeAhead(MEBIBYTE)).isFalse();
  }

  @Test
  void whatPeersWithoutAKeyHaveTenantsHaveLess() {
    HeapLease strangers = heap.lease(MemberHeap.STRANGERS, HeapUse.WITHOUT_KEY);
    strangers.force(20L * MEBIBYTE);
    assertThat(fill(1, HeapUse.BODIES)).isBetween(20L * MEBIBYTE - 16 * STEP, 20L * MEBIBYTE);
    strangers.give(20L * MEBIBYTE);
    assertThat(fill(1, HeapUse.BODIES)).isPositive();
  }

  @Test
  void theBoundHoldsWhileManyTakeAndGive() throws Exception {
    AtomicLong now = new AtomicLong();
    MemberHeap shared = new MemberHeap(1 << 20, () -> now.addAndGet(1L << 30));
    AtomicLong held = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    int threads = 8;
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int seed = i;
      tasks.add(() -> churn(shared, new SplittableRandom(seed), held, refused));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<Long> most : pool.invokeAll(tasks)) {
        assertThat(most.get()).isLessThanOrEqualTo(1 << 20);
      }
    }
    assertThat(refused).hasPositiveValue();
    assertThat(held).hasValue(0);
    for (HeapUse use : HeapUse.values()) {
      assertThat(shared.used(use)).isZero();
    }
    assertThat(shared.lease(99, HeapUse.KEPT).take(500 << 10)).isTrue();
  }

  /** Returns the most bytes that all held at a time. */
  private static Long churn(
      MemberHeap shared, SplittableRandom random, AtomicLong held, AtomicLong refused) {
    record Taken(HeapLease lease, long bytes) {}
    List<Taken> taken = new ArrayList<>();
    long most = 0;
    for (int i = 0; i < 40_000; i++) {
      if (!taken.isEmpty() && random.nextInt(100) < 48) {
        Taken old = taken.remove(random.nextInt(taken.size()));
        long _ = held.addAndGet(-old.bytes());
        old.lease().give(old.bytes());
        continue;
      }
      HeapUse use = USES.get(random.nextInt(USES.size()));
      HeapLease lease = shared.lease(1 + random.nextInt(3), use);
      long bytes = 1L + random.nextInt(6 << 10);
      if (lease.take(bytes)) {
        most = Math.max(most, held.addAndGet(bytes));
        taken.add(new Taken(lease, bytes));
      } else {
        refused.incrementAndGet();
      }
    }
    for (Taken each : taken) {
      long _ = held.addAndGet(-each.bytes());
      each.lease().give(each.bytes());
    }
    return most;
  }

  @Test
  void aBoundIsPositive() {
    assertThatThrownBy(() -> new MemberHeap(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(MemberHeap.ofHeap(1000).most()).isEqualTo(600);
  }

  private long fill(int tenant, HeapUse use) {
    return take(tenant, use, Long.MAX_VALUE);
  }

  private long take(int tenant, HeapUse use, long most) {
    long got = 0;
    while (got < most && heap.lease(tenant, use).take(STEP)) {
      got += STEP;
    }
    return got;
  }
}
