package io.keyvalueserve.journal.spill;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The occupied parts of an area's files. It is in memory only: 8 bytes for each block of slots, and
 * a bit for any other page.
 *
 * <p>Slots are taken, in this order, from the class's open block; from a block of its slab in which
 * nothing is; if more than half of the class's slots are free, from blocks that are partly filled,
 * which have to be read for that; from a new slab; from any block. Small values therefore take at
 * most about twice what they need. As long as there is room, blocks are written that need not be
 * read.
 *
 * <p>Thread-safe.
 */
final class SpillSpace {
  static final int PAGE_BYTES = 4096;
  static final int SLAB_PAGES = 64;
  static final int SLAB_BYTES = SLAB_PAGES * PAGE_BYTES;

  /** A place that is none. */
  static final long NONE = -1;

  /** Set in a place that was taken in a block in which nothing was. */
  static final long FRESH = 1L << 62;

  private final int pagesPerFile;
  private final List<PageMap> files = new ArrayList<>();
  private final SlotClass[] classes = SlotClass.all();
  private final Map<Long, SlotPages> slabs = new HashMap<>(); // by the first page / 64
  private long values;
  private long lostBytes;

  SpillSpace(int pagesPerFile) {
    this.pagesPerFile = pagesPerFile;
  }

  static int pagesOf(long frameBytes) {
    return (int) ((frameBytes + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  synchronized void addFile() {
    files.add(new PageMap(pagesPerFile));
  }

  synchronized long usedBytes() {
    long pages = 0;
    for (PageMap file : files) {
      pages += pagesPerFile - file.free();
    }
    return pages * PAGE_BYTES;
  }

  synchronized long values() {
    return values;
  }

  synchronized long lostBytes() {
    return lostBytes;
  }

  /** Takes a place for a frame, with {@link #FRESH} if so; or {@link #NONE}. */
  synchronized long take(long frameBytes) {
    long place =
        frameBytes <= SlotClass.MOST_BYTES
            ? takeSlot(classes[SlotClass.numberFor(frameBytes)])
            : takeRun(pagesOf(frameBytes));
    if (place != NONE) {
      values++;
    }
    return place;
  }

  private long takeRun(int pages) {
    for (int i = 0; i < files.size(); i++) {
      int at = files.get(i).takeRun(pages);
      if (at >= 0) {
        return ((long) i * pagesPerFile + at) | FRESH;
      }
    }
    return NONE;
  }

  private long takeSlot(SlotClass slots) {
    boolean opened =
        slots.openBlock() >= 0
            || slots.openFresh()
            || (slots.isSparse() && slots.openAny())
            || openNew(slots)
            || slots.openAny();
    SlotPages slab = slots.open();
    if (!opened || slab == null) {
      return NONE;
    }
    int block = slots.openBlock();
    long fresh = slab.isFresh(block) ? FRESH : 0;
    int slot = slab.takeSlot(block);
    slots.took(1);
    return SpillHandle.place(slab.pageOf(block), slot) | fresh;
  }

  private boolean openNew(SlotClass slots) {
    for (int i = 0; i < files.size(); i++) {
      int at = files.get(i).takeSlab();
      if (at >= 0) {
        SlotPages slab = new SlotPages(slots, (long) i * pagesPerFile + at);
        slabs.put(slab.firstPage / SLAB_PAGES, slab);
        slots.add(slab);
        return true;
      }
    }
    return false;
  }

  /**
   * Gives a place back.
   *
   * @throws IllegalStateException if it is not taken, as far as that is known
   */
  synchronized void give(long place, long frameBytes) {
    long page = SpillHandle.page(place);
    if (frameBytes > SlotClass.MOST_BYTES) {
      if (slabs.containsKey(page / SLAB_PAGES)) {
        throw noSuchValue(page, frameBytes);
      }
      fileOf(page).give((int) (page % pagesPerFile), pagesOf(frameBytes));
    } else {
      SlotPages slab = slabOf(page, frameBytes);
      slab.giveSlot(slab.blockAt(page), SpillHandle.slot(place));
      slab.slotClass.gave(slab);
      if (slab.isEmpty()) {
        slab.slotClass.release(slab);
        slabs.remove(slab.firstPage / SLAB_PAGES);
        fileOf(page).give((int) (slab.firstPage % pagesPerFile), SLAB_PAGES);
      }
    }
    values--;
  }

  /**
   * The place of a frame could not be written: it stays taken for good, and so does what is free in
   * its block.
   */
  synchronized void lose(long place, long frameBytes) {
    values--;
    if (frameBytes > SlotClass.MOST_BYTES) {
      lostBytes += (long) pagesOf(frameBytes) * PAGE_BYTES;
    } else {
      SlotPages slab = slabOf(SpillHandle.page(place), frameBytes);
      int taken = slab.takeAll(slab.blockAt(SpillHandle.page(place)));
      slab.slotClass.took(taken);
      lostBytes += (long) (taken + 1) * slab.slotClass.slotBytes;
    }
  }

  private PageMap fileOf(long page) {
    long file = page / pagesPerFile;
    if (file >= files.size()) {
      throw new IllegalStateException("no such page: page=" + page);
    }
    return files.get((int) file);
  }

  private SlotPages slabOf(long page, long frameBytes) {
    SlotPages slab = slabs.get(page / SLAB_PAGES);
    if (slab == null
        || slab.slotClass.number != SlotClass.numberFor(frameBytes)
        || slab.blockAt(page) < 0) {
      throw noSuchValue(page, frameBytes);
    }
    return slab;
  }

  private static IllegalStateException noSuchValue(long page, long frameBytes) {
    return new IllegalStateException(
        "no value of this length is there: page=%d frame=%d".formatted(page, frameBytes));
  }
}
