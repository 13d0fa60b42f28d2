package io.keyvalueserve.journal.spill;

import java.util.Arrays;

/** 64 pages of slots of one size, and which slots are free. Guarded by its owner. */
final class Slab {
  final SlotClass slotClass;
  final long firstPage;
  private final long[] free = new long[SpillSpace.SLAB_PAGES];
  private int freeSlots;

  /** Whether it is in its class's queue. */
  boolean queued;

  /** Whether its pages are given back, so that nothing may be taken any more. */
  boolean released;

  Slab(SlotClass slotClass, long firstPage) {
    this.slotClass = slotClass;
    this.firstPage = firstPage;
    Arrays.fill(free, slotClass.allFree);
    freeSlots = slotClass.slots * free.length;
  }

  int freeSlots() {
    return freeSlots;
  }

  boolean isEmpty() {
    return freeSlots == slotClass.slots * free.length;
  }

  boolean hasRoom(int page) {
    return free[page] != 0;
  }

  /** Whether nothing is in a page. */
  boolean isFresh(int page) {
    return free[page] == slotClass.allFree;
  }

  /** The page with the most free slots. */
  int emptiestPage() {
    int best = 0;
    int most = -1;
    for (int i = 0; i < free.length; i++) {
      int count = Long.bitCount(free[i]);
      if (count > most) {
        most = count;
        best = i;
      }
    }
    return best;
  }

  int takeSlot(int page) {
    int slot = Long.numberOfTrailingZeros(free[page]);
    free[page] &= free[page] - 1;
    freeSlots--;
    return slot;
  }

  void giveSlot(int page, int slot) {
    long bit = 1L << slot;
    if (slot >= slotClass.slots || (free[page] & bit) != 0) {
      throw new IllegalStateException(
          "the slot is not taken: page=%d slot=%d".formatted(firstPage + page, slot));
    }
    free[page] |= bit;
    freeSlots++;
  }

  /** Takes what is free in a page; returns how many slots that were. */
  int takeAll(int page) {
    int count = Long.bitCount(free[page]);
    free[page] = 0;
    freeSlots -= count;
    return count;
  }
}
