package io.keyvalueserve.bench;

/**
 * What a server is started again with.
 *
 * @param data that it has
 * @param cores that it may use: as many partition threads and loaders does this product take
 * @param cold whether the page cache had been dropped
 */
record RestartShape(RestartData data, int cores, boolean cold) {
  @Override
  public String toString() {
    return data
        + ", "
        + cores
        + (cores == 1 ? " core, " : " cores, ")
        + (cold ? "cold" : "warm")
        + " cache";
  }
}
