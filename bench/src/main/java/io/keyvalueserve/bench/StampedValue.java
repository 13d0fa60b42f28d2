package io.keyvalueserve.bench;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A value that says whose it is, so that whoever finds it can tell which write it is from:
 *
 * <pre>
 * | number of the key 8 | sequence of the write 8 | length 4 | CRC32C 4 | noise ... |
 * </pre>
 *
 * <p>All numbers are big-endian. The CRC covers everything else, and before it a salt of the run,
 * so that values of other runs are none of this one. The noise differs from write to write: half of
 * one value and half of another are neither.
 *
 * @param number of the key
 * @param sequence of the write among those of its key
 * @param length of the whole value, in bytes
 */
record StampedValue(long number, long sequence, int length) {
  /** No value is shorter, in bytes. */
  static final int SHORTEST = 24;

  private static final int LENGTH = 16;
  private static final int CRC = 20;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  /** The bytes. */
  byte[] bytes(long salt) {
    ByteBuffer value = ByteBuffer.allocate(length);
    value.putLong(number).putLong(sequence).putInt(length).position(SHORTEST);
    long noise = salt ^ number * STEP ^ Long.reverse(sequence);
    while (value.remaining() >= Long.BYTES) {
      noise = next(noise);
      value.putLong(noise);
    }
    while (value.hasRemaining()) {
      noise = next(noise);
      value.put((byte) noise);
    }
    return value.putInt(CRC, crc(value.array(), salt)).array();
  }

  /**
   * What the bytes say.
   *
   * @throws IllegalArgumentException if they are no whole value of the run with this salt; it says
   *     why
   */
  static StampedValue read(byte[] bytes, long salt) {
    if (bytes.length < SHORTEST) {
      throw new IllegalArgumentException(
          "shorter than any value: length=" + bytes.length + " B, shortest=" + SHORTEST + " B");
    }
    ByteBuffer value = ByteBuffer.wrap(bytes);
    StampedValue stamp = new StampedValue(value.getLong(), value.getLong(), value.getInt(LENGTH));
    if (value.getInt(CRC) != crc(bytes, salt)) {
      throw new IllegalArgumentException(
          "its checksum is wrong; length=" + bytes.length + " B, it says of itself: " + stamp);
    }
    return stamp;
  }

  private static int crc(byte[] bytes, long salt) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
    crc.update(bytes, 0, CRC);
    crc.update(bytes, SHORTEST, bytes.length - SHORTEST);
    return (int) crc.getValue();
  }

  private static long next(long noise) {
    long x = noise ^ noise << 13;
    x ^= x >>> 7;
    return x ^ x << 17;
  }
}
