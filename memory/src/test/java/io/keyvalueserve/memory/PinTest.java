package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Goal: a block is freed once, when neither its owner nor anybody who has it pinned needs it. */
@Timeout(60)
class PinTest {
  private static final int BYTES = 100;
  private static final int ROUNDS = 200;
  private static final int AT_ONCE = 100;
  private static final int THREADS = 3;

  @Test
  void theOwnerFreesWhatNobodyHas() {
    try (NativeHeap heap = NativeHeaps.ofPages(8, 1)) {
      long block = heap.allocate(0, BYTES);
      Pin pin = new Pin(heap, 0, block, BYTES);
      assertThat(pin.isTaken()).isFalse();
      pin.take();
      pin.release();
      assertThat(pin.isTaken()).isFalse();
      assertThat(pin.abandon()).isFalse();
      heap.retire(0, block, BYTES); // an error, were it freed already
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void theLastToReleaseFreesWhatWasAbandoned() {
    try (NativeHeap heap = NativeHeaps.ofPages(8, 1)) {
      long block = heap.allocate(0, BYTES);
      Pin pin = new Pin(heap, 0, block, BYTES);
      pin.take();
      pin.take();
      assertThat(heap.pins()).isEqualTo(2);
      assertThat(heap.pinnedBytes()).isEqualTo(2L * BYTES);
      assertThat(pin.abandon()).isTrue();
      pin.release();
      assertThat(heap.usedBytes()).isPositive();
      heap.requireLive(block, BYTES);
      pin.release();
      assertThat(heap.pins()).isZero();
      assertThat(heap.pinnedBytes()).isZero();
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void aHeapStaysMappedWhileABlockIsPinned() {
    NativeHeap heap = NativeHeaps.ofPages(8, 1);
    long block = heap.allocate(0, BYTES);
    Memory.putLong(block, 42);
    Pin pin = new Pin(heap, 0, block, BYTES);
    pin.take();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(heap::close);
    while (!isClosing(heap)) {
      Thread.onSpinWait();
    }
    assertThat(closed).isNotDone();
    assertThat(Memory.getLong(block)).isEqualTo(42);
    pin.release();
    closed.join();
  }

  private static boolean isClosing(NativeHeap heap) {
    try {
      heap.epochs().exit(heap.epochs().enter());
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /** Were a block freed twice, or too early, the checks of the heap would say so. */
  @Test
  void whoeverIsLastFreesOnce() throws Exception {
    try (NativeHeap heap = NativeHeaps.ofPages(64, 1)) {
      for (int round = 0; round < ROUNDS; round++) {
        race(heap);
      }
      assertThat(heap.pins()).isZero();
      NativeHeaps.requireEmpty(heap);
    }
  }

  private static void race(NativeHeap heap) throws Exception {
    List<Pin> pins = new ArrayList<>();
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < AT_ONCE; i++) {
      long block = heap.allocate(0, BYTES);
      Pin pin = new Pin(heap, 0, block, BYTES);
      blocks.add(block);
      for (int t = 0; t < THREADS; t++) {
        pin.take();
      }
      pins.add(pin);
    }
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean early = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      go.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    for (Pin pin : pins) {
                      if (!pin.isTaken()) {
                        early.set(true);
                      }
                      pin.release();
                      if (ThreadLocalRandom.current().nextInt(8) == 0) {
                        Thread.onSpinWait();
                      }
                    }
                  }));
    }
    go.countDown();
    for (int i = 0; i < AT_ONCE; i++) {
      if (!pins.get(i).abandon()) {
        heap.retire(0, blocks.get(i), BYTES);
      }
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(early).isFalse();
  }
}
