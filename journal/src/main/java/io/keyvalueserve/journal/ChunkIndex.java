package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The index of a chunk that is being written: for each frame its header, with the frame's offset in
 * the place of the checksum, and then its key, or all of its payload if that is a reference to a
 * blob; each entry at a multiple of 8. For one thread.
 *
 * <p>An index is worth its space when values are larger than keys. When it passes its limit, or is
 * on the way to, it is given up, and whoever wants the keys reads the whole chunk.
 */
final class ChunkIndex implements AutoCloseable {
  private static final int FIRST_BYTES = 64 << 10;

  /** The size of an index from which on its present share of the chunk predicts the final one. */
  private static final int TELLING_BYTES = 512 << 10;

  private final long mostBytes;
  private final int share;
  private long covered; // of the chunk
  private AlignedMemory memory = AlignedMemory.allocate(FIRST_BYTES);
  private int bytes;
  private boolean givenUp;

  /**
   * An empty index.
   *
   * @param share it may take this part of the chunk: 4 for a quarter
   */
  ChunkIndex(long chunkBytes, int share) {
    this.share = share;
    this.mostBytes = Math.min(chunkBytes / share, Integer.MAX_VALUE / 2);
  }

  /** Notes a frame, unless the index was given up. */
  void add(long frame, int offset) {
    if (givenUp || Frames.isFiller(Frames.type(frame))) {
      return;
    }
    int entry = entryBytes(frame);
    covered += Frames.space(frame);
    if (bytes + entry > mostBytes || (bytes > TELLING_BYTES && (long) bytes * share > covered)) {
      givenUp = true;
      return;
    }
    require(entry);
    bytes += write(frame, offset, memory.address() + bytes);
  }

  /**
   * Writes the entry of a frame.
   *
   * @param offset of the frame in its chunk
   * @param to where there is room for {@link #entryBytes}
   * @return how long it is
   */
  static int write(long frame, int offset, long to) {
    int entry = entryBytes(frame);
    Memory.putLong(to + entry - Long.BYTES, 0); // what fills the entry up; the rest is written over
    Memory.copy(frame, to, Frames.HEADER_BYTES);
    Frames.putIndexedOffset(to, offset);
    long from = frame + Frames.HEADER_BYTES + (Frames.isBlob(frame) ? 0 : Frames.keyOffset(frame));
    Memory.copy(from, to + Frames.HEADER_BYTES, bodyBytes(frame));
    return entry;
  }

  private void require(int more) {
    if (bytes + more > memory.bytes()) {
      AlignedMemory larger =
          AlignedMemory.allocate(Math.max(2 * memory.bytes(), (long) bytes + more));
      Memory.copy(memory.address(), larger.address(), bytes);
      memory.close();
      memory = larger;
    }
  }

  boolean isGivenUp() {
    return givenUp;
  }

  long address() {
    return memory.address();
  }

  int bytes() {
    return bytes;
  }

  @Override
  public void close() {
    memory.close();
  }

  /**
   * Returns the offsets of entries that follow each other in memory, or null if they are not valid.
   */
  static int @Nullable [] offsets(long address, int bytes) {
    int[] offsets = new int[bytes / Frames.HEADER_BYTES];
    int count = 0;
    for (int at = 0; at < bytes; ) {
      int entry = at + Frames.HEADER_BYTES <= bytes ? entryBytes(address + at) : 0;
      if (entry < Frames.HEADER_BYTES
          || entry > bytes - at
          || Frames.length(address + at) < Frames.HEADER_BYTES
          || !Frames.isMeaningful(address + at, Frames.type(address + at))) {
        return null;
      }
      offsets[count++] = at;
      at += entry;
    }
    return Arrays.copyOf(offsets, count);
  }

  /** Returns the length of a frame's entry. For the frame and for its entry the result is equal. */
  static int entryBytes(long frame) {
    return Frames.HEADER_BYTES + Frames.aligned(bodyBytes(frame));
  }

  private static int bodyBytes(long frame) {
    return Frames.isBlob(frame) ? Frames.payloadLength(frame) : Frames.keyLength(frame);
  }
}
