package io.keyvalueserve.memory;

/**
 * The sizes of blocks: every 8 bytes up to 512, then sixteen to a doubling up to 256 KiB. Rounding
 * up therefore costs at most 8 bytes or a sixteenth. Larger blocks get whole pages.
 *
 * <p>A slab of a class is as many pages as waste at most a thirty-second of it at its end, and no
 * more than 32 (2 MiB).
 *
 * <p>Blocks of slabs of one page find their slab by the address alone: it begins where the page
 * does. Blocks of {@link #LINKED_FROM} bytes and more, whose slabs may be longer, keep their slab's
 * address in the {@value #LINK_BYTES} bytes before them.
 */
final class SizeClasses {
  /** Blocks of this many bytes are found by a link before them; smaller ones by their page. */
  static final int LINKED_FROM = 2048;

  static final int LINK_BYTES = Long.BYTES;

  /** The largest block that shares a slab with others. */
  static final int LARGEST = 256 << 10;

  private static final int FINE_STEP = 8;
  private static final int FINE_END = 512;
  private static final int FINE_CLASSES = FINE_END / FINE_STEP;
  private static final int STEPS = 16;
  private static final int STEPS_BITS = 4;
  private static final int DOUBLINGS =
      Integer.numberOfTrailingZeros(LARGEST) - Integer.numberOfTrailingZeros(FINE_END);

  static final int COUNT = FINE_CLASSES + DOUBLINGS * STEPS;

  private static final int MOST_PAGES = 32;
  private static final int[] PAGES = new int[COUNT];
  private static final int[] CAPACITY = new int[COUNT];

  static {
    for (int c = 0; c < COUNT; c++) {
      int pages = 1;
      if (size(c) >= LINKED_FROM) {
        while (pages < MOST_PAGES && waste(c, pages) * 32 > (long) pages * PageHeap.PAGE_BYTES) {
          pages *= 2;
        }
      }
      PAGES[c] = pages;
      CAPACITY[c] = (int) (room(pages) / stride(c));
    }
  }

  private SizeClasses() {}

  /**
   * The class of blocks that hold so many bytes.
   *
   * @param bytes 1 to {@link #LARGEST}
   */
  static int of(int bytes) {
    if (bytes <= FINE_END) {
      return ((bytes + FINE_STEP - 1) >>> 3) - 1;
    }
    int below = bytes - 1;
    int doubling = 31 - Integer.numberOfLeadingZeros(below);
    int step = (below >>> (doubling - STEPS_BITS)) & (STEPS - 1);
    return FINE_CLASSES + (doubling - 9) * STEPS + step;
  }

  /** Returns the bytes that a block of a class holds. */
  static int size(int sizeClass) {
    if (sizeClass < FINE_CLASSES) {
      return (sizeClass + 1) * FINE_STEP;
    }
    int coarse = sizeClass - FINE_CLASSES;
    int doubling = coarse / STEPS + 9;
    return (1 << doubling) + ((coarse % STEPS + 1) << (doubling - STEPS_BITS));
  }

  /** Returns the distance between the beginnings of a slab's blocks. */
  static int stride(int sizeClass) {
    int size = size(sizeClass);
    return size < LINKED_FROM ? size : size + LINK_BYTES;
  }

  /** Returns the number of pages of a slab. */
  static int pages(int sizeClass) {
    return PAGES[sizeClass];
  }

  /** Returns the number of blocks of a slab. */
  static int capacity(int sizeClass) {
    return CAPACITY[sizeClass];
  }

  private static long room(int pages) {
    return (long) pages * PageHeap.PAGE_BYTES - Slab.HEADER_BYTES;
  }

  private static long waste(int sizeClass, int pages) {
    return room(pages) % stride(sizeClass);
  }
}
