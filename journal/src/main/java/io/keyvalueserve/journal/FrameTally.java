package io.keyvalueserve.journal;

import java.util.BitSet;

/** Counts some frames of a chunk, before they are counted as the chunk's. For one thread. */
final class FrameTally {
  private final BitSet partitions = new BitSet();
  private int frames;
  private long recordBytes;
  private long tombstoneBytes;

  /** Counts a frame, unless it only fills. */
  void add(long frame) {
    int type = Frames.type(frame);
    if (Frames.isFiller(type)) {
      return;
    }
    frames++;
    switch (type) {
      case Frames.PUT -> {
        recordBytes += Frames.space(frame);
        partitions.set(Frames.partition(frame));
      }
      case Frames.REMOVE, Frames.CLEAR, Frames.DROP -> tombstoneBytes += Frames.space(frame);
      default -> {
        // a map's name is neither
      }
    }
  }

  void clear() {
    frames = 0;
    recordBytes = 0;
    tombstoneBytes = 0;
    partitions.clear();
  }

  int frames() {
    return frames;
  }

  /** The bytes of puts, dead or alive. */
  long recordBytes() {
    return recordBytes;
  }

  /** The bytes of removes, clears and drops. */
  long tombstoneBytes() {
    return tombstoneBytes;
  }

  /** Returns the partitions that have puts. */
  BitSet partitions() {
    return partitions;
  }
}
