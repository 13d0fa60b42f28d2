package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the frames in a part of a chunk, some whole blocks in memory. Whatever is not valid is a
 * gap; the next valid frame behind it ends it, and a new block at the latest may begin with one.
 * For one thread.
 */
final class FrameScanner {
  private final AlignedMemory memory;
  private final FrameCrc crc;
  private int[] frames = new int[1024];
  private int count;
  private final List<Gap> gaps = new ArrayList<>();
  private long certain;

  FrameScanner(AlignedMemory memory) {
    this.memory = memory;
    crc = new FrameCrc(memory.buffer());
  }

  /**
   * Scans.
   *
   * @param chunk the chunk's number
   * @param unit where the memory's first byte is in the file, a multiple of the block
   * @param from where in memory to begin
   * @param to where to end
   * @param blockBytes no frame crosses a multiple of this
   */
  void scan(long chunk, long unit, int from, int to, int blockBytes) {
    count = 0;
    gaps.clear();
    certain = 0;
    for (int at = from; at < to; ) {
      int blockEnd = Math.min(to, (at & -blockBytes) + blockBytes);
      scanBlock(chunk, unit, at, blockEnd);
      at = blockEnd;
    }
  }

  private void scanBlock(long chunk, long unit, int from, int to) {
    int gap = -1;
    int at = from;
    while (at < to) {
      long frame = memory.address() + at;
      if (isZero(frame) || !isValid(chunk, unit, at, to)) {
        gap = gap < 0 ? at : gap;
        at = nextCandidate(at, to);
        continue;
      }
      if (gap >= 0) {
        addGap(unit, gap, at);
        gap = -1;
      }
      note(frame, at);
      at += Frames.space(frame);
    }
    if (gap >= 0) {
      addGap(unit, gap, to);
    }
  }

  private boolean isValid(long chunk, long unit, int at, int to) {
    int available = to - at;
    return available >= Frames.ALIGNMENT
        && Frames.isValid(memory.address() + at, available, Position.of(chunk, unit + at), crc, at);
  }

  private static boolean isZero(long frame) {
    return Memory.getLong(frame) == 0;
  }

  /** The next multiple of 8 with anything in it. */
  private int nextCandidate(int at, int to) {
    int next = at + Frames.ALIGNMENT;
    while (next < to && isZero(memory.address() + next)) {
      next += Frames.ALIGNMENT;
    }
    return Math.min(next, to);
  }

  private void note(long frame, int at) {
    int type = Frames.type(frame);
    if (type == Frames.SYNC) {
      certain = Math.max(certain, Frames.instant(frame));
    }
    if (!Frames.isFiller(type)) {
      if (count == frames.length) {
        frames = Arrays.copyOf(frames, 2 * count);
      }
      frames[count++] = at;
    }
  }

  private void addGap(long unit, int from, int to) {
    int last = to;
    while (last - from >= Long.BYTES && Memory.getLong(memory.address() + last - Long.BYTES) == 0) {
      last -= Long.BYTES;
    }
    while (last > from && Memory.getByte(memory.address() + last - 1) == 0) {
      last--;
    }
    Gap gap = new Gap(unit + from, unit + to, unit + last);
    int before = gaps.size() - 1;
    if (before >= 0 && gaps.get(before).to() == gap.from()) {
      gaps.set(before, gaps.get(before).with(gap));
    } else {
      gaps.add(gap);
    }
  }

  /** Returns the number of frames that were found, fillers not counted. */
  int count() {
    return count;
  }

  /** Returns the offset of a frame in memory. */
  int offset(int frame) {
    return frames[frame];
  }

  List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  /** The greatest position that a mark says was certain, 0 if there is no mark. */
  long certain() {
    return certain;
  }
}
