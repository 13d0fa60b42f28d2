package io.keyvalueserve.journal.spill;

/**
 * The handle of a value, which says where it is, in one long that is never 0.
 *
 * <pre>
 *   63                        38 37    32 31                             0
 *   +---------------------------+--------+--------------------------------+
 *   | stamp, from 1 on          | slot   | page of the area               |
 *   +---------------------------+--------+--------------------------------+
 * </pre>
 *
 * <p>The stamp counts writes. It is repeated on the disk and tells a value from another one that
 * was in the same place, unless 2^26 values were written in between. The page of its block, or the
 * first of its run, and the slot are a value's <em>place</em>; a run has the slot 0.
 */
final class SpillHandle {
  static final long NONE = 0;

  private static final int SLOT_SHIFT = 32;
  private static final int STAMP_SHIFT = 38;
  static final int SLOT_BITS = STAMP_SHIFT - SLOT_SHIFT;
  static final long PLACE_MASK = (1L << STAMP_SHIFT) - 1;

  private static final int MOST_STAMP = (1 << (Long.SIZE - STAMP_SHIFT)) - 1;

  private SpillHandle() {}

  static long place(long page, int slot) {
    return page | ((long) slot << SLOT_SHIFT);
  }

  static long of(long place, int stamp) {
    return place | ((long) stamp << STAMP_SHIFT);
  }

  static long page(long handle) {
    return handle & 0xFFFF_FFFFL;
  }

  static int slot(long handle) {
    return (int) (handle >>> SLOT_SHIFT) & 63;
  }

  static int nextStamp(int stamp) {
    return stamp == MOST_STAMP ? 1 : stamp + 1;
  }

  static boolean isOne(long handle) {
    return handle >>> STAMP_SHIFT != 0;
  }
}
