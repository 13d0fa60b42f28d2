package io.keyvalueserve.bench;

import java.util.Locale;

/** How much harm a single input may try to do. Loops and counts of the load are bounded by it. */
enum HostileForce {
  /** Each input costs a server that does not bound it some megabytes or milliseconds. */
  MODERATE(1 << 18, 12, 1 << 20),
  /** Each input would end a server that does not bound it. */
  FULL(Integer.MAX_VALUE, 100, 16 << 20);

  private final int claim;
  private final int depth;
  private final int floodBytes;

  HostileForce(int claim, int depth, int floodBytes) {
    this.claim = claim;
    this.depth = depth;
    this.floodBytes = floodBytes;
  }

  /** The greatest number of elements or bytes that an input names without having them. */
  int claim() {
    return claim;
  }

  /** How deep values are nested in each other. */
  int depth() {
    return depth;
  }

  /** The most bytes that are sent on a connection whose answers are not read. */
  int floodBytes() {
    return floodBytes;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
