package io.keyvalueserve.journal.sim;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * The bytes of a file: those that programs see, and those that would survive a crash for certain.
 */
final class SimulatedFile {
  static final int SECTOR_BYTES = 512;

  private byte[] seen;
  private int seenBytes;
  private byte[] certain = new byte[0];
  private int certainBytes;
  private final BitSet uncertain = new BitSet();

  SimulatedFile(int bytes) {
    seen = new byte[bytes];
    seenBytes = bytes;
  }

  int size() {
    return seenBytes;
  }

  /** A file that has been made long enough for a write to it. */
  void write(int offset, byte[] bytes) {
    int end = offset + bytes.length;
    if (end > seen.length) {
      seen = Arrays.copyOf(seen, Math.max(end, 2 * seen.length));
    }
    seenBytes = Math.max(seenBytes, end);
    System.arraycopy(bytes, 0, seen, offset, bytes.length);
    if (bytes.length > 0) {
      uncertain.set(offset / SECTOR_BYTES, (end - 1) / SECTOR_BYTES + 1);
    }
  }

  int read(int offset, byte[] to) {
    int length = Math.max(0, Math.min(to.length, seenBytes - offset));
    if (length > 0) {
      System.arraycopy(seen, offset, to, 0, length);
    }
    return length;
  }

  void truncate(int bytes) {
    if (bytes < seenBytes) {
      Arrays.fill(seen, bytes, seenBytes, (byte) 0);
      uncertain.set(bytes / SECTOR_BYTES, (seenBytes - 1) / SECTOR_BYTES + 1);
      seenBytes = bytes;
    }
  }

  void sync() {
    certain = Arrays.copyOf(seen, seenBytes);
    certainBytes = seenBytes;
    uncertain.clear();
  }

  /** Changes a byte on the medium itself. */
  void corrupt(int offset, int xor) {
    seen[offset] ^= (byte) xor;
    if (offset < certainBytes) {
      certain[offset] ^= (byte) xor;
    }
  }

  /**
   * The file after a crash: of what was not certain any part is there, sector by sector.
   *
   * @param keptPercent how likely a sector is kept
   */
  void crash(RandomGenerator random, int keptPercent) {
    int bytes = random.nextInt(100) < keptPercent ? seenBytes : certainBytes;
    byte[] after = Arrays.copyOf(certain, bytes);
    for (int i = uncertain.nextSetBit(0); i >= 0; i = uncertain.nextSetBit(i + 1)) {
      int from = i * SECTOR_BYTES;
      int to = Math.min(Math.min(from + SECTOR_BYTES, bytes), seenBytes);
      if (from < to && random.nextInt(100) < keptPercent) {
        System.arraycopy(seen, from, after, from, to - from);
      }
    }
    seen = after;
    seenBytes = bytes;
    sync();
  }
}
