package io.keyvalueserve.journal;

import org.jspecify.annotations.Nullable;

/**
 * The state of one appending thread: its claim, and checksums over each stream's memory. It is kept
 * with the thread, so an append allocates nothing.
 */
final class Appender {
  private final @Nullable FrameCrc[] crcs;

  /**
   * The place of the claimed frame in memory, and in the next fields in the stream's buffer and in
   * the log.
   */
  long address;

  int index;
  long position;

  Appender(int streams) {
    crcs = new FrameCrc[streams];
  }

  FrameCrc crc(Stream stream) {
    FrameCrc crc = crcs[stream.index];
    if (crc == null) {
      crc = new FrameCrc(stream.buffer());
      crcs[stream.index] = crc;
    }
    return crc;
  }
}
