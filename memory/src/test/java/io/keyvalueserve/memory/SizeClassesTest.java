package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Goal: rounding is right for every size there is. Method: all of them, one after the other. */
class SizeClassesTest {

  @Test
  void everySizeFitsItsClassAndNotTheOneBelow() {
    for (int bytes = 1; bytes <= SizeClasses.LARGEST; bytes++) {
      int sizeClass = SizeClasses.of(bytes);
      if (sizeClass < 0
          || sizeClass >= SizeClasses.COUNT
          || SizeClasses.size(sizeClass) < bytes
          || (sizeClass > 0 && SizeClasses.size(sizeClass - 1) >= bytes)) {
        throw new AssertionError("bytes=" + bytes + " class=" + sizeClass);
      }
    }
    assertThat(SizeClasses.of(SizeClasses.LARGEST)).isEqualTo(SizeClasses.COUNT - 1);
  }

  @Test
  void roundingCostsAtMostEightBytesOrASixteenth() {
    for (int bytes = 1; bytes <= SizeClasses.LARGEST; bytes++) {
      int waste = SizeClasses.size(SizeClasses.of(bytes)) - bytes;
      if (waste >= 8 && waste * 16 > bytes) {
        throw new AssertionError("bytes=" + bytes + " waste=" + waste);
      }
    }
  }

  @Test
  void classesGrowAndKeepBlocksAlignedToEightBytes() {
    for (int c = 0; c < SizeClasses.COUNT; c++) {
      assertThat(SizeClasses.size(c) % 8).isZero();
      assertThat(SizeClasses.stride(c) % 8).isZero();
      assertThat(SizeClasses.of(SizeClasses.size(c))).isEqualTo(c);
      if (c > 0) {
        assertThat(SizeClasses.size(c)).isGreaterThan(SizeClasses.size(c - 1));
      }
    }
    assertThat(Slab.HEADER_BYTES % 8).isZero();
  }

  @Test
  void slabsHoldTheirBlocksAndWasteLittle() {
    for (int c = 0; c < SizeClasses.COUNT; c++) {
      long room = SizeClasses.pages(c) * PageHeap.PAGE_BYTES - Slab.HEADER_BYTES;
      long taken = (long) SizeClasses.capacity(c) * SizeClasses.stride(c);
      assertThat(SizeClasses.capacity(c)).isPositive();
      assertThat(taken).isLessThanOrEqualTo(room);
      assertThat(room - taken).isLessThan(SizeClasses.stride(c));
      assertThat(SizeClasses.pages(c)).isBetween(1, 32);
      if (SizeClasses.pages(c) < 32 && SizeClasses.pages(c) > 1) {
        assertThat((room - taken) * 32)
            .isLessThanOrEqualTo(SizeClasses.pages(c) * PageHeap.PAGE_BYTES);
      }
    }
  }

  @Test
  void onlyLinkedBlocksHaveSlabsOfMorePages() {
    for (int c = 0; c < SizeClasses.COUNT; c++) {
      boolean linked = SizeClasses.size(c) >= SizeClasses.LINKED_FROM;
      assertThat(SizeClasses.stride(c) - SizeClasses.size(c))
          .isEqualTo(linked ? SizeClasses.LINK_BYTES : 0);
      if (!linked) {
        assertThat(SizeClasses.pages(c)).isEqualTo(1);
      }
    }
  }
}
