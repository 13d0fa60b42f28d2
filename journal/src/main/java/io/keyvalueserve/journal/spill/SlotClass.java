package io.keyvalueserve.journal.spill;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of one size, and the slabs that have them. A block of slots is 1, 4 or 16 pages, so that it
 * holds 4 to 64 of them with little left over; their sizes are 64 bytes to 16 KiB, each step at
 * most a quarter. Guarded by its owner.
 */
final class SlotClass {
  /** The longest frame that has a slot. */
  static final int MOST_BYTES = 16 << 10;

  private static final int[] BLOCK_PAGES = {1, 4, 16};
  private static final int[][] SLOTS = {
    {64, 48, 42, 36, 32, 28, 25, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8},
    {28, 25, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8},
    {28, 25, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4}
  };
  private static final int[] SLOT_BYTES = slotSizes();

  final int number;
  final int slots;
  final int slotBytes;
  final int blockPages;
  final long allFree;
  private final ArrayDeque<SlotPages> withRoom = new ArrayDeque<>();
  private @Nullable SlotPages open;
  private int openBlock = -1;
  private long allSlots;
  private long freeSlots;

  private SlotClass(int number, int blockPages, int slots) {
    this.number = number;
    this.blockPages = blockPages;
    this.slots = slots;
    slotBytes = SLOT_BYTES[number];
    allFree = -1L >>> (Long.SIZE - slots);
  }

  static SlotClass[] all() {
    SlotClass[] all = new SlotClass[SLOT_BYTES.length];
    int number = 0;
    for (int i = 0; i < SLOTS.length; i++) {
      for (int slots : SLOTS[i]) {
        all[number] = new SlotClass(number, BLOCK_PAGES[i], slots);
        number++;
      }
    }
    return all;
  }

  private static int[] slotSizes() {
    int[] sizes = new int[SLOTS[0].length + SLOTS[1].length + SLOTS[2].length];
    int number = 0;
    for (int i = 0; i < SLOTS.length; i++) {
      for (int slots : SLOTS[i]) {
        sizes[number++] = BLOCK_PAGES[i] * SpillSpace.PAGE_BYTES / slots & -16;
      }
    }
    return sizes;
  }

  /** The class with the smallest slots that a frame fits into. */
  static int numberFor(long frameBytes) {
    int found = Arrays.binarySearch(SLOT_BYTES, (int) frameBytes);
    return found < 0 ? -found - 1 : found;
  }

  static int slotBytes(int number) {
    return SLOT_BYTES[number];
  }

  /** Returns the number of pages of a block of a class. */
  static int blockPages(int number) {
    int first = SLOTS[0].length;
    return BLOCK_PAGES[number < first ? 0 : number < first + SLOTS[1].length ? 1 : 2];
  }

  static int count() {
    return SLOT_BYTES.length;
  }

  /** The slab of the open block. */
  @Nullable SlotPages open() {
    return open;
  }

  /** The block of that slab that slots are taken from; -1 if it has no room. */
  int openBlock() {
    SlotPages slab = open;
    return slab != null && openBlock >= 0 && slab.hasRoom(openBlock) ? openBlock : -1;
  }

  void add(SlotPages slab) {
    allSlots += slab.freeSlots();
    freeSlots += slab.freeSlots();
    open(slab, 0);
  }

  void release(SlotPages slab) {
    allSlots -= slab.freeSlots();
    freeSlots -= slab.freeSlots();
    slab.released = true;
    if (slab.equals(open)) {
      open = null;
    }
  }

  private void open(SlotPages slab, int block) {
    open = slab;
    openBlock = block;
  }

  /** Opens a block of the open slab in which nothing is. */
  boolean openFresh() {
    SlotPages slab = open;
    if (slab != null && slab.freeSlots() > 0) {
      int block = slab.emptiestBlock();
      if (slab.isFresh(block)) {
        open(slab, block);
        return true;
      }
    }
    return false;
  }

  /** Returns whether more than half of all slots are free. They should then be filled up. */
  boolean isSparse() {
    return freeSlots * 2 > allSlots;
  }

  /** Opens the emptiest block of the slab that has had room for the longest time. */
  boolean openAny() {
    for (SlotPages slab = withRoom.peek(); slab != null; slab = withRoom.peek()) {
      if (!slab.released && slab.freeSlots() > 0) {
        open(slab, slab.emptiestBlock());
        return true;
      }
      slab.queued = false;
      withRoom.remove();
    }
    return false;
  }

  void took(int count) {
    freeSlots -= count;
  }

  void gave(SlotPages slab) {
    freeSlots++;
    if (!slab.queued) {
      slab.queued = true;
      withRoom.add(slab);
    }
  }
}
