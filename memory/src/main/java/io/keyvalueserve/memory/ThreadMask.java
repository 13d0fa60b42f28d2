package io.keyvalueserve.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * The processors that a thread may run on, as Linux keeps them for each thread ({@code
 * sched_setaffinity(2)}). A thread that is made has the mask of the one that makes it.
 */
final class ThreadMask {
  /** The most processors that a Linux kernel can be built for. */
  static final int MOST_PROCESSORS = 8192;

  /** Stands for the thread that calls. */
  static final int CALLER = 0;

  private ThreadMask() {}

  /**
   * Returns a thread's mask.
   *
   * @param thread its number in {@code /proc/self/task}, or {@link #CALLER}
   */
  static BitSet of(int thread) throws LibC.Failure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MOST_PROCESSORS / Byte.SIZE, Long.BYTES);
      LibC.schedGetAffinity(thread, mask.byteSize(), mask.address());
      return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG));
    }
  }

  /**
   * Has a thread run on some processors only, from now on.
   *
   * @param thread its number in {@code /proc/self/task}, or {@link #CALLER}
   * @param processors at least one that the process may use, below {@link #MOST_PROCESSORS}
   */
  static void set(int thread, BitSet processors) throws LibC.Failure {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MOST_PROCESSORS / Byte.SIZE, Long.BYTES);
      mask.copyFrom(MemorySegment.ofArray(processors.toLongArray()));
      LibC.schedSetAffinity(thread, mask.byteSize(), mask.address());
    }
  }
}
