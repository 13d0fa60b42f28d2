package io.keyvalueserve.bench;

/**
 * What a server takes of the machine.
 *
 * @param residentBytes its memory as the operating system sees it; that of connections in the
 *     kernel is not in it
 * @param liveHeapBytes what is alive on its Java heap; 0 if it has none
 * @param openFiles files and connections
 */
record Footprint(long residentBytes, long liveHeapBytes, int openFiles) {
  /**
   * As of now, after it collected all garbage.
   *
   * @param java whether it runs on a JVM
   */
  static Footprint of(ServerProcess server, boolean java) {
    long live = java ? server.liveHeapBytes() : 0;
    return new Footprint(server.residentBytes(), live, server.openFiles());
  }

  /** How much more resident memory it is than before, for each of so many connections. */
  double residentSince(Footprint before, int connections) {
    return (double) (residentBytes - before.residentBytes) / connections;
  }

  /** How much more lives on the heap than before, for each of so many connections. */
  double liveHeapSince(Footprint before, int connections) {
    return (double) (liveHeapBytes - before.liveHeapBytes) / connections;
  }
}
