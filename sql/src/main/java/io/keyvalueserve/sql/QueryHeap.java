package io.keyvalueserve.sql;

/** Bounds the heap that statements of a tenant keep at this member together. Thread-safe. */
public interface QueryHeap {
  /**
   * Takes heap.
   *
   * @return false if the tenant would have more than its bound; nothing is taken then
   */
  boolean take(int tenant, long bytes);

  /** Gives back heap that was taken. */
  void give(int tenant, long bytes);

  /** Returns the tenant's bound, in bytes. */
  long bound(int tenant);

  /** Returns a bound that is the same for each tenant. */
  static QueryHeap bounded(long bytes) {
    return new BoundedHeap(bytes);
  }
}
