package io.keyvalueserve.memory;

/**
 * The use of memory for blocks, in bytes.
 *
 * @param held all pages taken from the heap
 * @param cached of these, empty pages kept for the next slab
 * @param blocks blocks in use, with what rounding up costs
 * @param requested what was asked for
 * @param limbo blocks that wait for readers; counted in blocks and requested too
 */
public record SlabReport(long held, long cached, long blocks, long requested, long limbo) {
  /** The report of no blocks at all. */
  static final SlabReport NONE = new SlabReport(0, 0, 0, 0, 0);

  SlabReport plus(SlabReport other) {
    return new SlabReport(
        held + other.held,
        cached + other.cached,
        blocks + other.blocks,
        requested + other.requested,
        limbo + other.limbo);
  }

  /** Internal fragmentation: the part of blocks in use that nobody asked for, 0 to 1. */
  public double internalFragmentation() {
    return blocks == 0 ? 0 : 1 - (double) requested / blocks;
  }

  /** External fragmentation within slabs: the part of their pages that is not in use, 0 to 1. */
  public double slabFragmentation() {
    long slabs = held - cached;
    return slabs == 0 ? 0 : 1 - (double) blocks / slabs;
  }
}
