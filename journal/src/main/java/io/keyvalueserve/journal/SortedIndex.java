package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A chunk's index as it goes to the disk: its entries sorted by partition, those of each as they
 * were appended, then those that name maps, then its {@linkplain IndexDirectory directory}. So what
 * there is of one partition can be read alone.
 *
 * @param bytes how long it is, with the directory; -1 if there is no index
 * @param directory how large the directory is
 */
record SortedIndex(int bytes, IndexDirectory.Size directory) {
  /** No index. */
  static final SortedIndex NONE = new SortedIndex(-1, IndexDirectory.Size.NONE);

  /** A directory that would be larger than such a part of the entries is left out. */
  private static final int DIRECTORY_PART = 2;

  /** Returns the greatest length that it can have. */
  static long mostBytes(ChunkIndex index) {
    return index.bytes() + (long) index.bytes() / DIRECTORY_PART;
  }

  /**
   * Writes it.
   *
   * @param to zeroed memory with room for {@link #mostBytes} from an offset on
   */
  static SortedIndex write(ChunkIndex index, AlignedMemory to, int offset) {
    Writing writing = new Writing(index, to, offset);
    writing.sort();
    return writing.directory();
  }

  /** The writer of one index. */
  private static final class Writing {
    private final long entries;
    private final int bytes;
    private final long to;
    private final FrameCrc crc;
    private final int offset;
    private int[] ends = new int[1024]; // by partition; before sorting, lengths
    private int partitions;
    private int nameBytes;

    // The directory.
    private final Map<Integer, Long> countsOfRun = new HashMap<>(); // addresses by maps' numbers
    private int runs;
    private int counts;

    Writing(ChunkIndex index, AlignedMemory to, int offset) {
      entries = index.address();
      bytes = index.bytes();
      this.to = to.address() + offset;
      this.offset = offset;
      crc = new FrameCrc(to.buffer());
    }

    /** A counting sort. */
    void sort() {
      for (int at = 0; at < bytes; ) {
        long entry = entries + at;
        int length = ChunkIndex.entryBytes(entry);
        if (Frames.type(entry) == Frames.MAP) {
          nameBytes += length;
        } else {
          int partition = Frames.partition(entry);
          if (partition >= ends.length) {
            ends = Arrays.copyOf(ends, Math.max(partition + 1, 2 * ends.length));
          }
          partitions = Math.max(partitions, partition + 1);
          ends[partition] += length;
        }
        at += length;
      }
      int begin = 0;
      for (int partition = 0; partition < partitions; partition++) {
        int length = ends[partition];
        ends[partition] = begin; // the end of what is there so far
        begin += length;
      }
      int names = begin;
      for (int at = 0; at < bytes; ) {
        long entry = entries + at;
        int length = ChunkIndex.entryBytes(entry);
        if (Frames.type(entry) == Frames.MAP) {
          Memory.copy(entry, to + names, length);
          names += length;
        } else {
          int partition = Frames.partition(entry);
          Memory.copy(entry, to + ends[partition], length);
          ends[partition] += length;
        }
        at += length;
      }
    }

    /** Writes the directory, unless it would be too large. */
    SortedIndex directory() {
      int most = bytes / DIRECTORY_PART;
      for (int partition = 0; partition < partitions; partition++) {
        runs += begin(partition) < ends[partition] ? 1 : 0;
      }
      long run = to + bytes;
      long count = run + (long) runs * IndexDirectory.RUN_BYTES;
      if (runs == 0 || (long) runs * IndexDirectory.RUN_BYTES > most) {
        return new SortedIndex(bytes, IndexDirectory.Size.NONE);
      }
      for (int partition = 0; partition < partitions; partition++) {
        int begin = begin(partition);
        int end = ends[partition];
        if (begin == end) {
          continue;
        }
        int sum = crc.of(offset + begin, offset + end);
        IndexDirectory.putRun(run, partition, begin, end - begin, sum, counts);
        run += IndexDirectory.RUN_BYTES;
        if (!count(begin, end, count, most)) {
          Memory.fill(to + bytes, most, (byte) 0);
          return new SortedIndex(bytes, IndexDirectory.Size.NONE);
        }
      }
      int directory = runs * IndexDirectory.RUN_BYTES + counts * IndexDirectory.COUNT_BYTES;
      int from = offset + bytes - nameBytes;
      int sum = crc.of(from, offset + bytes + directory);
      return new SortedIndex(
          bytes + directory, new IndexDirectory.Size(runs, counts, nameBytes, sum));
    }

    private int begin(int partition) {
      return partition == 0 ? 0 : ends[partition - 1];
    }

    /** Counts a partition's entries by map; returns false if there is no room for the counts. */
    private boolean count(int begin, int end, long table, int most) {
      countsOfRun.clear();
      int lastMap = -2;
      long last = 0;
      for (int at = begin; at < end; ) {
        long entry = to + at;
        int map = Frames.type(entry) == Frames.DROP ? IndexDirectory.NO_MAP : Frames.map(entry);
        if (map != lastMap || last == 0) {
          Long known = countsOfRun.get(map);
          if (known == null) {
            int after = runs * IndexDirectory.RUN_BYTES + (counts + 1) * IndexDirectory.COUNT_BYTES;
            if (after > most) {
              return false;
            }
            known = table + (long) counts++ * IndexDirectory.COUNT_BYTES;
            IndexDirectory.beginCount(known, map);
            countsOfRun.put(map, known);
          }
          last = known;
          lastMap = map;
        }
        IndexDirectory.count(last, entry);
        at += ChunkIndex.entryBytes(entry);
      }
      return true;
    }
  }
}
