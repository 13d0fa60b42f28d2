package io.keyvalueserve.memory;

import java.util.Arrays;

/**
 * Blocks that were unlinked and wait until no reader can be looking at them any more, in batches:
 * one stamp for all of a batch, so that the full fences cost little for each block. Owned by one
 * allocator, under its lock.
 */
final class Limbo {
  private static final int BATCH_BLOCKS = 64;
  private static final long BATCH_BYTES = 256 << 10;

  /** The most batches that one addition frees: more than it adds, and no pause. */
  private static final int BATCHES_AT_ONCE = 8;

  /** Takes back a block. */
  @FunctionalInterface
  interface Sink {
    void free(long block, int bytes);
  }

  private final Epochs epochs;
  private long[] blocks = new long[4 * BATCH_BLOCKS];
  private int[] sizes = new int[4 * BATCH_BLOCKS];
  private long[] stamps = new long[4];
  private int[] ends = new int[4]; // of each closed batch, in blocks from the first
  private int first;
  private int last;
  private int batches;
  private int closed; // up to where blocks belong to closed batches
  private long openBytes;
  private long bytes;

  Limbo(Epochs epochs) {
    this.epochs = epochs;
  }

  /** The bytes that wait. */
  long bytes() {
    return bytes;
  }

  /** Adds an unlinked block; closes its batch, and frees what it can, when that is worth it. */
  void add(long block, int size, Sink sink) {
    if (last == blocks.length) {
      makeRoom();
    }
    blocks[last] = block;
    sizes[last++] = size;
    bytes += size;
    openBytes += size;
    if (last - closed >= BATCH_BLOCKS || openBytes >= BATCH_BYTES) {
      drain(sink, BATCHES_AT_ONCE);
    }
  }

  /** Frees all that nobody can be looking at. */
  void drain(Sink sink) {
    drain(sink, Integer.MAX_VALUE);
  }

  private void drain(Sink sink, int most) {
    if (last > closed) {
      close();
    }
    if (batches == 0) {
      return;
    }
    long oldest = epochs.oldestGuard();
    int free = 0;
    while (free < Math.min(batches, most) && stamps[free] < oldest) {
      while (first < ends[free]) {
        int next = first++; // gone from here, even if the sink throws
        bytes -= sizes[next];
        sink.free(blocks[next], sizes[next]);
      }
      free++;
    }
    if (free > 0) {
      System.arraycopy(stamps, free, stamps, 0, batches - free);
      System.arraycopy(ends, free, ends, 0, batches - free);
      batches -= free;
    }
    if (first == last) {
      reset();
    }
  }

  private void close() {
    if (batches == stamps.length) {
      stamps = Arrays.copyOf(stamps, 2 * batches);
      ends = Arrays.copyOf(ends, 2 * batches);
    }
    stamps[batches] = epochs.stamp();
    ends[batches++] = last;
    closed = last;
    openBytes = 0;
  }

  private void reset() {
    first = 0;
    last = 0;
    closed = 0;
    if (blocks.length > 64 * BATCH_BLOCKS) {
      blocks = new long[4 * BATCH_BLOCKS];
      sizes = new int[4 * BATCH_BLOCKS];
    }
  }

  private void makeRoom() {
    int used = last - first;
    int room = used > blocks.length / 2 ? 2 * blocks.length : blocks.length;
    long[] movedBlocks = new long[room];
    int[] movedSizes = new int[room];
    System.arraycopy(blocks, first, movedBlocks, 0, used);
    System.arraycopy(sizes, first, movedSizes, 0, used);
    blocks = movedBlocks;
    sizes = movedSizes;
    for (int batch = 0; batch < batches; batch++) {
      ends[batch] -= first;
    }
    closed -= first;
    last = used;
    first = 0;
  }
}
