package io.keyvalueserve.tenancy.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandOverTest {
  @Test
  void takesNoMoreThanItHoldsAndHasRoomAgainAfterwards() {
    HandOver<Integer> handOver = new HandOver<>(4);
    for (int round = 0; round < 5; round++) {
      assertThat(handOver.isEmpty()).isTrue();
      for (int i = 0; i < 4; i++) {
        assertThat(handOver.isHalfFull()).isEqualTo(i >= 2);
        assertThat(handOver.offer(i)).isTrue();
        assertThat(handOver.isEmpty()).isFalse();
      }
      assertThat(handOver.offer(4)).isFalse();
      List<Integer> out = new ArrayList<>();
      handOver.drain(out::add);
      assertThat(out).containsExactly(0, 1, 2, 3);
    }
  }

  @Test
  void handsOverOnceAndInOrderFromManyThreads() throws Exception {
    int producers = 4;
    int each = 10_000;
    HandOver<int[]> handOver = new HandOver<>(64);
    AtomicInteger working = new AtomicInteger(producers);
    List<List<Integer>> got = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(producers)) {
      List<Future<?>> threads = new ArrayList<>();
      for (int p = 0; p < producers; p++) {
        int producer = p;
        got.add(new ArrayList<>());
        threads.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < each; ) {
                    i += handOver.offer(new int[] {producer, i}) ? 1 : 0;
                  }
                  working.decrementAndGet();
                }));
      }
      while (working.get() > 0) {
        handOver.drain(element -> got.get(element[0]).add(element[1]));
      }
      for (Future<?> thread : threads) {
        thread.get();
      }
    }
    handOver.drain(element -> got.get(element[0]).add(element[1]));
    List<Integer> all = IntStream.range(0, each).boxed().toList();
    assertThat(got).allSatisfy(mine -> assertThat(mine).isEqualTo(all));
  }
}
