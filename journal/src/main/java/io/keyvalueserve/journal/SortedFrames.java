package io.keyvalueserve.journal;

/**
 * Frames of one chunk in memory, in the order in which they are applied: see {@link FrameOrder}. A
 * frame is named by its offset, and asked for by that.
 */
interface SortedFrames {
  /** The chunk that they are of. */
  long chunk();

  /** Returns whether they are entries of an index. Those have headers and keys, but no payloads. */
  boolean isIndex();

  /** Returns whether all frames of the chunk were counted already, by its index's directory. */
  default boolean isCounted() {
    return false;
  }

  /** Returns the number of frames that name maps. */
  int names();

  /** The offset of such a one. */
  int name(int n);

  /** The offset of a frame in the order. */
  int frame(int n);

  /** Returns the address of a frame in memory. */
  long address(int offset);

  /** Returns the position of a frame in the log. */
  long position(int offset);
}
