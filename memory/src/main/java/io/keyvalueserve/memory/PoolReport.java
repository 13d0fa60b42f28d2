package io.keyvalueserve.memory;

import java.io.Serializable;

/**
 * The figures of one pool at one moment.
 *
 * @param name the pool's name
 * @param kind what it is made of, in a word or two, as {@code dram} or {@code numa}
 * @param detail what is worth knowing beyond the kind, as the directory of a file; may be empty
 * @param node the NUMA node of all its pages, -1 when unknown or more than one
 * @param capacityBytes bytes it may hold
 * @param usedBytes bytes of the pages that are acquired
 * @param residentBytes bytes of the pages that were touched and not returned to the OS since
 * @param returnedBytes bytes returned to the OS since open, in all
 * @param largestFreeRunBytes bytes of the longest run that could be acquired
 */
public record PoolReport(
    String name,
    String kind,
    String detail,
    int node,
    long capacityBytes,
    long usedBytes,
    long residentBytes,
    long returnedBytes,
    long largestFreeRunBytes)
    implements Serializable {

  /** Returns the bytes that are free, in runs of any length. */
  public long freeBytes() {
    return capacityBytes - usedBytes;
  }

  /**
   * Returns the external fragmentation, 0 to 1: the part of the free bytes that is outside the
   * largest free run. A full pool is not fragmented.
   */
  public double externalFragmentation() {
    long free = freeBytes();
    return free == 0 ? 0 : 1 - (double) largestFreeRunBytes / free;
  }
}
