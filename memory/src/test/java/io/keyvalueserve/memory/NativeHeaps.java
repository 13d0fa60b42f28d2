package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

/** Small heaps, and what must hold of every heap that nobody uses any more. */
final class NativeHeaps {
  private NativeHeaps() {}

  static NativeHeap ofPages(int pages, int stripes) {
    return NativeHeap.open(HeapConfig.dram(pages * PageHeap.PAGE_BYTES), stripes);
  }

  /** No byte is outstanding, in any figure. */
  static void requireEmpty(NativeHeap heap) {
    heap.trim();
    assertThat(heap.blocks()).isEqualTo(SlabReport.NONE);
    assertThat(heap.usedBytes()).isZero();
    assertThat(pagesUsed(heap)).isZero();
  }

  static long pagesUsed(NativeHeap heap) {
    return heap.tiers().stream().mapToLong(TierReport::usedBytes).sum() / PageHeap.PAGE_BYTES;
  }

  /** What a block of so many bytes counts for. */
  static long held(int bytes) {
    return bytes <= SizeClasses.LARGEST
        ? SizeClasses.stride(SizeClasses.of(bytes))
        : Slab.pagesOfSpan(bytes) * PageHeap.PAGE_BYTES;
  }
}
