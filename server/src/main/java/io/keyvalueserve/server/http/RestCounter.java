package io.keyvalueserve.server.http;

/**
 * Counts what all tenants did that have no series of their own. It never goes back: neither when a
 * tenant gets its own series or is deleted, nor when one loses it. Not thread-safe.
 */
final class RestCounter {
  private long carried;
  private long shown;

  /**
   * Takes the present sum of the counters of all tenants without series of their own.
   *
   * @return what is to be shown
   */
  long update(long sum) {
    long next = sum + carried;
    if (next < shown) { // somebody's part of it has gone elsewhere
      carried += shown - next;
    }
    shown = sum + carried;
    return shown;
  }

  /** Returns what is to be shown. */
  long shown() {
    return shown;
  }

  /** Notes that a counter is part of the next sum that was shown by itself until now. */
  void joins(long count) {
    carried -= count;
  }
}
