package io.keyvalueserve.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.PageHeap;
import io.keyvalueserve.memory.SlabReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: a write that runs out of memory changes nothing, wherever it does. Method: one scenario on
 * heaps of every number of pages; and operations while all blocks of some sizes are taken away, so
 * that any one of their allocations fails.
 */
class OutOfMemoryTest {
  /** Buckets, segments, directories, and records: each of its own size class. */
  private static final int[] SIZES = {64, 128, 256, 512, 1024, 40, 72, 136, 264, 520, 160, 300};

  private record Hog(long block, int bytes) {}

  @Test
  void everyNumberOfPagesLeavesTheTableConsistent() {
    int refusals = 0;
    for (int pages = 1; ; pages++) {
      assertThat(pages).isLessThan(400);
      int refused = scenario(pages);
      if (refused == 0) {
        break;
      }
      refusals += refused;
    }
    assertThat(refusals).isPositive();
  }

  private static int scenario(int pages) {
    int refused = 0;
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(pages * PageHeap.PAGE_BYTES), 1)) {
      TableModel model;
      try {
        model = new TableModel(heap, 1);
      } catch (OutOfNativeMemoryException e) {
        requireNothing(heap);
        return 1;
      }
      Random random = new Random(5);
      for (int i = 0; i < 1_000; i++) {
        if (!model.step(random, 600)) {
          refused++;
          model.compareKey(random.nextInt(600));
        }
        if (i % 300 == 0) {
          model.compare();
        }
      }
      model.compare();
      for (int i = 0; i < 200; i++) {
        model.remove(i);
      }
      model.compare();
      model.close();
      requireNothing(heap);
    }
    return refused;
  }

  @Property(tries = 15)
  void anyAllocationOfAnyOperationMayFail(@ForAll long seed) {
    Random random = new Random(seed);
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(60 * PageHeap.PAGE_BYTES), 1)) {
      TableModel model = new TableModel(heap, seed);
      int keys = 1 << (4 + random.nextInt(6));
      for (int i = 0; i < 60; i++) {
        List<Hog> hogs = hog(heap, random);
        for (int j = random.nextInt(10); j >= 0; j--) {
          model.step(random, keys);
        }
        model.compare();
        hogs.forEach(hog -> heap.free(0, hog.block, hog.bytes));
        for (int j = random.nextInt(20); j >= 0; j--) {
          model.step(random, keys);
        }
      }
      model.compare();
      model.close();
      requireNothing(heap);
    }
  }

  /** Takes all pages, then all free blocks of some sizes; then gives back one block of some. */
  private static List<Hog> hog(NativeHeap heap, Random random) {
    List<Hog> hogs = new ArrayList<>();
    hog(heap, 60_000, hogs);
    for (int bytes : SIZES) {
      if (random.nextInt(4) != 0) {
        hog(heap, bytes, hogs);
      }
    }
    for (int i = random.nextInt(4); i > 0 && !hogs.isEmpty(); i--) {
      Hog spared = hogs.remove(random.nextInt(hogs.size()));
      heap.free(0, spared.block, spared.bytes);
    }
    return hogs;
  }

  private static void hog(NativeHeap heap, int bytes, List<Hog> hogs) {
    try {
      while (true) {
        hogs.add(new Hog(heap.allocate(0, bytes), bytes));
      }
    } catch (OutOfNativeMemoryException e) {
      // that was the purpose
    }
  }

  private static void requireNothing(NativeHeap heap) {
    heap.trim();
    assertThat(heap.blocks()).isEqualTo(new SlabReport(0, 0, 0, 0, 0));
  }
}
