package io.keyvalueserve.journal;

import java.io.IOException;

/**
 * Headers and keys of frames that are kept in memory: a chunk's index as it was read, or the same
 * made of frames. Does not change.
 */
final class HeldUnit implements SortedFrames, HeldPart {
  private final long chunk;
  private final AlignedMemory memory;
  private final FrameOrder.Sorted order;

  private HeldUnit(long chunk, AlignedMemory memory, FrameOrder.Sorted order) {
    this.chunk = chunk;
    this.memory = memory;
    this.order = order;
  }

  /**
   * Copies what a unit has loaded and sorted, to be kept for longer than the unit has it. Called by
   * the thread that has loaded it.
   */
  static HeldUnit of(ReplayUnit unit) {
    FrameOrder.Sorted order = unit.order().copy();
    return unit.isIndex()
        ? new HeldUnit(unit.chunk(), unit.handOver(), order)
        : new HeldUnit(unit.chunk(), entriesOf(unit, order), order);
  }

  /** Entries of an index for all frames; the order leads to them then. */
  private static AlignedMemory entriesOf(ReplayUnit unit, FrameOrder.Sorted order) {
    long bytes = 0;
    for (int i = 0; i < order.all(); i++) {
      bytes += ChunkIndex.entryBytes(unit.address(order.any(i)));
    }
    AlignedMemory entries = AlignedMemory.allocate(bytes);
    int at = 0;
    for (int i = 0; i < order.all(); i++) {
      int offset = order.any(i);
      long frame = unit.address(offset);
      long inChunk = Position.offset(unit.position(offset));
      order.move(i, at);
      at += ChunkIndex.write(frame, (int) inChunk, entries.address() + at);
    }
    return entries;
  }

  @Override
  public void give(int partition, Loader loader) throws IOException {
    loader.learnNames(this); // also if it has nothing else: a chunk says a name once
    int end = order.end(partition);
    int from = order.begin(partition);
    while (from < end) {
      int to = from; // others may share the partition's place
      while (to < end && Frames.partition(address(frame(to))) == partition) {
        to++;
      }
      if (from < to) {
        loader.applyHeld(this, from, to);
      }
      from = to + 1;
    }
  }

  @Override
  public long bytes() {
    return memory.bytes() + order.bytes();
  }

  @Override
  public long chunk() {
    return chunk;
  }

  @Override
  public boolean isIndex() {
    return true;
  }

  @Override
  public int names() {
    return order.names();
  }

  @Override
  public int name(int n) {
    return order.name(n);
  }

  @Override
  public int frame(int n) {
    return order.frame(n);
  }

  @Override
  public long address(int offset) {
    return memory.address() + offset;
  }

  @Override
  public long position(int offset) {
    return Position.of(
        chunk, Integer.toUnsignedLong(Frames.indexedOffset(memory.address() + offset)));
  }

  @Override
  public void close() {
    memory.close();
    order.close();
  }
}
