package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The index of a sealed chunk, which is sorted by partition and stays on the disk: what there is of
 * a partition is read when it is asked for. Its directory is in memory. If it is not what was
 * written, the chunk's frames are read in its place, once.
 */
final class HeldIndex implements HeldPart {
  /**
   * The most pieces that are read one by one. If more runs are wanted at once, the whole index is
   * read, which takes no longer.
   */
  private static final int MOST_PIECES = 16;

  private final Disk disk;
  private final ChunkPlan plan;
  private final ChunkTrailer trailer;
  private final IndexDirectory directory;
  private final Map<Integer, String> names;
  private final int[] nameOffsets;
  private volatile @Nullable AlignedMemory area; // set once; checked
  private volatile @Nullable HeldUnit instead; // set once

  private HeldIndex(
      Disk disk,
      ChunkPlan plan,
      ChunkTrailer trailer,
      IndexDirectory directory,
      Map<Integer, String> names,
      int[] nameOffsets) {
    this.disk = disk;
    this.plan = plan;
    this.trailer = trailer;
    this.directory = directory;
    this.names = names;
    this.nameOffsets = nameOffsets;
  }

  /** The index of a chunk whose trailer has a directory; null if that is not what was written. */
  static @Nullable HeldIndex read(Disk disk, ChunkFile file, ChunkPlan plan, ChunkTrailer trailer) {
    IndexDirectory directory = IndexDirectory.read(file, trailer);
    if (directory == null) {
      return null;
    }
    Map<Integer, String> names = directory.mapNames();
    int[] offsets = ChunkIndex.offsets(directory.names(), directory.nameBytes());
    if (names == null || offsets == null || !directory.namesAll(names.keySet())) {
      directory.close();
      return null;
    }
    return new HeldIndex(disk, plan, trailer, directory, names, offsets);
  }

  /** Has all that it has counted as its chunk's, and what is kept back as that. */
  void count(Loader loader) {
    loader.count(trailer, directory, names);
  }

  // ---- what is wanted at once

  /**
   * Runs that were read together, without a look at them, behind the entries that name maps.
   *
   * @param memory they and the names
   * @param names where the names are in it
   * @param runs which they are
   * @param begins where each of them is
   * @param isRead whether the disk has read all
   * @param isArea whether the memory has all of the index
   */
  record Pieces(
      AlignedMemory memory, int names, int[] runs, int[] begins, boolean isRead, boolean isArea) {}

  /** Reads the runs of partitions in which something is not kept back, by maps. */
  Pieces readWanted(ChunkFile file, Predicate<String> isHeld) {
    int[] runs = directory.runsOf(map -> !isHeld.test(names.getOrDefault(map, "")));
    if (runs.length > MOST_PIECES) {
      return readAll(file, runs);
    }
    int room = ChunkFile.wholePart(0, directory.nameBytes());
    int[] begins = new int[runs.length];
    for (int i = 0; i < runs.length; i++) {
      long from = inFile(runs[i]);
      begins[i] = room + ChunkFile.skipped(from);
      room += ChunkFile.wholePart(from, directory.bytes(runs[i]));
    }
    AlignedMemory memory = AlignedMemory.allocate(room);
    Memory.copy(directory.names(), memory.address(), directory.nameBytes());
    boolean isRead = true;
    for (int i = 0; i < runs.length && isRead; i++) {
      long from = inFile(runs[i]);
      int at = begins[i] - ChunkFile.skipped(from);
      isRead = file.readPart(from, directory.bytes(runs[i]), memory, at);
    }
    return new Pieces(memory, 0, runs, begins, isRead, false);
  }

  private Pieces readAll(ChunkFile file, int[] runs) {
    AlignedMemory memory = AlignedMemory.allocateLasting(ChunkFile.wholeArea(trailer));
    boolean isRead = file.readArea(trailer, memory);
    int[] begins = new int[runs.length];
    for (int i = 0; i < runs.length; i++) {
      begins[i] = trailer.partitionBytes() + directory.offset(runs[i]);
    }
    int names = trailer.areaBytes() - trailer.directory().bytes();
    // Those that were checked, and not what was read now.
    Memory.copy(directory.names(), memory.address() + names, directory.nameBytes());
    return new Pieces(memory, names, runs, begins, isRead, true);
  }

  private long inFile(int run) {
    return trailer.indexBegin() + directory.offset(run);
  }

  /**
   * Returns the offsets of the entries in the memory of pieces, those of names among them, or null
   * if they are not what was written.
   */
  int @Nullable [] entries(Pieces pieces) {
    if (!pieces.isRead) {
      return null;
    }
    FrameCrc crc = new FrameCrc(pieces.memory.buffer());
    List<int[]> all = new ArrayList<>();
    all.add(moved(nameOffsets, pieces.names));
    for (int i = 0; i < pieces.runs.length; i++) {
      int[] offsets = entries(pieces.runs[i], pieces.memory, pieces.begins[i], crc);
      if (offsets == null) {
        return null;
      }
      all.add(moved(offsets, pieces.begins[i]));
    }
    return all.stream().flatMapToInt(Arrays::stream).toArray();
  }

  private static int[] moved(int[] offsets, int by) {
    int[] moved = new int[offsets.length];
    for (int i = 0; i < offsets.length; i++) {
      moved[i] = offsets[i] + by;
    }
    return moved;
  }

  /**
   * Keeps the memory of pieces that are all of the index; returns whether it does.
   *
   * @param room for so many bytes there is memory; what is kept is taken from it
   */
  boolean keep(Pieces pieces, AtomicLong room) {
    if (!pieces.isArea || !ChunkFile.isArea(trailer, pieces.memory)) {
      return false;
    }
    long bytes = pieces.memory.bytes();
    if (room.addAndGet(-bytes) < 0) {
      room.addAndGet(bytes);
      return false;
    }
    area = pieces.memory;
    return true;
  }

  /** The offsets of a run's entries from its beginning; null if they are not what was written. */
  private int @Nullable [] entries(int run, AlignedMemory memory, int begin, FrameCrc crc) {
    int bytes = directory.bytes(run);
    if (crc.of(begin, begin + bytes) != directory.crc(run)) {
      return null;
    }
    long address = memory.address() + begin;
    int[] offsets = ChunkIndex.offsets(address, bytes);
    if (offsets == null || offsets.length != directory.frames(run)) {
      return null;
    }
    for (int offset : offsets) {
      if (Frames.partition(address + offset) != directory.partition(run)) {
        return null;
      }
    }
    return offsets;
  }

  // ---- what was kept back

  @Override
  public void give(int partition, Loader loader) throws IOException {
    int run = directory.find(partition);
    if (run < 0) {
      return;
    }
    if (!giveRun(run, loader)) { // frames in the place of this run only: others may be damaged
      readInstead(loader).give(partition, loader);
    }
  }

  /** Returns false, and has given nothing, if the run is not what was written. */
  private boolean giveRun(int run, Loader loader) throws IOException {
    AlignedMemory all = area;
    if (all != null) {
      return give(run, all, trailer.partitionBytes() + directory.offset(run), loader);
    }
    long from = inFile(run);
    try (ChunkFile file = ChunkFile.open(disk, plan.chunk());
        AlignedMemory part = file.part(from, directory.bytes(run))) {
      return part != null && give(run, part, ChunkFile.skipped(from), loader);
    }
  }

  private boolean give(int run, AlignedMemory memory, int begin, Loader loader) throws IOException {
    int[] offsets = entries(run, memory, begin, new FrameCrc(memory.buffer()));
    if (offsets == null) {
      return false;
    }
    IndexRun entries =
        new IndexRun(
            plan.chunk(), directory.names(), nameOffsets, memory.address() + begin, offsets);
    loader.learnNames(entries);
    loader.applyHeld(entries, 0, offsets.length);
    return true;
  }

  private synchronized HeldUnit readInstead(Loader loader) throws IOException {
    HeldUnit there = instead;
    if (there != null) {
      return there;
    }
    try (ReplayUnit unit = new ReplayUnit(0, 1);
        ChunkFile file = ChunkFile.open(disk, plan.chunk())) {
      unit.read(file, ReplayUnit.Task.index(plan, trailer));
      List<Damage> damage = unit.check(disk);
      unit.sort((address, position) -> true);
      HeldUnit read = HeldUnit.of(unit);
      instead = read;
      loader.found(plan.chunk(), damage);
      return read;
    }
  }

  @Override
  public long bytes() {
    AlignedMemory all = area;
    HeldUnit frames = instead;
    return directory.memoryBytes()
        + (all == null ? 0 : all.bytes())
        + (frames == null ? 0 : frames.bytes());
  }

  @Override
  public long aheadBytes() {
    return area == null ? ChunkFile.wholeArea(trailer) : 0;
  }

  @Override
  public synchronized void readAhead() {
    if (aheadBytes() == 0) {
      return;
    }
    AlignedMemory memory = AlignedMemory.allocateLasting(ChunkFile.wholeArea(trailer));
    boolean isRead = false;
    try (ChunkFile file = ChunkFile.open(disk, plan.chunk())) {
      isRead = file.area(trailer, memory);
    } catch (IOException e) {
      // what was not read is read when it is asked for, and told then
    }
    if (isRead) {
      area = memory;
    } else {
      memory.close();
    }
  }

  @Override
  public void close() {
    directory.close();
    AlignedMemory all = area;
    if (all != null) {
      all.close();
    }
    HeldUnit frames = instead;
    if (frames != null) {
      frames.close();
    }
  }
}
