package io.keyvalueserve.bench;

import java.util.function.LongSupplier;

/**
 * The memory that elements of a type take at one server.
 *
 * @param server its name
 * @param type of the collections
 * @param elements how many there are
 * @param payloadBytes what a client has given for one
 * @param overheadBytes what one takes above that: at this product off the heap and alive on it, at
 *     others of resident memory
 * @param residentBytes by how much resident memory has grown, for each
 */
record TypeMemory(
    String server,
    String type,
    int elements,
    int payloadBytes,
    double overheadBytes,
    double residentBytes) {
  /**
   * The weight of a server.
   *
   * @param held by what it stores
   * @param resident as the operating system sees it
   */
  record Weight(long held, long resident) {
    /**
     * Weighs a server now.
     *
     * @param offHeap what this product has taken off the heap; negative for another server
     */
    static Weight of(ServerProcess process, LongSupplier offHeap) {
      long off = offHeap.getAsLong();
      long live = off < 0 ? 0 : process.liveHeapBytes();
      long resident = process.residentBytes();
      return new Weight(off < 0 ? resident : off + live, resident);
    }
  }

  /** Returns the memory that elements have added. */
  static TypeMemory of(String server, TypeData data, int elements, Weight before, Weight after) {
    return new TypeMemory(
        server,
        data.title,
        elements,
        data.payload,
        (double) (after.held - before.held) / elements - data.payload,
        (double) (after.resident - before.resident) / elements);
  }
}
