package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** Goal: spans, stripes and threads; and what a full heap does. */
class NativeHeapTest {
  private static final int PAGE = (int) PageHeap.PAGE_BYTES;

  @Test
  void largeBlocksTakeWholePagesAndGiveThemBackAtOnce() {
    try (NativeHeap heap = NativeHeaps.ofPages(64, 1)) {
      int bytes = 10 * PAGE;
      long block = heap.allocate(0, bytes);
      assertThat(NativeHeaps.pagesUsed(heap)).isEqualTo(11);
      Memory.fill(block, bytes, (byte) 7);
      heap.requireLive(block, bytes);
      heap.free(0, block, bytes);
      assertThat(NativeHeaps.pagesUsed(heap)).isZero();
      assertThat(heap.blocks().held()).isZero();
    }
  }

  @Test
  void theLargestSharedAndTheSmallestOwnBlockAreNeighboursInSize() {
    try (NativeHeap heap = NativeHeaps.ofPages(64, 1)) {
      for (int bytes = SizeClasses.LARGEST - 1; bytes <= SizeClasses.LARGEST + 1; bytes++) {
        long block = heap.allocate(0, bytes);
        Memory.fill(block, bytes, (byte) 1);
        heap.retire(0, block, bytes);
      }
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void aFullHeapRefusesWithExactFiguresAndGoesOn() {
    try (NativeHeap heap = NativeHeaps.ofPages(4, 1)) {
      List<Long> blocks = fill(heap, 0, 1024);
      int most = 4 * SizeClasses.capacity(SizeClasses.of(1024));
      assertThat(blocks).hasSize(most);
      SlabReport full = heap.blocks();
      assertThatThrownBy(() -> heap.allocate(0, 1024))
          .isInstanceOf(OutOfNativeMemoryException.class)
          .hasMessageContaining("asked=65536")
          .hasMessageContaining("pool 'dram'")
          .hasMessageContaining("capacity=262144 used=262144 largestFreeRun=0");
      assertThat(heap.blocks()).isEqualTo(full);
      assertThat(full.blocks()).isEqualTo(most * 1024L);
      assertThat(heap.usedBytes()).isEqualTo(most * 1024L);
      heap.free(0, blocks.removeLast(), 1024);
      blocks.add(heap.allocate(0, 1024));
      blocks.forEach(block -> heap.free(0, block, 1024));
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void pagesThatAnotherStripeKeepsForItselfAreFound() {
    try (NativeHeap heap = NativeHeaps.ofPages(8, 2)) {
      List<Long> blocks = fill(heap, 0, 100);
      blocks.forEach(block -> heap.free(0, block, 100));
      assertThat(heap.blocks().cached()).isEqualTo(8L * PAGE);
      List<Long> others = fill(heap, 1, 200);
      assertThat(others).hasSize(8 * SizeClasses.capacity(SizeClasses.of(200)));
      others.forEach(block -> heap.free(1, block, 200));
      assertThat(heap.allocate(0, 7 * PAGE)).isNotZero();
    }
  }

  @Test
  void blocksThatWaitForReadersThatAreGoneAreFound() {
    try (NativeHeap heap = NativeHeaps.ofPages(2, 2)) {
      int guard = heap.epochs().enter();
      List<Long> blocks = fill(heap, 0, 2000);
      blocks.forEach(block -> heap.retire(0, block, 2000));
      assertThatThrownBy(() -> heap.allocate(1, 8)).isInstanceOf(OutOfNativeMemoryException.class);
      assertThat(heap.blocks().limbo()).isEqualTo(blocks.size() * 2000L);
      assertThat(heap.usedBytes()).isZero();
      heap.epochs().exit(guard);
      heap.free(1, heap.allocate(1, 8), 8);
      NativeHeaps.requireEmpty(heap);
    }
  }

  /**
   * A slab that was full when its successor was asked for gets a free block back while room is made
   * for the successor: it has to be found again.
   */
  @Test
  void aBlockThatComesBackWhileRoomIsMadeIsNotLost() {
    try (NativeHeap heap = NativeHeaps.ofPages(2, 1)) {
      int capacity = SizeClasses.capacity(SizeClasses.of(1024));
      List<Long> blocks = new ArrayList<>();
      for (int i = 0; i < capacity; i++) {
        blocks.add(heap.allocate(0, 1024));
      }
      long other = heap.allocate(0, 64);
      int guard = heap.epochs().enter();
      heap.retire(0, blocks.removeLast(), 1024);
      heap.retire(0, other, 64);
      heap.epochs().exit(guard);
      blocks.addAll(fill(heap, 0, 1024));
      assertThat(blocks).hasSize(2 * capacity);
      blocks.forEach(block -> heap.free(0, block, 1024));
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void aSpanThatDoesNotFitChangesNothing() {
    try (NativeHeap heap = NativeHeaps.ofPages(8, 1)) {
      long block = heap.allocate(0, 5 * PAGE);
      SlabReport before = heap.blocks();
      assertThatThrownBy(() -> heap.allocate(0, 2 * PAGE * 4))
          .isInstanceOf(OutOfNativeMemoryException.class);
      assertThatThrownBy(() -> heap.allocate(0, Integer.MAX_VALUE))
          .isInstanceOf(OutOfNativeMemoryException.class);
      assertThat(heap.blocks()).isEqualTo(before);
      heap.free(0, block, 5 * PAGE);
      NativeHeaps.requireEmpty(heap);
    }
  }

  /** Each thread writes in its own stripe, and frees what the others wrote in theirs. */
  @Test
  void blocksMayBeFreedByAnotherThread() throws Exception {
    record Block(int stripe, long address, int bytes) {}
    int threads = 3;
    List<BlockingQueue<Block>> queues = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      queues.add(new LinkedBlockingQueue<>(200));
    }
    try (NativeHeap heap = NativeHeaps.ofPages(4096, threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int stripe = i;
        done.add(
            executor.submit(
                () -> {
                  ThreadLocalRandom random = ThreadLocalRandom.current();
                  for (int round = 0; round < 30_000; round++) {
                    int guard = round % 7 == 0 ? heap.epochs().enter() : -1;
                    int bytes = 8 + random.nextInt(round % 100 == 0 ? 300_000 : 2_500);
                    Block block = new Block(stripe, heap.allocate(stripe, bytes), bytes);
                    Memory.putLong(block.address, block.address ^ bytes);
                    if (!queues.get((stripe + 1) % threads).offer(block)) {
                      heap.free(stripe, block.address, bytes);
                    }
                    Block foreign = queues.get(stripe).poll();
                    if (foreign != null) {
                      assertThat(Memory.getLong(foreign.address))
                          .isEqualTo(foreign.address ^ foreign.bytes);
                      if (random.nextBoolean()) {
                        heap.free(foreign.stripe, foreign.address, foreign.bytes);
                      } else {
                        heap.retire(foreign.stripe, foreign.address, foreign.bytes);
                      }
                    }
                    if (guard >= 0) {
                      heap.epochs().exit(guard);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> future : done) {
        future.get();
      }
      for (BlockingQueue<Block> queue : queues) {
        queue.forEach(block -> heap.free(block.stripe, block.address, block.bytes));
      }
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void emptyPagesGoBackToTheOperatingSystem() {
    try (NativeHeap heap = NativeHeaps.ofPages(16, 1)) {
      List<Long> blocks = fill(heap, 0, 1000);
      assertThat(heap.returnToOs()).isZero();
      blocks.forEach(block -> heap.retire(0, block, 1000));
      assertThat(heap.returnToOs()).isEqualTo(16L * PAGE);
      heap.free(0, heap.allocate(0, 10), 10);
      NativeHeaps.requireEmpty(heap);
    }
  }

  @Test
  void stripesAreNumberedModuloTheirCount() {
    try (NativeHeap heap = NativeHeaps.ofPages(4, 2)) {
      long block = heap.allocate(5, 10);
      heap.free(-1, block, 10);
      NativeHeaps.requireEmpty(heap);
      assertThatThrownBy(() -> heap.allocate(0, 0)).hasMessageContaining("bytes=0");
    }
  }

  private static List<Long> fill(NativeHeap heap, int stripe, int bytes) {
    List<Long> blocks = new ArrayList<>();
    try {
      while (true) {
        blocks.add(heap.allocate(stripe, bytes));
      }
    } catch (OutOfNativeMemoryException e) {
      return blocks;
    }
  }
}
