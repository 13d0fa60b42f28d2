package io.keyvalueserve.journal.spill;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Slots of one size, and the slabs that have them. Their sizes are such that a page holds a whole
 * number of them: 64 down to 2, each step at most a sixth, but for the last few. Guarded by its
 * owner.
 */
final class SlotClass {
  /** The longest frame that has a slot. */
  static final int MOST_BYTES = SpillSpace.PAGE_BYTES / 2;

  private static final int[] SLOTS = {
    64, 56, 48, 42, 36, 32, 28, 25, 22, 20, 18, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
  };

  final int number;
  final int slots;
  final int slotBytes;
  final long allFree;
  private final ArrayDeque<Slab> withRoom = new ArrayDeque<>();
  private @Nullable Slab open;
  private int openPage = -1;
  private long allSlots;
  private long freeSlots;

  private SlotClass(int number) {
    this.number = number;
    slots = SLOTS[number];
    slotBytes = slotBytes(number);
    allFree = -1L >>> (Long.SIZE - slots);
  }

  static SlotClass[] all() {
    SlotClass[] all = new SlotClass[SLOTS.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = new SlotClass(i);
    }
    return all;
  }

  /** The class with the smallest slots that a frame fits into. */
  static int numberFor(long frameBytes) {
    int number = 0;
    while (slotBytes(number) < frameBytes) {
      number++;
    }
    return number;
  }

  static int slotBytes(int number) {
    return SpillSpace.PAGE_BYTES / SLOTS[number] & -16;
  }

  static int count() {
    return SLOTS.length;
  }

  /** The slab of the open page. */
  @Nullable Slab open() {
    return open;
  }

  /** The page of that slab that slots are taken from; -1 if it has no room. */
  int openPage() {
    Slab slab = open;
    return slab != null && openPage >= 0 && slab.hasRoom(openPage) ? openPage : -1;
  }

  void add(Slab slab) {
    allSlots += slab.freeSlots();
    freeSlots += slab.freeSlots();
    open(slab, 0);
  }

  void release(Slab slab) {
    allSlots -= slab.freeSlots();
    freeSlots -= slab.freeSlots();
    slab.released = true;
    if (slab.equals(open)) {
      open = null;
    }
  }

  private void open(Slab slab, int page) {
    open = slab;
    openPage = page;
  }

  /** Opens a page of the open slab in which nothing is. */
  boolean openFresh() {
    Slab slab = open;
    if (slab != null && slab.freeSlots() > 0) {
      int page = slab.emptiestPage();
      if (slab.isFresh(page)) {
        open(slab, page);
        return true;
      }
    }
    return false;
  }

  /** Whether more than half of all slots are free, so that they should be filled up. */
  boolean isSparse() {
    return freeSlots * 2 > allSlots;
  }

  /** Opens the emptiest page of the slab that has had room for the longest time. */
  boolean openAny() {
    for (Slab slab = withRoom.peek(); slab != null; slab = withRoom.peek()) {
      if (!slab.released && slab.freeSlots() > 0) {
        open(slab, slab.emptiestPage());
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

  void gave(Slab slab) {
    freeSlots++;
    if (!slab.queued) {
      slab.queued = true;
      withRoom.add(slab);
    }
  }
}
