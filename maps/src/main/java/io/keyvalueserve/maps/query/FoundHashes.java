package io.keyvalueserve.maps.query;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The hashes of keys that an index had at one moment, by partition and in the order of scans, each
 * once. Immutable.
 */
final class FoundHashes {
  private final MapScan scan;
  private final BitSet partitions;
  private final int[] begins;
  private final long[] orders;

  private FoundHashes(MapScan scan, BitSet partitions, int[] begins, long[] orders) {
    this.scan = scan;
    this.partitions = partitions;
    this.begins = begins;
    this.orders = orders;
  }

  /**
   * Returns the hashes that others have too, of the partitions that both cover, and these as they
   * are of those that the others do not.
   */
  FoundHashes and(FoundHashes others) {
    int[] both = new int[begins.length];
    long[] kept = new long[orders.length];
    int count = 0;
    for (int p = 0; p < begins.length - 1; p++) {
      both[p] = count;
      boolean isBoth = others.covers(p);
      int at = others.begins[p];
      for (int i = begins[p]; i < begins[p + 1]; i++) {
        while (isBoth && at < others.begins[p + 1] && others.orders[at] < orders[i]) {
          at++;
        }
        if (!isBoth || (at < others.begins[p + 1] && others.orders[at] == orders[i])) {
          kept[count++] = orders[i];
        }
      }
    }
    both[begins.length - 1] = count;
    return new FoundHashes(scan, partitions, both, Arrays.copyOf(kept, count));
  }

  /** Returns whether these are what a scan has found. */
  @SuppressWarnings("ReferenceEquality") // it is about this one
  boolean isOf(MapScan other) {
    return scan == other;
  }

  /** Returns whether all keys of a partition that may be wanted are here. */
  boolean covers(int partition) {
    return partitions.get(partition);
  }

  /** Returns whether there is none of a partition. */
  boolean isEmpty(int partition) {
    return begins[partition] == begins[partition + 1];
  }

  /** Returns the index of the first hash of a partition whose order is not before one. */
  int begin(int partition, long order) {
    int begin = begins[partition];
    int end = begins[partition + 1];
    int at = Arrays.binarySearch(orders, begin, end, sortable(order));
    return at < 0 ? -at - 1 : at;
  }

  /** Returns the index behind the last hash of a partition. */
  int end(int partition) {
    return begins[partition + 1];
  }

  /** Returns the order of a hash. */
  long order(int index) {
    return sortable(orders[index]);
  }

  /** Returns a hash. */
  long hash(int index) {
    return ScanPosition.hashOf(order(index));
  }

  /** Orders are unsigned. */
  private static long sortable(long order) {
    return order ^ Long.MIN_VALUE;
  }

  /** Takes hashes. For one thread. */
  static final class Builder {
    /** More would take long to sort, and much heap; then all entries are looked at. */
    static final int MOST = 1 << 16;

    private final MapScan scan;
    private final BitSet wanted;
    private final int partitionCount;
    private int[] partitions = new int[16];
    private long[] orders = new long[16];
    private int count;

    /**
     * @param wanted the partitions of which all keys will be taken
     */
    Builder(MapScan scan, BitSet wanted, int partitionCount) {
      this.scan = scan;
      this.wanted = wanted;
      this.partitionCount = partitionCount;
    }

    boolean wants(int partition) {
      return wanted.get(partition);
    }

    /** Returns false if there are too many. */
    boolean add(int partition, long hash) {
      if (count == MOST) {
        return false;
      }
      if (count == orders.length) {
        orders = Arrays.copyOf(orders, 2 * count);
        partitions = Arrays.copyOf(partitions, 2 * count);
      }
      partitions[count] = partition;
      orders[count++] = sortable(ScanPosition.orderOf(hash));
      return true;
    }

    FoundHashes build() {
      int[] next = new int[partitionCount + 1];
      for (int i = 0; i < count; i++) {
        next[partitions[i] + 1]++;
      }
      for (int p = 0; p < partitionCount; p++) {
        next[p + 1] += next[p];
      }
      int[] ends = next.clone();
      long[] sorted = new long[count];
      for (int i = 0; i < count; i++) {
        sorted[ends[partitions[i]]++] = orders[i];
      }
      int[] begins = new int[partitionCount + 1];
      int kept = 0;
      for (int p = 0; p < partitionCount; p++) {
        begins[p] = kept;
        if (next[p + 1] - next[p] > 1) {
          Arrays.sort(sorted, next[p], next[p + 1]);
        }
        for (int i = next[p]; i < next[p + 1]; i++) {
          if (kept == begins[p] || sorted[i] != sorted[kept - 1]) {
            sorted[kept++] = sorted[i];
          }
        }
      }
      begins[partitionCount] = kept;
      return new FoundHashes(scan, wanted, begins, Arrays.copyOf(sorted, kept));
    }
  }
}
