package io.keyvalueserve.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What the tests of heaps share. */
final class Heaps {

  static final long PAGE = PageHeap.PAGE_BYTES;

  private Heaps() {}

  /** Every test of a heap ends with this. */
  static void assertNothingOutstanding(PageHeap heap) {
    assertThat(used(heap)).as("bytes outstanding").isZero();
    for (TierReport tier : heap.report()) {
      for (PoolReport pool : tier.pools()) {
        assertThat(pool.freeBytes()).isEqualTo(pool.capacityBytes());
      }
    }
  }

  static long used(PageHeap heap) {
    return heap.report().stream().mapToLong(TierReport::usedBytes).sum();
  }

  static PoolReport pool(PageHeap heap, String name) {
    return heap.report().stream()
        .flatMap(tier -> tier.pools().stream())
        .filter(pool -> pool.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static PoolConfig dram(String name, long pages) {
    return new PoolConfig(name, new Source.Dram(), pages * PAGE, false);
  }

  /** Writes a number into the first and the last bytes of every page of a run. */
  static void write(long address, int pages, long number) {
    MemorySegment run = run(address, pages);
    for (int page = 0; page < pages; page++) {
      run.set(ValueLayout.JAVA_LONG, page * PAGE, number);
      run.set(ValueLayout.JAVA_LONG, (page + 1) * PAGE - 8, number);
    }
  }

  /** Checks what {@link #write} has written. */
  static void assertWritten(long address, int pages, long number) {
    MemorySegment run = run(address, pages);
    for (int page = 0; page < pages; page++) {
      assertThat(run.get(ValueLayout.JAVA_LONG, page * PAGE)).isEqualTo(number);
      assertThat(run.get(ValueLayout.JAVA_LONG, (page + 1) * PAGE - 8)).isEqualTo(number);
    }
  }

  @SuppressWarnings("restricted") // the pages are the test's
  private static MemorySegment run(long address, int pages) {
    return MemorySegment.ofAddress(address).reinterpret(pages * PAGE);
  }
}
