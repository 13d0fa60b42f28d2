package io.keyvalueserve.maps;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.PageHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReserveTest {
  private static final int HEAP_BYTES = 64 << 20;
  private static final long PART_BYTES = HEAP_BYTES / 64;

  @Test
  void isASixtyFourthOfTheHeap() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 2);
        Reserve reserve = new Reserve(heap)) {
      assertThat(reserve.isWhole()).isTrue();
      assertThat(heap.usedBytes()).isEqualTo(PART_BYTES);
      assertThat(heap.blocks().held()).isEqualTo(PART_BYTES);
    }
  }

  @Test
  void ofASmallHeapThereIsNone() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(4 << 20), 1);
        Reserve reserve = new Reserve(heap)) {
      assertThat(reserve.isWhole()).isTrue();
      assertThat(reserve.release()).isFalse();
      assertThat(heap.usedBytes()).isZero();
    }
  }

  /** It was taken, and what came free since are single pages, with others in between. */
  @Test
  void isWholeAgainInAScatteredHeap() {
    try (NativeHeap heap = NativeHeap.open(HeapConfig.dram(HEAP_BYTES), 1);
        Reserve reserve = new Reserve(heap)) {
      while (reserve.release()) {
        assertThat(reserve.isWhole()).isFalse();
      }
      assertThat(heap.usedBytes()).isZero();
      List<Long> pages = fill(heap);
      assertThat(reserve.refill()).isFalse();
      assertThat(reserve.isWhole()).isFalse();
      for (int i = 0; i < pages.size(); i += 2) {
        heap.freePages(pages.get(i), 1);
      }
      assertThat(reserve.refill()).isTrue();
      assertThat(reserve.isWhole()).isTrue();
      assertThat(heap.usedBytes()).isEqualTo(PART_BYTES + pages.size() / 2 * PageHeap.PAGE_BYTES);
    }
  }

  private static List<Long> fill(NativeHeap heap) {
    List<Long> pages = new ArrayList<>();
    while (true) {
      try {
        pages.add(heap.allocatePages(1));
      } catch (OutOfNativeMemoryException e) {
        return pages;
      }
    }
  }
}
