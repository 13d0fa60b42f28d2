package io.keyvalueserve.bench;

/**
 * What one storm did to one server.
 *
 * @param server the contender's name
 * @param round from 1
 * @param java whether the server has a Java heap
 * @param before the storm, warmed up
 * @param opened with all connections open, after they were active
 * @param closed after all were closed
 * @param closedNanos from when they were closed until the server had closed them, too, or the bench
 *     waited no longer
 * @param healthy whether it was ready afterwards, and answered a new connection
 */
record StormResult(
    StormShape shape,
    String server,
    int round,
    boolean java,
    Opening opening,
    Activity activity,
    Footprint before,
    Footprint opened,
    Footprint closed,
    long closedNanos,
    boolean healthy) {

  /** Resident memory for each open connection, in bytes. */
  double residentBytesEach() {
    return opened.residentSince(before, opening.answered());
  }

  /** Live heap for each open connection, in bytes. */
  double heapBytesEach() {
    return opened.liveHeapSince(before, opening.answered());
  }

  /** Resident memory that is not given back, for each connection there was, in bytes. */
  double residentBytesKept() {
    return closed.residentSince(before, opening.answered());
  }

  /** Live heap that stays after all are closed, for each connection there was, in bytes. */
  double heapBytesKept() {
    return closed.liveHeapSince(before, opening.answered());
  }

  /** How many more files and connections the server has open than before. */
  int filesKept() {
    return closed.openFiles() - before.openFiles();
  }

  /** The name of its row. */
  String label() {
    return server + (round == 1 ? "" : " (" + round + ")");
  }
}
