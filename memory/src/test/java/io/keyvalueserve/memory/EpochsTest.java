package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: a block is never reused while a guard is open that was open when it was retired; and is
 * reused afterwards. Method: a model for random sequences, then threads that look.
 */
class EpochsTest {

  /** What was retired, and who was looking then. */
  private record Retired(long block, List<Integer> guards) {}

  @Property(tries = 200)
  void nothingIsFreedUnderAnOpenGuard(@ForAll long seed) {
    Random random = new Random(seed);
    Epochs epochs = new Epochs();
    Limbo limbo = new Limbo(epochs);
    List<Integer> open = new ArrayList<>();
    List<Retired> waiting = new ArrayList<>();
    Limbo.Sink sink =
        (at, size) -> {
          Retired oldest = waiting.removeFirst();
          assertThat(at).isEqualTo(oldest.block); // in order, none left out
          assertThat(size).isEqualTo((int) (at % 1000));
          assertThat(oldest.guards).as("guards that were open at its retirement").isEmpty();
        };
    long bytes = 0;
    for (long block = 1; block <= 3_000; block++) {
      switch (random.nextInt(24)) {
        case 0 -> open.add(epochs.enter()); // nested, as they are all this thread's
        case 1, 2 -> {
          if (!open.isEmpty()) {
            Integer guard = open.remove(/* index */ random.nextInt(open.size()));
            epochs.exit(guard);
            waiting.forEach(retired -> retired.guards.remove(/* element */ guard));
          }
        }
        case 3 -> limbo.drain(sink);
        default -> {
          waiting.add(new Retired(block, new ArrayList<>(open)));
          limbo.add(block, (int) (block % 1000), sink);
        }
      }
      assertThat(epochs.guards()).isEqualTo(open.size());
    }
    for (Retired retired : waiting) {
      bytes += retired.block % 1000;
    }
    assertThat(limbo.bytes()).isEqualTo(bytes);
    open.forEach(epochs::exit);
    waiting.forEach(retired -> retired.guards.clear());
    open.clear();
    limbo.drain(sink);
    assertThat(waiting).isEmpty();
    assertThat(limbo.bytes()).isZero();
  }

  @Test
  void aDefectOfOneBlockKeepsNoOtherFromBeingFreed() {
    Limbo limbo = new Limbo(new Epochs());
    List<Long> freed = new ArrayList<>();
    Limbo.Sink sink =
        (block, bytes) -> {
          if (block == 3) {
            throw new IllegalStateException("defect");
          }
          freed.add(block);
        };
    for (long block = 1; block <= 5; block++) {
      limbo.add(block, 10, sink);
    }
    assertThatThrownBy(() -> limbo.drain(sink)).hasMessage("defect");
    limbo.drain(sink);
    assertThat(freed).containsExactly(1L, 2L, 4L, 5L);
    assertThat(limbo.bytes()).isZero();
  }

  /** Whoever retires one block must not pay for all that a slow reader has kept waiting. */
  @Test
  void whatASlowReaderKeptWaitingIsFreedInSmallParts() {
    Epochs epochs = new Epochs();
    Limbo limbo = new Limbo(epochs);
    int[] freed = {0};
    int guard = epochs.enter();
    for (int block = 1; block <= 100_000; block++) {
      limbo.add(block, 10, (at, bytes) -> freed[0]++);
    }
    assertThat(freed[0]).isZero();
    epochs.exit(guard);
    int most = 0;
    int added = 0;
    while (limbo.bytes() > 640) {
      int before = freed[0];
      limbo.add(1, 10, (at, bytes) -> freed[0]++);
      most = Math.max(most, freed[0] - before);
      assertThat(added++).isLessThan(100_000);
    }
    assertThat(most).isLessThanOrEqualTo(1_024);
  }

  /**
   * A writer keeps replacing the block behind each pointer; readers follow pointers under a guard
   * and must see what was written for that pointer, for as long as they look.
   */
  @Test
  void readersOnOtherThreadsSeeNoBlockReused() throws Exception {
    int pointers = 16;
    AtomicLongArray roots = new AtomicLongArray(pointers);
    AtomicBoolean stop = new AtomicBoolean();
    try (NativeHeap heap = NativeHeaps.ofPages(64, 1);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < pointers; i++) {
        roots.set(i, block(heap, i));
      }
      List<Future<Long>> readers = new ArrayList<>();
      for (int r = 0; r < 4; r++) {
        int first = r;
        readers.add(executor.submit(() -> read(heap, roots, first, stop)));
      }
      try {
        Random random = new Random(1);
        for (int i = 0; i < 300_000; i++) {
          int pointer = random.nextInt(pointers);
          long old = roots.getAndSet(pointer, block(heap, pointer));
          heap.retire(0, old, 64);
        }
      } finally {
        stop.set(true);
      }
      for (Future<Long> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
      for (int i = 0; i < pointers; i++) {
        heap.free(0, roots.get(i), 64);
      }
      NativeHeaps.requireEmpty(heap);
    }
  }

  private static long block(NativeHeap heap, int pointer) {
    long block = allocate(heap);
    for (int i = 0; i < 64; i += 8) {
      Memory.putLong(block + i, block ^ pointer);
    }
    return block;
  }

  /** A reader that is not given the processor keeps everything that is retired meanwhile. */
  private static long allocate(NativeHeap heap) {
    while (true) {
      try {
        return heap.allocate(0, 64);
      } catch (OutOfNativeMemoryException e) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  private static long read(NativeHeap heap, AtomicLongArray roots, int from, AtomicBoolean stop) {
    long reads = 0;
    for (int pointer = from; !stop.get(); pointer = (pointer + 1) % roots.length()) {
      int guard = heap.epochs().enter();
      int nested = reads % 3 == 0 ? heap.epochs().enter() : -1;
      long block = roots.get(pointer);
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 64; i += 8) {
          if (Memory.getLong(block + i) != (block ^ pointer)) {
            throw new AssertionError("reused under a guard: pointer=" + pointer + " at=" + i);
          }
        }
        if (nested >= 0 && round == 0) {
          heap.epochs().exit(nested);
        }
      }
      heap.epochs().exit(guard);
      if ((++reads & 1023) == 0) {
        LockSupport.parkNanos(1_000);
      }
    }
    return reads;
  }

  @Test
  void moreReadersThanSlotsWaitForEachOther() throws Exception {
    Epochs epochs = new Epochs();
    List<Integer> guards = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      guards.add(epochs.enter());
    }
    assertThat(guards).doesNotHaveDuplicates();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Integer> late = executor.submit(epochs::enter);
      epochs.exit(guards.removeLast());
      guards.add(late.get());
    }
    guards.forEach(epochs::exit);
    assertThat(epochs.guards()).isZero();
  }

  @Test
  void closingWaitsForReadersAndLetsNobodyIn() throws Exception {
    NativeHeap heap = NativeHeaps.ofPages(4, 1);
    long block = heap.allocate(0, 8);
    Memory.putLong(block, 42);
    int guard = heap.epochs().enter();
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      Future<?> closing = executor.submit(heap::close);
      while (true) {
        try {
          heap.epochs().exit(heap.epochs().enter());
          LockSupport.parkNanos(1_000);
        } catch (IllegalStateException e) {
          assertThat(e).hasMessage("the heap is closed");
          break;
        }
      }
      assertThat(closing.isDone()).isFalse();
      assertThat(Memory.getLong(block)).isEqualTo(42);
      heap.epochs().exit(guard);
      closing.get();
    }
    heap.close();
    assertThatThrownBy(heap.epochs()::enter).hasMessage("the heap is closed");
  }
}
