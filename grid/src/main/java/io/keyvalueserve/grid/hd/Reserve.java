package io.keyvalueserve.grid.hd;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory that is kept back for entries that somebody has been told are safe: backups, and what
 * migrates to this member. Without it a member that is full of its own entries could not take the
 * copies of others, though these have been acknowledged.
 *
 * <p>Held as large blocks. A copy that finds no memory has one of them given back to the heap
 * ({@link #release}) and tries again; until the reserve is whole again, the member's own entries
 * may not grow ({@link #isWhole}), so that they cannot use it up. Thread-safe.
 */
final class Reserve implements AutoCloseable {
  private static final int CHUNK_BYTES = (1 << 20) - 4096; // with its header, whole pages
  private static final int SMALL_CHUNK_BYTES = (320 << 10) - 4096;
  private static final int PARTS = 64;
  private static final int STRIPE = 0;

  private final NativeHeap heap;
  private final int chunkBytes;
  private final int chunks;
  private final Deque<Long> held = new ArrayDeque<>();
  private volatile boolean whole;

  /** A sixty-fourth of the heap; nothing at all if that is less than a small block. */
  Reserve(NativeHeap heap) {
    long bytes = heap.capacityBytes() / PARTS;
    this.heap = heap;
    this.chunkBytes = bytes < 4L * CHUNK_BYTES ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
    this.chunks = (int) (bytes / chunkBytes);
    boolean _ = refill();
  }

  /** Whether none of it is in use. */
  boolean isWhole() {
    return whole;
  }

  /**
   * Gives some of it to the heap.
   *
   * @return whether there was any left
   */
  synchronized boolean release() {
    Long chunk = held.poll();
    if (chunk == null) {
      return false;
    }
    whole = false;
    heap.free(STRIPE, chunk, chunkBytes);
    return true;
  }

  /**
   * Takes back what it can.
   *
   * @return whether it is whole now
   */
  synchronized boolean refill() {
    try {
      while (held.size() < chunks) {
        held.add(heap.allocate(STRIPE, chunkBytes));
      }
      whole = true;
    } catch (OutOfNativeMemoryException e) {
      whole = false;
    }
    return whole;
  }

  /** Gives all of it to the heap, for good. */
  @Override
  public synchronized void close() {
    held.forEach(chunk -> heap.free(STRIPE, chunk, chunkBytes));
    held.clear();
    whole = false;
  }
}
