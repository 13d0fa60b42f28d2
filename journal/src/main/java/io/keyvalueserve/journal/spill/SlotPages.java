package io.keyvalueserve.journal.spill;

import java.util.Arrays;

/** 64 pages of blocks of slots of one size, and which slots are free. Guarded by its owner. */
final class SlotPages {
  final SlotClass slotClass;
  final long firstPage;
  private final long[] free; // a bit for each slot, by block
  private int freeSlots;

  /** True if the slab is in its class's queue. */
  boolean queued;

  /** True if the slab's pages were given back. Nothing may be taken from it any more. */
  boolean released;

  SlotPages(SlotClass slotClass, long firstPage) {
    this.slotClass = slotClass;
    this.firstPage = firstPage;
    free = new long[SpillSpace.SLAB_PAGES / slotClass.blockPages];
    Arrays.fill(free, slotClass.allFree);
    freeSlots = slotClass.slots * free.length;
  }

  /** Returns the page at which a block begins. */
  long pageOf(int block) {
    return firstPage + (long) block * slotClass.blockPages;
  }

  /** Returns the block that begins at a page; -1 if none does. */
  int blockAt(long page) {
    int at = (int) (page - firstPage);
    return at % slotClass.blockPages == 0 ? at / slotClass.blockPages : -1;
  }

  int freeSlots() {
    return freeSlots;
  }

  boolean isEmpty() {
    return freeSlots == slotClass.slots * free.length;
  }

  boolean hasRoom(int block) {
    return free[block] != 0;
  }

  /** Returns whether a block is empty. */
  boolean isFresh(int block) {
    return free[block] == slotClass.allFree;
  }

  /** The block with the most free slots. */
  int emptiestBlock() {
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

  int takeSlot(int block) {
    int slot = Long.numberOfTrailingZeros(free[block]);
    free[block] &= free[block] - 1;
    freeSlots--;
    return slot;
  }

  void giveSlot(int block, int slot) {
    long bit = 1L << slot;
    if (slot >= slotClass.slots || (free[block] & bit) != 0) {
      throw new IllegalStateException(
          "the slot is not taken: page=%d slot=%d".formatted(pageOf(block), slot));
    }
    free[block] |= bit;
    freeSlots++;
  }

  /** Takes what is free in a block; returns how many slots that were. */
  int takeAll(int block) {
    int count = Long.bitCount(free[block]);
    free[block] = 0;
    freeSlots -= count;
    return count;
  }
}
