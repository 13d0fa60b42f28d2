package io.keyvalueserve.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps one block from being freed for those who look at it for longer than a guard should be open,
 * as whoever sends it to a client. A guard holds up all that is retired meanwhile; a pin holds up
 * its block alone.
 *
 * <p>The block's owner makes the pin and takes it for others, who {@link #release} it on any thread
 * when they are done. When the block is no longer the owner's, he {@link #abandon}s the pin; if
 * somebody has it then, the last to release frees the block. Taking and abandoning are the owner's,
 * one thread at a time.
 */
public final class Pin {
  private static final long ABANDONED = 1L << 32;

  private final NativeHeap heap;
  private final int stripe;
  private final long block;
  private final int bytes;

  /** The number of holders, and whether it is abandoned. */
  private final AtomicLong state = new AtomicLong();

  /**
   * A pin that nobody has.
   *
   * @param stripe that the block was allocated with
   * @param bytes as many as were allocated
   */
  public Pin(NativeHeap heap, int stripe, long block, int bytes) {
    this.heap = heap;
    this.stripe = stripe;
    this.block = block;
    this.bytes = bytes;
  }

  /** Takes it once more, by the owner of the block. */
  public void take() {
    heap.pinned(bytes);
    state.getAndIncrement();
  }

  /** Returns whether anybody has taken it and not released it. */
  public boolean isTaken() {
    return state.get() % ABANDONED != 0;
  }

  /** Gives it back, once for each time that it was taken. By any thread. */
  public void release() {
    if (state.decrementAndGet() == ABANDONED) {
      heap.retire(stripe, block, bytes);
    }
    heap.unpinned(bytes);
  }

  /**
   * The block is no longer the owner's: nobody finds it any more. Once.
   *
   * @return whether somebody has the pin, and frees the block; if not, the owner has to
   */
  public boolean abandon() {
    return state.getAndAdd(ABANDONED) != 0;
  }
}
