package io.keyvalueserve.resp;

import io.keyvalueserve.gates.latency.LatencyLane;
import org.jspecify.annotations.Nullable;

/**
 * The times at which requests of a connection were read whose replies are not on their way yet,
 * oldest first. Requests of one read have one time: that at which the last of their bytes were
 * read. While there are requests of one read only, nothing is allocated. On the connection's event
 * loop only.
 */
final class Arrivals {
  private static final int FIRST_READS = 8;
  private static final long[] NO_TIMES = {};
  private static final int[] NO_COUNTS = {};

  // The oldest read.
  private long firstNanos;
  private int firstCount;

  // A ring of the other ones.
  private long[] nanos = NO_TIMES;
  private int[] counts = NO_COUNTS;
  private int begin;
  private int reads;

  private int size;

  /** Returns the number of requests. */
  int size() {
    return size;
  }

  /** Adds requests that were read at a time, or after others that were read then. */
  void add(long read, int requests) {
    if (requests == 0) {
      return;
    }
    if (size == 0) {
      firstNanos = read;
      firstCount = requests;
    } else if (reads == 0 && read == firstNanos) {
      firstCount += requests;
    } else if (reads > 0 && read == nanos[at(reads - 1)]) {
      counts[at(reads - 1)] += requests;
    } else {
      addRead(read, requests);
    }
    size += requests;
  }

  private void addRead(long read, int requests) {
    if (reads == nanos.length) {
      grow();
    }
    nanos[at(reads)] = read;
    counts[at(reads)] = requests;
    reads++;
  }

  private void grow() {
    int larger = Math.max(FIRST_READS, 2 * reads);
    long[] times = new long[larger];
    int[] numbers = new int[larger];
    for (int i = 0; i < reads; i++) {
      times[i] = nanos[at(i)];
      numbers[i] = counts[at(i)];
    }
    nanos = times;
    counts = numbers;
    begin = 0;
  }

  private int at(int index) {
    return (begin + index) & (nanos.length - 1); // a power of two
  }

  /**
   * Takes the oldest requests away, whose replies go now, and records how long they took.
   *
   * @param requests if there are fewer, all
   * @param lane null if that is recorded nowhere
   */
  void take(int requests, long now, @Nullable LatencyLane lane) {
    int left = Math.min(requests, size);
    size -= left;
    while (left > 0) {
      int of = Math.min(left, firstCount);
      if (lane != null) {
        lane.record(now - firstNanos, of);
      }
      left -= of;
      firstCount -= of;
      if (firstCount == 0 && reads > 0) {
        firstNanos = nanos[begin];
        firstCount = counts[begin];
        begin = at(1);
        reads--;
      }
    }
  }

  /** Has all requests count from now on: they have waited for elements, not for the member. */
  void restart(long now) {
    firstNanos = now;
    for (int i = 0; i < reads; i++) {
      nanos[at(i)] = now;
    }
  }

  /** Gives memory back that is not needed. */
  void trim() {
    if (reads == 0 && nanos.length > 0) {
      nanos = NO_TIMES;
      counts = NO_COUNTS;
      begin = 0;
    }
  }
}
