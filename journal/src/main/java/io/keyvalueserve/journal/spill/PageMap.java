package io.keyvalueserve.journal.spill;

import java.util.BitSet;

/**
 * The pages of one file that are taken. Slabs come from the end and runs from the beginning, each
 * the first that fits. This leaves long runs free. Guarded by its owner.
 */
final class PageMap {
  private final int pages;
  private final BitSet taken;
  private int free;
  private int firstFree; // none is free before it

  PageMap(int pages) {
    this.pages = pages;
    this.taken = new BitSet(pages);
    this.free = pages;
  }

  int free() {
    return free;
  }

  /** Takes the pages of a slab; returns the first one, -1 if there are none. */
  int takeSlab() {
    if (free >= SpillSpace.SLAB_PAGES) {
      for (int at = pages - SpillSpace.SLAB_PAGES; at >= 0; at -= SpillSpace.SLAB_PAGES) {
        int next = taken.nextSetBit(at);
        if (next < 0 || next >= at + SpillSpace.SLAB_PAGES) {
          return take(at, SpillSpace.SLAB_PAGES);
        }
      }
    }
    return -1;
  }

  /** Takes pages in a row; returns the first one, -1 if there are none. */
  int takeRun(int count) {
    if (free < count) {
      return -1;
    }
    firstFree = taken.nextClearBit(firstFree);
    for (int at = firstFree; at + count <= pages; ) {
      int end = taken.nextSetBit(at);
      if (end < 0 || end - at >= count) {
        return take(at, count);
      }
      at = taken.nextClearBit(end);
    }
    return -1;
  }

  private int take(int at, int count) {
    taken.set(at, at + count);
    free -= count;
    return at;
  }

  /** Gives pages back. */
  void give(int at, int count) {
    int clear = taken.nextClearBit(at);
    if (at + count > pages || clear < at + count) {
      throw new IllegalStateException(
          "pages are not taken: first=%d count=%d".formatted(at, count));
    }
    taken.clear(at, at + count);
    free += count;
    firstFree = Math.min(firstFree, at);
  }
}
