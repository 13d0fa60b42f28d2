package io.keyvalueserve.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checksums of parts of one buffer. For one thread. */
final class FrameCrc {
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer bytes;

  /** Over a buffer whose position and limit are this object's own. */
  FrameCrc(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** The CRC32C of the bytes from one index up to another. */
  int of(int from, int to) {
    crc.reset();
    bytes.limit(to).position(from);
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** The CRC32C of a whole array. */
  static int of(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }
}
