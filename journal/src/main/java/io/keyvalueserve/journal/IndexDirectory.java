package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the index of a sealed chunk. It says which partitions have entries, and where.
 * It is at the end of the index:
 *
 * <pre>
 *   entries by partition | entries that name maps | runs | counts
 *
 *   0           4       8        12       16            20       24
 *   +-----------+-------+--------+--------+-------------+--------+
 *   | partition | bytes | offset | CRC32C | first count | unused |  a run: where a partition's entries are
 *   +-----------+-------+--------+--------+-------------+--------+  in the index, by partition
 *   | map       | flags | frames | puts   | bytes of payloads    |  a count: what there is of a map
 *   +-----------+-------+--------+--------+----------------------+  in a run, up to the next one's first
 *
 *   map        the chunk's number; -1 for frames that are no map's
 *   flags      bit 0: some payloads are in blobs, whose bytes are not counted
 * </pre>
 *
 * <p>Does not change; any threads may look at it until it is closed.
 */
final class IndexDirectory implements AutoCloseable {
  static final int RUN_BYTES = 24;
  static final int COUNT_BYTES = 24;
  static final int NO_MAP = -1;

  private static final int RUN_LENGTH = 4;
  private static final int RUN_OFFSET = 8;
  private static final int RUN_CRC = 12;
  private static final int RUN_COUNT = 16;
  private static final int FLAGS = 4;
  private static final int FRAMES = 8;
  private static final int PUTS = 12;
  private static final int PAYLOADS = 16;
  private static final int BLOBS = 1;

  /**
   * The size of a directory, as a trailer states it.
   *
   * @param runs how many partitions it tells apart; 0 if there is none
   * @param counts how many counts it has
   * @param nameBytes how long the entries are that name maps
   * @param crc the checksum of these and of both tables
   */
  record Size(int runs, int counts, int nameBytes, int crc) {
    /** No directory. */
    static final Size NONE = new Size(0, 0, 0, 0);

    /** Returns the bytes of the directory, with the entries that name maps. */
    int bytes() {
      return runs == 0 ? 0 : nameBytes + runs * RUN_BYTES + counts * COUNT_BYTES;
    }

    /** Without them. */
    int tableBytes() {
      return bytes() - nameBytes;
    }

    /** Returns whether it may be the directory of an index of this length. */
    boolean isWithin(int indexBytes) {
      long all = nameBytes + (long) runs * RUN_BYTES + (long) counts * COUNT_BYTES;
      return (runs == 0 && counts == 0 && nameBytes == 0)
          || (runs > 0 && counts > 0 && nameBytes >= 0 && counts >= runs && all <= indexBytes);
    }
  }

  /** A visitor of the amounts of a map in a partition. */
  @FunctionalInterface
  interface Visitor {
    void visit(int partition, int map, int frames, int puts, long payloadBytes, boolean blobs);
  }

  private final AlignedMemory memory;
  private final Size size;
  private final long names;
  private final long runs;
  private final long counts;

  private IndexDirectory(AlignedMemory memory, long address, Size size) {
    this.memory = memory;
    this.size = size;
    names = address;
    runs = names + size.nameBytes;
    counts = runs + (long) size.runs * RUN_BYTES;
  }

  // ---- writing

  static void putRun(long run, int partition, int offset, int bytes, int crc, int firstCount) {
    Memory.putInt(run, partition);
    Memory.putInt(run + RUN_LENGTH, bytes);
    Memory.putInt(run + RUN_OFFSET, offset);
    Memory.putInt(run + RUN_CRC, crc);
    Memory.putInt(run + RUN_COUNT, firstCount);
  }

  /** A count of nothing, in zeroed memory. */
  static void beginCount(long count, int map) {
    Memory.putInt(count, map);
  }

  /** Counts a frame, by its entry. */
  static void count(long count, long entry) {
    boolean put = Frames.type(entry) == Frames.PUT;
    boolean blob = Frames.isBlob(entry);
    add(count + FRAMES, 1);
    add(count + PUTS, put ? 1 : 0);
    if (put && !blob) {
      long bytes = Memory.getLong(count + PAYLOADS);
      Memory.putLong(count + PAYLOADS, bytes + Frames.payloadLength(entry));
    }
    if (blob) {
      Memory.putInt(count + FLAGS, BLOBS);
    }
  }

  private static void add(long address, int more) {
    Memory.putInt(address, Memory.getInt(address) + more);
  }

  // ---- reading

  /** Reads a chunk's directory; null if it cannot be read, or is not what was written. */
  static @Nullable IndexDirectory read(ChunkFile file, ChunkTrailer trailer) {
    Size size = trailer.directory();
    long begin = trailer.directoryBegin();
    AlignedMemory memory = file.part(begin, size.bytes());
    if (memory == null) {
      return null;
    }
    int skipped = ChunkFile.skipped(begin);
    IndexDirectory directory = new IndexDirectory(memory, memory.address() + skipped, size);
    int sum = new FrameCrc(memory.buffer()).of(skipped, skipped + size.bytes());
    if (sum == size.crc && directory.isMeaningful(trailer.indexBytes() - size.bytes())) {
      return directory;
    }
    memory.close();
    return null;
  }

  /** Returns whether a directory that passed the checksum leads nowhere else, whoever wrote it. */
  private boolean isMeaningful(int entryBytes) {
    long lastEnd = 0;
    int lastPartition = -1;
    int lastCount = -1;
    for (int run = 0; run < size.runs; run++) {
      if (partition(run) <= lastPartition
          || offset(run) != lastEnd
          || bytes(run) <= 0
          || firstCount(run) <= lastCount
          || (run == 0 && firstCount(run) != 0)) {
        return false;
      }
      lastPartition = partition(run);
      lastEnd = (long) offset(run) + bytes(run);
      lastCount = firstCount(run);
    }
    return lastEnd == entryBytes && lastCount < size.counts;
  }

  int runs() {
    return size.runs;
  }

  int partition(int run) {
    return Memory.getInt(at(run));
  }

  /** Returns the length of a run. */
  int bytes(int run) {
    return Memory.getInt(at(run) + RUN_LENGTH);
  }

  /** Returns the offset in the index at which a run begins. */
  int offset(int run) {
    return Memory.getInt(at(run) + RUN_OFFSET);
  }

  int crc(int run) {
    return Memory.getInt(at(run) + RUN_CRC);
  }

  private int firstCount(int run) {
    return Memory.getInt(at(run) + RUN_COUNT);
  }

  private int endCount(int run) {
    return run + 1 < size.runs ? firstCount(run + 1) : size.counts;
  }

  private long at(int run) {
    return runs + (long) run * RUN_BYTES;
  }

  /** The run of a partition, -1 if there is nothing of it. */
  int find(int partition) {
    int low = 0;
    int high = size.runs - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int there = partition(middle);
      if (there == partition) {
        return middle;
      }
      if (there < partition) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** Returns the number of frames of a run. */
  int frames(int run) {
    int frames = 0;
    for (int count = firstCount(run); count < endCount(run); count++) {
      frames += Memory.getInt(count(count) + FRAMES);
    }
    return frames;
  }

  private long count(int count) {
    return counts + (long) count * COUNT_BYTES;
  }

  /** Visits the counts of a run. */
  void visit(int run, Visitor visitor) {
    for (int i = firstCount(run); i < endCount(run); i++) {
      long count = count(i);
      visitor.visit(
          partition(run),
          Memory.getInt(count),
          Memory.getInt(count + FRAMES),
          Memory.getInt(count + PUTS),
          Memory.getLong(count + PAYLOADS),
          (Memory.getInt(count + FLAGS) & BLOBS) != 0);
    }
  }

  /** The runs with frames of some maps, by the chunk's numbers, or of none. */
  int[] runsOf(IntPredicate maps) {
    return IntStream.range(0, size.runs)
        .filter(
            run ->
                IntStream.range(firstCount(run), endCount(run))
                    .map(count -> Memory.getInt(count(count)))
                    .anyMatch(map -> map == NO_MAP || maps.test(map)))
        .toArray();
  }

  /** Returns whether all maps that it has counts of are among these, by the chunk's numbers. */
  boolean namesAll(Set<Integer> maps) {
    return IntStream.range(0, size.counts)
        .map(count -> Memory.getInt(count(count)))
        .allMatch(map -> map == NO_MAP || maps.contains(map));
  }

  /** The partitions of which there are puts. */
  BitSet withPuts() {
    BitSet partitions = new BitSet();
    for (int run = 0; run < size.runs; run++) {
      visit(
          run,
          (partition, map, frames, puts, bytes, blobs) -> {
            if (puts > 0) {
              partitions.set(partition);
            }
          });
    }
    return partitions;
  }

  /** Returns the address of the entries that name maps. */
  long names() {
    return names;
  }

  int nameBytes() {
    return size.nameBytes;
  }

  /** The names of maps by the chunk's numbers; null if an entry of them is none. */
  @Nullable Map<Integer, String> mapNames() {
    Map<Integer, String> found = new HashMap<>();
    int[] offsets = ChunkIndex.offsets(names, size.nameBytes);
    if (offsets == null) {
      return null;
    }
    for (int offset : offsets) {
      long entry = names + offset;
      if (Frames.type(entry) != Frames.MAP) {
        return null;
      }
      byte[] name = new byte[Frames.keyLength(entry)];
      Memory.copy(entry + Frames.HEADER_BYTES, name, 0, name.length);
      found.put(Frames.map(entry), new String(name, StandardCharsets.UTF_8));
    }
    return found;
  }

  /** Returns the memory that it takes, in bytes. */
  long memoryBytes() {
    return memory.bytes();
  }

  @Override
  public void close() {
    memory.close();
  }
}
