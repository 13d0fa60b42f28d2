package io.keyvalueserve.bench;

/** A tenant's client that reads through a cache: what is missing it writes. One thread. */
interface HitsClient extends AutoCloseable {
  /**
   * Asks for keys, all at once, and then writes those that were not there.
   *
   * @param keys numbers of keys
   * @return how many were there
   */
  int ask(int[] keys);

  @Override
  void close();
}
