package io.keyvalueserve.gates.reclaim;

import java.util.Arrays;

/**
 * The least valuable of many records that are offered. A number of the caller's, such as an
 * address, stands for a record. Use up a sample before its records may be removed.
 *
 * <p>Allocates nothing once it is made. For one thread.
 */
public final class VictimSample {
  private final long[] records;
  private final float[] scores; // ascending
  private int size;

  /**
   * An empty sample.
   *
   * @param capacity how many records it keeps: 1 or more
   */
  public VictimSample(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity is 1 or more: " + capacity);
    }
    records = new long[capacity];
    scores = new float[capacity];
  }

  /** Offers a record, which is kept if it is among those worth least. */
  public void offer(long record, float score) {
    if (size == records.length && score >= scores[size - 1]) {
      return;
    }
    int found = Arrays.binarySearch(scores, 0, size, score);
    int at = found < 0 ? -found - 1 : found;
    int last = Math.min(size, records.length - 1);
    System.arraycopy(records, at, records, at + 1, last - at);
    System.arraycopy(scores, at, scores, at + 1, last - at);
    records[at] = record;
    scores[at] = score;
    size = last + 1;
  }

  /** Returns the number of records in the sample. */
  public int size() {
    return size;
  }

  /**
   * Returns a record of the sample.
   *
   * @param index 0 is the one that is worth least
   */
  public long record(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException("index=" + index + " size=" + size);
    }
    return records[index];
  }

  /** Forgets all of them. */
  public void clear() {
    size = 0;
  }
}
