package io.keyvalueserve.maps.query;

import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.store.RecordVisitor;
import java.util.Arrays;

/** Records that a scan came upon, in buckets, and their order. Reused; one thread. */
final class RecordList implements RecordVisitor {
  private long[] records = new long[256];
  private long[] orders = new long[256];
  private int count;

  void clear() {
    count = 0;
  }

  int count() {
    return count;
  }

  long record(int index) {
    return records[index];
  }

  long order(int index) {
    return orders[index];
  }

  @Override
  public void visit(long record) {
    if (count == records.length) {
      records = Arrays.copyOf(records, 2 * count);
      orders = Arrays.copyOf(orders, 2 * count);
    }
    records[count++] = record;
  }

  /** Drops records whose order is before one. */
  void keepFrom(long first, ScannedPartition partition) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      long order = ScanPosition.orderOf(partition.hash(records[i]));
      if (Long.compareUnsigned(order, first) >= 0) {
        records[kept++] = records[i];
      }
    }
    count = kept;
  }

  /**
   * Brings the records into their order. They come bucket by bucket, so each has only a few steps
   * to go.
   */
  void sort(ScannedPartition partition) {
    for (int i = 0; i < count; i++) {
      long record = records[i];
      long order = ScanPosition.orderOf(partition.hash(record));
      int to = i;
      while (to > 0 && Long.compareUnsigned(orders[to - 1], order) > 0) {
        records[to] = records[to - 1];
        orders[to] = orders[to - 1];
        to--;
      }
      records[to] = record;
      orders[to] = order;
    }
  }
}
