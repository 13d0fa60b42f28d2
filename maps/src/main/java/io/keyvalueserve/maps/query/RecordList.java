package io.keyvalueserve.maps.query;

import com.hazelcast.internal.util.Clock;
import io.keyvalueserve.maps.ScannedPartition;
import io.keyvalueserve.store.RecordVisitor;
import io.keyvalueserve.store.Records;
import java.util.Arrays;

/**
 * The records of a chunk that meet a condition as far as their bytes tell, and their order. Reused;
 * one thread.
 */
final class RecordList implements RecordVisitor {
  private static final int MOST_FOUND = 128;
  private static final int MOST_SEEN = 512;

  /** Addresses are multiples of 8: this bit marks records that take a second look. */
  private static final long UNSURE = 1;

  private final FastTest test;
  private final FastTest.Scratch scratch;
  private long[] records = {};
  private long[] orders = {};
  private int count;
  private int seen;
  private final long now = Clock.currentTimeMillis(); // for a slice, which is short

  RecordList(FastTest test, FastTest.Scratch scratch) {
    this.test = test;
    this.scratch = scratch;
  }

  /** Begins a chunk. */
  void begin() {
    count = 0;
    seen = 0;
  }

  /** Returns whether that is enough for a chunk. */
  boolean isFull() {
    return count >= MOST_FOUND || seen >= MOST_SEEN;
  }

  /** Returns how many records were looked at. */
  int seen() {
    return seen;
  }

  int count() {
    return count;
  }

  long record(int index) {
    return records[index] & ~UNSURE;
  }

  /** Returns whether a record meets the condition for sure. */
  boolean isSure(int index) {
    return (records[index] & UNSURE) == 0;
  }

  /** Returns the place of a record in the order of its partition, once these are sorted. */
  long order(int index) {
    return orders[index];
  }

  @Override
  public void visit(long record) {
    seen++;
    if (Records.expires(record) && ScannedPartition.hasExpired(record, now)) {
      return;
    }
    int answer = test.test(record, scratch);
    if (answer == Scalar.NO) {
      return;
    }
    if (count == records.length) {
      int room = Math.max(2 * MOST_FOUND, 2 * count);
      records = Arrays.copyOf(records, room);
      orders = Arrays.copyOf(orders, room);
    }
    records[count++] = answer == Scalar.YES ? record : record | UNSURE;
  }

  /** Drops records whose order is before one. */
  void keepFrom(long first, ScannedPartition partition) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (Long.compareUnsigned(ScanPosition.orderOf(partition.hash(record(i))), first) >= 0) {
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
      long order = ScanPosition.orderOf(partition.hash(record & ~UNSURE));
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
