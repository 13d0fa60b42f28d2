package io.keyvalueserve.journal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The frames of a chunk that are known to be dead. There is a bit for every 32 bytes, so no two
 * frames with a header share one. The bits take 1/256 of the chunk, outside the heap.
 *
 * <p>A marked frame is dead; a frame that is not marked may be dead too. A bit can therefore be set
 * without an atomic operation: if two threads meet in a word, a mark can be lost, and none can
 * appear. A thread that finds a mark also finds what was appended before it was made. Thread-safe;
 * when it is closed, marks are let go.
 */
final class DeadFrames implements AutoCloseable {
  private static final VarHandle WORDS = ValueLayout.JAVA_LONG.varHandle();
  private static final int WINDOW_SHIFT = 5; // a frame's header has 32 bytes
  private static final int WORD_SHIFT = WINDOW_SHIFT + 6;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment bits;

  /** No frame is marked. */
  DeadFrames(long chunkBytes) {
    AlignedMemory memory = AlignedMemory.allocate((chunkBytes >>> WORD_SHIFT) * 8 + 8);
    bits = memory.until(arena);
  }

  /** Marks the frame at an offset in the chunk. */
  void mark(long offset) {
    try {
      long word = (offset >>> WORD_SHIFT) << 3;
      long before = (long) WORDS.getOpaque(bits, word);
      WORDS.setRelease(bits, word, before | (1L << (offset >>> WINDOW_SHIFT)));
    } catch (IllegalStateException e) {
      // the chunk went a moment ago
    }
  }

  /** Has the processor fetch what {@link #mark} will change; the result means nothing. */
  long look(long offset) {
    try {
      return (long) WORDS.getOpaque(bits, (offset >>> WORD_SHIFT) << 3);
    } catch (IllegalStateException e) {
      return 0; // the chunk went a moment ago
    }
  }

  /** Returns whether the frame at an offset in the chunk is marked. */
  boolean isMarked(long offset) {
    long word = (long) WORDS.getAcquire(bits, (offset >>> WORD_SHIFT) << 3);
    return (word & (1L << (offset >>> WINDOW_SHIFT))) != 0;
  }

  /** Gives the memory back. Once. */
  @Override
  public void close() {
    arena.close();
  }
}
