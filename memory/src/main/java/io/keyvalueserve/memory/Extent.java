package io.keyvalueserve.memory;

/**
 * A contiguous range of mapped memory, aligned to pages on both ends.
 *
 * @param address where it begins
 * @param bytes its length
 */
record Extent(long address, long bytes) {

  long end() {
    return address + bytes;
  }

  int pages() {
    return Math.toIntExact(bytes / PageHeap.PAGE_BYTES);
  }
}
