package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a chunk in memory, with its frames found. A reader loads it, all loaders apply it, then
 * it is loaded with another part: rounds, of which each has those two phases.
 */
final class ReplayUnit implements Closeable {
  /**
   * What to load: a part of a chunk's frames, or its index.
   *
   * @param plan the chunk
   * @param offset where in the file
   * @param bytes how much
   * @param index the trailer that says where the index is, or nothing for frames
   */
  record Task(ChunkPlan plan, long offset, int bytes, Optional<ChunkTrailer> index) {
    static Task frames(ChunkPlan plan, long offset, int bytes) {
      return new Task(plan, offset, bytes, Optional.empty());
    }

    static Task index(ChunkPlan plan, ChunkTrailer trailer) {
      return new Task(plan, trailer.end(), trailer.areaBytes(), Optional.of(trailer));
    }

    /** A whole number of the disk's blocks; an index has memory of its own. */
    int memoryBytes() {
      return index.isPresent() ? 0 : (bytes + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES;
    }
  }

  private static final int SPARE_PART = 8;

  private final AlignedMemory memory;
  private final FrameScanner scanner;
  private final FrameOrder order;
  private @Nullable Task task;

  /** For what does not fit into the usual memory; kept, as the next will be of about the size. */
  private @Nullable AlignedMemory large;

  /** The large memory while it has what was loaded. */
  private @Nullable AlignedMemory index;

  private int[] entries = new int[0];
  private int entryCount;

  private int round; // guarded by this, as are the next ones
  private int toApply;
  private boolean isLoaded;
  private boolean aborted;

  ReplayUnit(int bytes, int loaders) {
    memory = AlignedMemory.allocate(bytes);
    scanner = new FrameScanner(memory);
    order = new FrameOrder(loaders);
  }

  // ---- content: the reader's, then the loaders'

  /** Reads a part and finds its frames; returns what was not as it was written. */
  List<Damage> load(Disk disk, Task next) throws IOException {
    task = next;
    index = null;
    try (ChunkFile file = ChunkFile.open(disk, next.plan.chunk())) {
      if (next.index.isPresent()) {
        ChunkTrailer trailer = next.index.get();
        AlignedMemory area = large(ChunkFile.wholeArea(trailer));
        if (file.area(trailer, area)) {
          findEntries(area, trailer);
          return List.of();
        }
        return loadFramesOf(file, disk, next);
      }
      return loadFrames(file, disk, next, memory, scanner);
    }
  }

  /** The index is damaged: its chunk's frames in its place, all of them. */
  private List<Damage> loadFramesOf(ChunkFile file, Disk disk, Task next) {
    Task all = Task.frames(next.plan, 0, (int) next.plan.end());
    AlignedMemory whole = large(next.plan.end());
    index = whole;
    FrameScanner frames = new FrameScanner(whole);
    List<Damage> damage = new ArrayList<>();
    damage.add(
        new Damage(
            Damage.Kind.BAD_TRAILER,
            disk.path(LogFiles.chunk(next.plan.chunk())),
            next.offset,
            next.bytes,
            "the index is not what was written; the chunk's frames were read"));
    damage.addAll(loadFrames(file, disk, all, whole, frames));
    task = all;
    entryCount = frames.count();
    entries = new int[entryCount];
    for (int i = 0; i < entryCount; i++) {
      entries[i] = frames.offset(i);
    }
    return damage;
  }

  private static List<Damage> loadFrames(
      ChunkFile file, Disk disk, Task task, AlignedMemory memory, FrameScanner scanner) {
    List<Damage> damage = new ArrayList<>();
    int bytes = (task.bytes + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES;
    damage.addAll(file.read(task.offset, memory, bytes));
    int from = task.offset == 0 ? ChunkHeader.BYTES : 0;
    scanner.scan(task.plan.chunk(), task.offset, from, task.bytes, task.plan.blockBytes());
    String name = disk.path(LogFiles.chunk(task.plan.chunk()));
    scanner.gaps().forEach(gap -> damage.add(gap.damage(name)));
    return damage;
  }

  private void findEntries(AlignedMemory area, ChunkTrailer trailer) {
    index = area;
    if (entries.length < trailer.frames()) {
      entries = new int[trailer.frames()];
    }
    entryCount = 0;
    int to = trailer.areaBytes();
    for (int at = trailer.partitionBytes(); at + Frames.HEADER_BYTES <= to; ) {
      int bytes = ChunkIndex.entryBytes(area.address() + at);
      if (bytes < Frames.HEADER_BYTES || at + bytes > to || entryCount == trailer.frames()) {
        break;
      }
      entries[entryCount++] = at;
      at += bytes;
    }
  }

  /** Puts what was loaded in order, without what is not wanted. */
  void sort(FrameOrder.Filter wanted) {
    order.sort(this, wanted);
  }

  /** What {@link #sort} has found. */
  FrameOrder order() {
    return order;
  }

  Task task() {
    Task loaded = task;
    if (loaded == null) {
      throw new IllegalStateException("nothing is loaded");
    }
    return loaded;
  }

  boolean isIndex() {
    return task().index.isPresent();
  }

  int count() {
    return index != null ? entryCount : scanner.count();
  }

  /** Where in memory a frame is, by which its address and position are asked for. */
  int offset(int i) {
    return index != null ? entries[i] : scanner.offset(i);
  }

  long address(int offset) {
    AlignedMemory own = index;
    return (own != null ? own : memory).address() + offset;
  }

  /** Where a frame is in the log. */
  long position(int offset) {
    long chunk = task().plan.chunk();
    return Position.of(
        chunk,
        isIndex()
            ? Integer.toUnsignedLong(Frames.indexedOffset(address(offset)))
            : task().offset + offset);
  }

  private AlignedMemory large(long bytes) {
    AlignedMemory there = large;
    if (there != null && there.bytes() >= bytes) {
      return there;
    }
    closeLarge();
    AlignedMemory larger = AlignedMemory.allocate(bytes + bytes / SPARE_PART);
    large = larger;
    return larger;
  }

  private void closeLarge() {
    if (large != null) {
      large.close();
      large = null;
    }
  }

  // ---- whose turn it is

  /** Waits until all have applied the round before; returns false if the replay was given up. */
  synchronized boolean awaitFree(int forRound) throws InterruptedException {
    while (!aborted && (round < forRound || isLoaded)) {
      wait();
    }
    return !aborted;
  }

  synchronized void loaded(int loaders) {
    toApply = loaders;
    isLoaded = true;
    notifyAll();
  }

  /** Waits until the unit is loaded for a round; returns false if the replay was given up. */
  synchronized boolean awaitLoaded(int forRound) throws InterruptedException {
    while (!aborted && (round < forRound || !isLoaded)) {
      wait();
    }
    return !aborted;
  }

  synchronized void applied() {
    if (--toApply == 0) {
      isLoaded = false;
      round++;
      notifyAll();
    }
  }

  synchronized void abort() {
    aborted = true;
    notifyAll();
  }

  @Override
  public void close() {
    closeLarge();
    memory.close();
  }
}
