package io.keyvalueserve.memory;

/**
 * A run of pages cut into blocks of one size class.
 *
 * <pre>
 *   0         8       12      16          24      28      32         40         48      52     64
 *   +---------+-------+-------+-----------+-------+-------+----------+----------+-------+------+-------
 *   |  seal   | owner | class | free list | used  | begun | previous |   next   | pages | list | blocks
 *   +---------+-------+-------+-----------+-------+-------+----------+----------+-------+------+-------
 * </pre>
 *
 * <p>A block is free if it is in the free list, threaded through the first 8 bytes of free blocks,
 * or has never been handed out: the first {@code begun} blocks have. {@code previous} and {@code
 * next} chain an allocator's slabs that have free blocks, or those that are evacuated. When blocks
 * are checked, two bits for each block follow the header: one is set while the block is in use, the
 * other while it waits for readers.
 *
 * <p>A block too large for any class is alone on its pages: class is {@link #SPAN}, and the only
 * block begins where a linked block would.
 *
 * <p>Whoever holds the owner's lock may read and write all of it.
 */
final class Slab {
  /** The class of a run of pages that holds one large block. */
  static final int SPAN = -1;

  /** The mark of a slab in a list of its own, as its blocks are to move elsewhere. */
  private static final int EVACUATED = 2;

  /** The bytes before the first block. */
  static final int HEADER_BYTES = Memory.CHECKED ? 64 + 2 * 1024 : 64;

  static final int PAGE_SHIFT = Long.numberOfTrailingZeros(PageHeap.PAGE_BYTES);

  private static final int SEAL = 0;
  private static final int OWNER = 8;
  private static final int CLASS = 12;
  private static final int FREE_LIST = 16;
  private static final int USED = 24;
  private static final int BEGUN = 28;
  private static final int PREVIOUS = 32;
  private static final int NEXT = 40;
  private static final int PAGES = 48;
  private static final int LISTED = 52;
  private static final int LIVE_BITS = 64;
  private static final int RETIRED_BITS = LIVE_BITS + 1024;
  private static final long SEAL_OF_ZERO = 0x4B56532D534C4142L; // "KVS-SLAB"
  private static final byte POISON = (byte) 0xDB;

  private Slab() {}

  /** Makes a slab of pages. */
  static void init(long slab, int owner, int sizeClass, int pages) {
    Memory.putLong(slab + SEAL, SEAL_OF_ZERO ^ slab);
    Memory.putInt(slab + OWNER, owner);
    Memory.putInt(slab + CLASS, sizeClass);
    Memory.putLong(slab + FREE_LIST, 0);
    Memory.putInt(slab + USED, 0);
    Memory.putInt(slab + BEGUN, 0);
    Memory.putLong(slab + PREVIOUS, 0);
    Memory.putLong(slab + NEXT, 0);
    Memory.putInt(slab + PAGES, pages);
    Memory.putInt(slab + LISTED, 0);
    if (Memory.CHECKED) {
      Memory.fill(slab + LIVE_BITS, HEADER_BYTES - LIVE_BITS, (byte) 0);
    }
  }

  /** Ends a slab: its pages are pages again. */
  static void dissolve(long slab) {
    Memory.putLong(slab + SEAL, 0);
  }

  /**
   * Returns the address of a block's slab: by arithmetic for small blocks, by the block's link for
   * others.
   */
  static long of(long block, int bytes) {
    return bytes < SizeClasses.LINKED_FROM
            && SizeClasses.size(SizeClasses.of(bytes)) < SizeClasses.LINKED_FROM
        ? block & -PageHeap.PAGE_BYTES
        : Memory.getLong(block - SizeClasses.LINK_BYTES);
  }

  /** A block of the slab, or 0 if it is full. */
  static long take(long slab) {
    int sizeClass = sizeClass(slab);
    long block = Memory.getLong(slab + FREE_LIST);
    if (block != 0) {
      requireUntouched(slab, block);
      Memory.putLong(slab + FREE_LIST, Memory.getLong(block));
    } else {
      int begun = Memory.getInt(slab + BEGUN);
      if (begun == SizeClasses.capacity(sizeClass)) {
        return 0;
      }
      Memory.putInt(slab + BEGUN, begun + 1);
      block = slab + HEADER_BYTES + (long) begun * SizeClasses.stride(sizeClass);
      if (SizeClasses.size(sizeClass) >= SizeClasses.LINKED_FROM) {
        Memory.putLong(block, slab);
        block += SizeClasses.LINK_BYTES;
      }
    }
    Memory.putInt(slab + USED, used(slab) + 1);
    if (Memory.CHECKED) {
      setLive(slab, block, true);
    }
    return block;
  }

  /** Takes a block back. */
  static void give(long slab, long block) {
    if (Memory.CHECKED) {
      setLive(slab, block, false);
      Memory.fill(block, SizeClasses.size(sizeClass(slab)), POISON);
    }
    Memory.putLong(block, Memory.getLong(slab + FREE_LIST));
    Memory.putLong(slab + FREE_LIST, block);
    Memory.putInt(slab + USED, used(slab) - 1);
  }

  /** The only block of a span. */
  static long takeSpan(long slab) {
    long block = slab + HEADER_BYTES + SizeClasses.LINK_BYTES;
    Memory.putLong(slab + HEADER_BYTES, slab);
    Memory.putInt(slab + USED, 1);
    if (Memory.CHECKED) {
      setLive(slab, block, true);
    }
    return block;
  }

  /** Returns the number of pages that hold a large block of so many bytes. */
  static int pagesOfSpan(int bytes) {
    long room = (long) HEADER_BYTES + SizeClasses.LINK_BYTES + bytes;
    return (int) ((room + PageHeap.PAGE_BYTES - 1) >>> PAGE_SHIFT);
  }

  static int owner(long slab) {
    return Memory.getInt(slab + OWNER);
  }

  static int sizeClass(long slab) {
    return Memory.getInt(slab + CLASS);
  }

  static int used(long slab) {
    return Memory.getInt(slab + USED);
  }

  static int pages(long slab) {
    return Memory.getInt(slab + PAGES);
  }

  static boolean isListed(long slab) {
    return Memory.getInt(slab + LISTED) != 0;
  }

  /**
   * Returns whether nothing may be taken from the slab any more. Any thread that has a block of it
   * may call it.
   */
  static boolean isEvacuated(long slab) {
    return Memory.getIntOpaque(slab + LISTED) == EVACUATED;
  }

  /** Marks a slab that is in a list: nothing is to be taken from it, or it may again. */
  static void setEvacuated(long slab, boolean evacuated) {
    Memory.putIntOpaque(slab + LISTED, evacuated ? EVACUATED : 1);
  }

  static long next(long slab) {
    return Memory.getLong(slab + NEXT);
  }

  /** Puts a slab before the head of a list, and returns it: the new head. */
  static long push(long slab, long head) {
    Memory.putLong(slab + PREVIOUS, 0);
    Memory.putLong(slab + NEXT, head);
    Memory.putInt(slab + LISTED, 1);
    if (head != 0) {
      Memory.putLong(head + PREVIOUS, slab);
    }
    return slab;
  }

  /** Takes a slab out of a list, and returns the list's head. */
  static long unlink(long slab, long head) {
    long previous = Memory.getLong(slab + PREVIOUS);
    long next = Memory.getLong(slab + NEXT);
    Memory.putInt(slab + LISTED, 0);
    if (next != 0) {
      Memory.putLong(next + PREVIOUS, previous);
    }
    if (previous == 0) {
      return next;
    }
    Memory.putLong(previous + NEXT, next);
    return head;
  }

  /** Notes that a block begins or ends to wait for readers. Only if blocks are checked. */
  static void setRetired(long slab, long block, boolean retired) {
    int index = index(slab, block);
    if (bit(slab + RETIRED_BITS, index) == retired) {
      throw new IllegalStateException("retired already: " + hex(block));
    }
    setBit(slab + RETIRED_BITS, index, retired);
  }

  /**
   * Requires that a block is in use, as far as that can be told; does nothing unless blocks are
   * checked.
   *
   * @throws IllegalStateException if it is not: it was freed, or is no block at all
   */
  static void requireLive(long slab, long block, String what) {
    if (!Memory.CHECKED) {
      return;
    }
    if ((slab & (PageHeap.PAGE_BYTES - 1)) != 0
        || Memory.getLong(slab + SEAL) != (SEAL_OF_ZERO ^ slab)) {
      throw new IllegalStateException(what + ": not a block of any slab: " + hex(block));
    }
    if (!isLive(slab, block)) {
      throw new IllegalStateException(what + ": the block is free: " + hex(block));
    }
  }

  private static boolean isLive(long slab, long block) {
    return bit(slab + LIVE_BITS, index(slab, block));
  }

  private static void setLive(long slab, long block, boolean live) {
    int index = index(slab, block);
    if (bit(slab + LIVE_BITS, index) == live) {
      throw new IllegalStateException((live ? "handed out twice: " : "freed twice: ") + hex(block));
    }
    setBit(slab + LIVE_BITS, index, live);
  }

  private static boolean bit(long bits, int index) {
    return ((Memory.getByte(bits + (index >>> 3)) >>> (index & 7)) & 1) != 0;
  }

  private static void setBit(long bits, int index, boolean value) {
    long at = bits + (index >>> 3);
    int bit = 1 << (index & 7);
    int all = Memory.getByte(at);
    Memory.putByte(at, (byte) (value ? all | bit : all & ~bit));
  }

  /** Returns the index of a block in its slab. */
  private static int index(long slab, long block) {
    if (!isBlock(slab, block)) {
      throw new IllegalStateException("not a block: " + hex(block));
    }
    int sizeClass = sizeClass(slab);
    return sizeClass == SPAN
        ? 0
        : (int) ((block - slab - HEADER_BYTES) / SizeClasses.stride(sizeClass));
  }

  private static boolean isBlock(long slab, long block) {
    int sizeClass = sizeClass(slab);
    long at = block - slab - HEADER_BYTES;
    if (sizeClass == SPAN) {
      return at == SizeClasses.LINK_BYTES;
    }
    int stride = SizeClasses.stride(sizeClass);
    int link = stride - SizeClasses.size(sizeClass);
    return at >= link && at % stride == link && at / stride < SizeClasses.capacity(sizeClass);
  }

  /**
   * Requires that nobody wrote to a free block: neither to what leads to the next one, nor behind
   * it.
   */
  private static void requireUntouched(long slab, long block) {
    if (!Memory.CHECKED) {
      return;
    }
    long following = Memory.getLong(block);
    if (following != 0 && (!isBlock(slab, following) || isLive(slab, following))) {
      throw new IllegalStateException(
          "written after it was freed: block=" + hex(block) + " offset=0");
    }
    int size = SizeClasses.size(sizeClass(slab));
    for (int i = Long.BYTES; i < size; i++) {
      if (Memory.getByte(block + i) != POISON) {
        throw new IllegalStateException(
            "written after it was freed: block=" + hex(block) + " offset=" + i + " size=" + size);
      }
    }
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }
}
