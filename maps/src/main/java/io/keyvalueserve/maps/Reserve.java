package io.keyvalueserve.maps;

import io.keyvalueserve.memory.NativeHeap;
import io.keyvalueserve.memory.OutOfNativeMemoryException;
import io.keyvalueserve.memory.PageHeap;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory that is kept back for entries that somebody has been told are safe: backups, and what
 * migrates to this member. Without it a member that is full of its own entries could not take the
 * copies of others, though these have been acknowledged.
 *
 * <p>Held as runs of pages, as long ones as there are. A copy that finds no memory has one of them
 * given back to the heap ({@link #release}) and tries again; until the reserve is whole again, the
 * member's own entries may not grow ({@link #isWhole}), so that they cannot use it up. Single pages
 * do where no run is left, or the reserve of a scattered heap could never be whole again.
 * Thread-safe.
 */
final class Reserve implements AutoCloseable {
  private static final int[] RUNS = {16, 4, 1}; // pages
  private static final int PARTS = 64;
  private static final int FEWEST_PAGES = 5;

  private final NativeHeap heap;
  private final long pages;
  private final Deque<Run> held = new ArrayDeque<>();
  private long heldPages;
  private volatile boolean whole;

  private record Run(long address, int pages) {}

  /** A sixty-fourth of the heap; nothing at all if that is less than a few pages. */
  Reserve(NativeHeap heap) {
    long part = heap.capacityBytes() / PARTS / PageHeap.PAGE_BYTES;
    this.heap = heap;
    this.pages = part < FEWEST_PAGES ? 0 : part;
    boolean _ = refill();
  }

  /** Returns whether none of the reserve is in use. */
  boolean isWhole() {
    return whole;
  }

  /**
   * Gives some of it to the heap.
   *
   * @return whether there was any left
   */
  synchronized boolean release() {
    Run run = held.poll();
    if (run == null) {
      return false;
    }
    whole = false;
    giveBack(run);
    return true;
  }

  private void giveBack(Run run) {
    heldPages -= run.pages();
    heap.freePages(run.address(), run.pages());
  }

  /**
   * Takes back what it can.
   *
   * @return whether it is whole now
   */
  synchronized boolean refill() {
    for (int length : RUNS) {
      while (pages - heldPages >= length && take(length)) {
        // one more of these
      }
    }
    whole = heldPages == pages;
    return whole;
  }

  private boolean take(int length) {
    try {
      held.add(new Run(heap.allocatePages(length), length));
      heldPages += length;
      return true;
    } catch (OutOfNativeMemoryException e) {
      return false; // shorter ones may be left
    }
  }

  /** Gives all of it to the heap, for good. */
  @Override
  public synchronized void close() {
    held.forEach(this::giveBack);
    held.clear();
    whole = false;
  }
}
