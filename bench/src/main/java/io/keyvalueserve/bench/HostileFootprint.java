package io.keyvalueserve.bench;

/**
 * Resources of a member at one moment.
 *
 * @param heapBytes alive on its Java heap, after it has collected all garbage
 * @param directBytes direct buffers and other memory that Java code has allocated off the heap,
 *     without that of entries
 * @param openFiles files and connections
 * @param threads of the operating system
 * @param residentBytes its memory as the operating system sees it
 */
record HostileFootprint(
    long heapBytes, long directBytes, int openFiles, int threads, long residentBytes) {
  /** Measures a member. */
  static HostileFootprint of(ServerProcess process) {
    return new HostileFootprint(
        process.liveHeapBytes(),
        process.directBytes(),
        process.openFiles(),
        process.threads(),
        process.residentBytes());
  }

  /** Returns whether nothing is above what it was before by more than the slack. */
  boolean isBackAt(HostileFootprint before) {
    return heapBytes - before.heapBytes <= HostileGoals.HEAP_SLACK
        && directBytes - before.directBytes <= HostileGoals.DIRECT_SLACK
        && openFiles - before.openFiles <= HostileGoals.FILES_SLACK;
  }
}
