package io.keyvalueserve.journal.spill;

import io.keyvalueserve.journal.AlignedMemory;
import io.keyvalueserve.memory.Memory;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A value on the disk.
 *
 * <pre>
 *   0         4        8        16
 *   +---------+--------+--------+- - - -
 *   | CRC32C  | length | handle | value
 *   +---------+--------+--------+- - - -
 *     of all that follows
 * </pre>
 */
final class SpillFrame {
  static final int HEADER_BYTES = 16;

  private static final int LENGTH = 4;
  private static final int HANDLE = 8;

  private SpillFrame() {}

  /** Returns the bytes that the frame of a value takes. */
  static long bytes(int length) {
    return (long) HEADER_BYTES + length;
  }

  /** Writes a frame into memory. */
  static void put(AlignedMemory memory, int offset, long handle, long value, int length) {
    long frame = memory.address() + offset;
    Memory.putInt(frame + LENGTH, length);
    Memory.putLong(frame + HANDLE, handle);
    Memory.copy(value, frame + HEADER_BYTES, length);
    Memory.putInt(frame, crc(memory, offset, length));
  }

  /** Returns the fault of a frame that was read; empty if nothing is. */
  static String fault(AlignedMemory memory, int offset, long handle, int length) {
    long frame = memory.address() + offset;
    int foundLength = Memory.getInt(frame + LENGTH);
    long foundHandle = Memory.getLong(frame + HANDLE);
    if (foundLength != length || foundHandle != handle) {
      return "expected handle=%016x length=%d found handle=%016x length=%d"
          .formatted(handle, length, foundHandle, foundLength);
    }
    int found = Memory.getInt(frame);
    int crc = crc(memory, offset, length);
    return found == crc ? "" : "expected crc=%08x found crc=%08x".formatted(found, crc);
  }

  private static int crc(AlignedMemory memory, int offset, int length) {
    ByteBuffer bytes = memory.buffer();
    bytes.limit(offset + HEADER_BYTES + length).position(offset + LENGTH);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
