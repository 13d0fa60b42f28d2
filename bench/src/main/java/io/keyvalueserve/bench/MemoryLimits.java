package io.keyvalueserve.bench;

import io.keyvalueserve.memory.HeapConfig;
import io.keyvalueserve.memory.Memory;
import io.keyvalueserve.memory.PageHeap;
import io.keyvalueserve.memory.PoolConfig;
import io.keyvalueserve.memory.Source;

/**
 * How fast this machine gives memory that its process has not touched before, in MiB/s: data cannot
 * be brought back faster. On a virtual machine the host may have to find the memory first.
 *
 * @param touch one thread
 * @param touches as many threads as there are cores
 */
record MemoryLimits(double touch, double touches) {
  /** Takes so many bytes twice, as members take memory for entries, and gives them back. */
  static MemoryLimits measure(long bytes) {
    return new MemoryLimits(touch(bytes, 1), touch(bytes, Cores.count()));
  }

  /**
   * Takes so much memory, with a thread for each core, and gives it back: what a process takes
   * right afterwards the host of a virtual machine has at hand. Blocks, for seconds if it has to be
   * found.
   *
   * @param bytes how much; no more than is free
   */
  static void preTouch(long bytes) {
    double _ = touch(Math.min(bytes, Machine.freeBytes() * 9 / 10), Cores.count());
  }

  private static double touch(long bytes, int threads) {
    int pages = (int) Math.max(1, bytes / threads / PageHeap.PAGE_BYTES);
    long each = pages * PageHeap.PAGE_BYTES;
    PoolConfig pool =
        new PoolConfig("probe", new Source.TransparentHugePages(), each * threads, false);
    try (PageHeap heap = PageHeap.open(HeapConfig.of(pool))) {
      long begin = System.nanoTime();
      Load.inParallel(threads, () -> Memory.fill(heap.acquire(pages), each, (byte) 1));
      return each * threads / (double) (1 << 20) * 1e9 / (System.nanoTime() - begin);
    }
  }
}
