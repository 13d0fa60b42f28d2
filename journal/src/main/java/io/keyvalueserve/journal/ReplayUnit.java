package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A part of a chunk in memory. A reader reads it, one of the loaders checks it and finds its
 * frames, all loaders apply them, then another part is read into it: rounds, of which each has
 * those phases.
 *
 * <pre>
 *   FREE     --read-->    READ      by the reader whose task it is
 *   READ     --claim-->   CHECKING  by the loader that comes first
 *   CHECKING --checked--> CHECKED   by the same
 *   CHECKED  --applied--> FREE      by the last of all loaders; the next round begins
 * </pre>
 */
final class ReplayUnit implements SortedFrames, Closeable {
  /**
   * The part to load: a part of a chunk's frames, or its index.
   *
   * @param plan the chunk
   * @param offset where in the file
   * @param bytes how much
   * @param index the trailer that says where the index is, or nothing for frames
   * @param isDirectory whether of the index only the directory is read, and what is wanted at once
   */
  record Task(
      ChunkPlan plan, long offset, int bytes, Optional<ChunkTrailer> index, boolean isDirectory) {
    static Task frames(ChunkPlan plan, long offset, int bytes) {
      return new Task(plan, offset, bytes, Optional.empty(), false);
    }

    static Task index(ChunkPlan plan, ChunkTrailer trailer) {
      return new Task(plan, trailer.end(), trailer.areaBytes(), Optional.of(trailer), false);
    }

    static Task directory(ChunkPlan plan, ChunkTrailer trailer) {
      int bytes = trailer.directory().bytes();
      return new Task(plan, trailer.directoryBegin(), bytes, Optional.of(trailer), true);
    }

    /** A whole number of the disk's blocks; an index has memory of its own. */
    int memoryBytes() {
      return index.isPresent() ? 0 : wholeBytes();
    }

    /** Returns the bytes that may be read for the task, in whole blocks of the disk. */
    int wholeBytes() {
      if (isDirectory) { // it may be that most of the index is wanted at once
        return ChunkFile.wholeArea(index.orElseThrow());
      }
      return (bytes + ChunkHeader.BYTES - 1) & -ChunkHeader.BYTES;
    }
  }

  /** The next step of a loader that wants a unit's frames. */
  enum Turn {
    /** Check what was read, which nobody else will do: the unit was claimed. */
    CHECK,
    /** Another one checks it. */
    WAIT,
    /** Apply its frames. */
    APPLY,
    /** Nothing: the replay was given up. */
    END
  }

  private enum Phase {
    FREE,
    READ,
    CHECKING,
    CHECKED
  }

  private static final int SPARE_PART = 8;

  private final AlignedMemory memory;
  private final FrameScanner scanner;
  private final FrameOrder order;
  private @Nullable Task task;

  /**
   * The memory for parts that do not fit into the usual memory. It is kept, as the next part will
   * be of about the same size.
   */
  private @Nullable AlignedMemory large;

  /** The large memory while it has what was read. */
  private @Nullable AlignedMemory index;

  private int[] entries = new int[0];
  private int entryCount;

  private List<Damage> unreadable = List.of();
  private boolean indexRead;

  /** An index most of which stays on the disk, until it is taken. */
  private @Nullable HeldIndex held;

  private HeldIndex.@Nullable Pieces pieces; // of it
  private boolean counted;

  private int round; // guarded by this, as are the next ones
  private Phase phase = Phase.FREE;
  private int toApply;
  private boolean aborted;

  ReplayUnit(int bytes, int loaders) {
    memory = AlignedMemory.allocateLasting(bytes);
    scanner = new FrameScanner(memory);
    order = new FrameOrder(loaders);
  }

  // ---- content: the reader's, then one loader's, then all loaders'

  /** Reads a part; what the disk does not read of it is told by {@link #check}. */
  void read(ChunkFile file, Task next) {
    forgetHeld();
    task = next;
    index = null;
    if (next.index.isPresent()) {
      ChunkTrailer trailer = next.index.get();
      AlignedMemory area = large(ChunkFile.wholeArea(trailer));
      indexRead = file.readArea(trailer, area);
      index = area;
    } else {
      unreadable = file.read(next.offset, memory, next.wholeBytes());
    }
  }

  /** Reads a part. If it is an index, its runs that are kept back stay on the disk. */
  void read(ChunkFile file, Task next, LoaderState state) {
    if (!next.isDirectory) {
      read(file, next);
      return;
    }
    forgetHeld();
    task = next;
    HeldIndex read = HeldIndex.read(state.disk(), file, next.plan, next.index.orElseThrow());
    held = read;
    pieces = read == null ? null : read.readWanted(file, state::isHeld);
    index = pieces == null ? null : pieces.memory();
  }

  /**
   * Checks what was read, and finds its frames; returns what was not as it was written.
   *
   * @throws IOException if an index is damaged, and its chunk cannot be opened again
   */
  List<Damage> check(Disk disk) throws IOException {
    Task read = task();
    if (read.index.isEmpty()) {
      return findFrames(disk, read, scanner, unreadable);
    }
    if (read.isDirectory) {
      return checkHeld(disk, read);
    }
    ChunkTrailer trailer = read.index.get();
    AlignedMemory area = Objects.requireNonNull(index);
    if (indexRead && ChunkFile.isArea(trailer, area) && findEntries(area, trailer)) {
      return List.of();
    }
    try (ChunkFile file = ChunkFile.open(disk, read.plan.chunk())) {
      return readFramesOf(file, disk, read);
    }
  }

  private List<Damage> checkHeld(Disk disk, Task read) throws IOException {
    HeldIndex.Pieces there = pieces;
    int[] found = held == null || there == null ? null : held.entries(there);
    if (found != null) {
      entries = found;
      entryCount = found.length;
      counted = true;
      return List.of();
    }
    forgetHeld();
    try (ChunkFile file = ChunkFile.open(disk, read.plan.chunk())) {
      return readFramesOf(file, disk, read);
    }
  }

  /** The index is damaged: its chunk's frames in its place, all of them. */
  private List<Damage> readFramesOf(ChunkFile file, Disk disk, Task damaged) {
    Task all = Task.frames(damaged.plan, 0, (int) damaged.plan.end());
    AlignedMemory whole = large(all.wholeBytes());
    index = whole;
    FrameScanner frames = new FrameScanner(whole);
    List<Damage> damage = new ArrayList<>();
    damage.add(
        new Damage(
            Damage.Kind.BAD_TRAILER,
            disk.path(LogFiles.chunk(damaged.plan.chunk())),
            damaged.offset,
            damaged.bytes,
            "the index is not what was written; the chunk's frames were read"));
    List<Damage> notRead = file.read(0, whole, all.wholeBytes());
    damage.addAll(findFrames(disk, all, frames, notRead));
    task = all;
    entryCount = frames.count();
    entries = new int[entryCount];
    for (int i = 0; i < entryCount; i++) {
      entries[i] = frames.offset(i);
    }
    return damage;
  }

  private static List<Damage> findFrames(
      Disk disk, Task task, FrameScanner scanner, List<Damage> notRead) {
    int from = task.offset == 0 ? ChunkHeader.BYTES : 0;
    scanner.scan(task.plan.chunk(), task.offset, from, task.bytes, task.plan.blockBytes());
    if (notRead.isEmpty() && scanner.gaps().isEmpty()) {
      return List.of();
    }
    List<Damage> damage = new ArrayList<>(notRead);
    String name = disk.path(LogFiles.chunk(task.plan.chunk()));
    scanner.gaps().forEach(gap -> damage.add(gap.damage(name)));
    return damage;
  }

  /** Returns whether entries are all that there is. */
  private boolean findEntries(AlignedMemory area, ChunkTrailer trailer) {
    int begin = trailer.partitionBytes();
    int bytes = trailer.areaBytes() - begin - trailer.directory().tableBytes();
    int[] found = ChunkIndex.offsets(area.address() + begin, bytes);
    if (found == null) {
      return false;
    }
    for (int i = 0; i < found.length; i++) {
      found[i] += begin;
    }
    entries = found;
    entryCount = found.length;
    return true;
  }

  /**
   * Returns the index if only its directory was read, to be closed by the caller, or null if the
   * whole part is in memory. The pieces that are wanted at once stay here until the next part is
   * read.
   *
   * @param room for how many bytes of indexes there is memory beyond that
   */
  @Nullable HeldIndex takeHeld(AtomicLong room) {
    HeldIndex taken = held;
    HeldIndex.Pieces there = pieces;
    if (taken != null && there != null && taken.keep(there, room)) {
      pieces = null;
    }
    held = null;
    return taken;
  }

  private void forgetHeld() {
    counted = false;
    HeldIndex.Pieces there = pieces;
    pieces = null;
    if (there != null) {
      there.memory().close();
    }
    HeldIndex notTaken = held;
    held = null;
    if (notTaken != null) {
      notTaken.close();
    }
  }

  /** Puts what was found in order, without what is not wanted. */
  void sort(FrameOrder.Filter wanted) {
    order.sort(this, wanted);
  }

  /** Returns the order that {@link #sort} has made. */
  FrameOrder order() {
    return order;
  }

  Task task() {
    Task loaded = task;
    if (loaded == null) {
      throw new IllegalStateException("nothing was read");
    }
    return loaded;
  }

  @Override
  public long chunk() {
    return task().plan.chunk();
  }

  @Override
  public boolean isIndex() {
    return task().index.isPresent();
  }

  @Override
  public boolean isCounted() {
    return counted;
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

  /**
   * Gives the index that was loaded to who closes it; it stays readable here until the next is
   * loaded.
   */
  AlignedMemory handOver() {
    AlignedMemory area = large;
    if (!isIndex() || area == null) {
      throw new IllegalStateException("no index is loaded");
    }
    large = null;
    return area;
  }

  int count() {
    return index != null ? entryCount : scanner.count();
  }

  /** Returns the offset of a frame in memory, by which its address and position are asked for. */
  int offset(int i) {
    return index != null ? entries[i] : scanner.offset(i);
  }

  @Override
  public long address(int offset) {
    AlignedMemory own = index;
    return (own != null ? own : memory).address() + offset;
  }

  /** Returns the position of a frame in the log. */
  @Override
  public long position(int offset) {
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
    AlignedMemory larger = AlignedMemory.allocateLasting(bytes + bytes / SPARE_PART);
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
    while (!aborted && (round < forRound || phase != Phase.FREE)) {
      wait();
    }
    return !aborted;
  }

  /** Called when the part that was asked of the disk is in memory. */
  synchronized void read() {
    phase = Phase.READ;
    notifyAll();
  }

  /** Waits until the unit is read for a round, but not for who checks it. */
  synchronized Turn awaitRead(int forRound) throws InterruptedException {
    while (!aborted && (round < forRound || phase == Phase.FREE)) {
      wait();
    }
    return turn();
  }

  /** Waits until the unit is read and checked for a round; never says {@link Turn#WAIT}. */
  synchronized Turn awaitChecked(int forRound) throws InterruptedException {
    while (!aborted && (round < forRound || phase == Phase.FREE || phase == Phase.CHECKING)) {
      wait();
    }
    return turn();
  }

  private Turn turn() {
    if (aborted) {
      return Turn.END;
    }
    if (phase == Phase.READ) {
      phase = Phase.CHECKING;
      return Turn.CHECK;
    }
    return phase == Phase.CHECKED ? Turn.APPLY : Turn.WAIT;
  }

  /** Claims the unit for checking if it is read for a round and nobody has claimed it. */
  synchronized boolean tryClaim(int forRound) {
    return round == forRound && phase == Phase.READ && turn() == Turn.CHECK;
  }

  synchronized void checked(int loaders) {
    toApply = loaders;
    phase = Phase.CHECKED;
    notifyAll();
  }

  synchronized void applied() {
    if (--toApply == 0) {
      phase = Phase.FREE;
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
    forgetHeld();
    closeLarge();
    memory.close();
  }
}
