package io.keyvalueserve.journal;

/**
 * The entries of one partition in an index that is sorted by partition, and those that name maps,
 * which are elsewhere in memory.
 *
 * @param chunk the index's
 * @param namesAt where in memory the entries are that name maps
 * @param nameOffsets where each of them is from there
 * @param entries where the partition's are
 * @param offsets where each of them is from there, in the order in which they were appended
 */
record IndexRun(long chunk, long namesAt, int[] nameOffsets, long entries, int[] offsets)
    implements SortedFrames {
  @Override
  public boolean isIndex() {
    return true;
  }

  @Override
  public boolean isCounted() {
    return true;
  }

  @Override
  public int names() {
    return nameOffsets.length;
  }

  @Override
  public int name(int n) {
    return ~nameOffsets[n]; // below 0, as the partition's own begin there
  }

  @Override
  public int frame(int n) {
    return offsets[n];
  }

  @Override
  public long address(int offset) {
    return offset < 0 ? namesAt + ~offset : entries + offset;
  }

  @Override
  public long position(int offset) {
    return Position.of(chunk, Integer.toUnsignedLong(Frames.indexedOffset(address(offset))));
  }
}
