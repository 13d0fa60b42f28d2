package io.keyvalueserve.bench;

/** Loads of servers by their shapes. Its text says what servers are filled with. */
interface Loads {
  /** Writes all that a load needs to be there. */
  void fill(Contender server);

  /**
   * Connects, loads a server, and closes.
   *
   * @param seed of what is drawn
   * @param leadNanos how long before what is seen counts
   * @param nanos how long it counts
   * @throws BenchException that says which server and which load failed, and why
   */
  Window once(Contender server, Shape shape, int seed, long leadNanos, long nanos);
}
