package io.keyvalueserve.journal;

import io.keyvalueserve.memory.Memory;

/**
 * A frame, as it is in memory and on disk: a header and a payload, at a multiple of 8. Numbers are
 * in the byte order of the machine, little-endian wherever this runs.
 *
 * <pre>
 *   0        4        8      9       10           12          16        24    28           32
 *   +--------+--------+------+-------+------------+-----------+---------+-----+------------+- - - - -
 *   | length | CRC32C | type | flags | key offset | partition | instant | map | key length | payload
 *   +--------+--------+------+-------+------------+-----------+---------+-----+------------+- - - - -
 *
 *   length     of header and payload; the next frame begins at the next multiple of 8
 *   CRC32C     of everything from the type on, xor a salt of chunk, offset and length: a frame that is
 *              whole but not where it was written is not valid
 *   flags      bits 0-3 the key's form, 6 the key is only in the blob, 7 the payload is in a blob
 *   key offset where the key is in the payload
 *   instant    PUT: when it expires, in ms since 1970, 0 if never
 *              CLEAR, DROP: what has a smaller position is gone
 *              SYNC: what has a smaller position in this stream and run was certain
 * </pre>
 *
 * <p>PUT and REMOVE carry a record and a key; CLEAR ends a map's part in a partition and DROP a
 * partition, and have no payload. MAP says a map's name, in every chunk before the first frame that
 * has its number. SYNC and PAD fill: their CRC is that of the header only. What is shorter than a
 * header is a PAD without one.
 *
 * <p>A payload that is too long for a block of the stream is a file of its own, a <em>blob</em>;
 * the frame's payload is then a reference to it, and the key:
 *
 * <pre>
 *   0      8        12       16           20       24
 *   +------+--------+--------+------------+--------+- - - -
 *   | blob | length | CRC32C | key offset | unused | key
 *   +------+--------+--------+------------+--------+- - - -
 * </pre>
 *
 * <p>All methods take a frame's address.
 */
final class Frames {
  static final int HEADER_BYTES = 32;
  static final int ALIGNMENT = 8;
  static final int MOST_KEY_OFFSET = 0xFFFF;
  static final int MOST_KEY_FORM = 0xF;
  static final int BLOB_REFERENCE_BYTES = 24;

  static final int PUT = 1;
  static final int REMOVE = 2;
  static final int CLEAR = 3;
  static final int DROP = 4;
  static final int MAP = 5;
  static final int SYNC = 6;
  static final int PAD = 7;

  static final int KEY_IN_BLOB = 0x40;
  static final int BLOB = 0x80;

  static final int CRC_FROM = 8;

  private static final int CRC = 4;
  private static final int TYPE = 8;
  private static final int FLAGS = 9;
  private static final int PARTITION = 12;
  private static final int INSTANT = 16;
  private static final int MAP_NUMBER = 24;
  private static final int KEY_LENGTH = 28;

  private Frames() {}

  // ---- reading

  static int length(long frame) {
    return Memory.getInt(frame);
  }

  /** Returns the bytes that the frame takes in the chunk. */
  static int space(long frame) {
    return aligned(length(frame));
  }

  static int type(long frame) {
    return length(frame) < HEADER_BYTES ? PAD : Memory.getByte(frame + TYPE);
  }

  static boolean isFiller(int type) {
    return type == PAD || type == SYNC;
  }

  static int flags(long frame) {
    return Memory.getByte(frame + FLAGS) & 0xFF;
  }

  static boolean isBlob(long frame) {
    return (flags(frame) & BLOB) != 0;
  }

  static boolean hasInlineKey(long frame) {
    return (flags(frame) & KEY_IN_BLOB) == 0;
  }

  static int keyOffset(long frame) {
    return Memory.getInt(frame + TYPE) >>> 16;
  }

  static int partition(long frame) {
    return Memory.getInt(frame + PARTITION);
  }

  static long instant(long frame) {
    return Memory.getLong(frame + INSTANT);
  }

  static int map(long frame) {
    return Memory.getInt(frame + MAP_NUMBER);
  }

  static int keyLength(long frame) {
    return Memory.getInt(frame + KEY_LENGTH);
  }

  static int payloadLength(long frame) {
    return length(frame) - HEADER_BYTES;
  }

  static long blob(long frame) {
    return Memory.getLong(frame + HEADER_BYTES);
  }

  static int blobLength(long frame) {
    return Memory.getInt(frame + HEADER_BYTES + 8);
  }

  static int blobCrc(long frame) {
    return Memory.getInt(frame + HEADER_BYTES + 12);
  }

  static int blobKeyOffset(long frame) {
    return Memory.getInt(frame + HEADER_BYTES + 16);
  }

  /**
   * Returns the frame's offset in the chunk, which an entry of a chunk's index has in place of the
   * CRC.
   */
  static int indexedOffset(long entry) {
    return Memory.getInt(entry + CRC);
  }

  // ---- writing

  static void putHeader(
      long frame,
      int type,
      int flags,
      int keyOffset,
      int partition,
      long instant,
      int map,
      int key) {
    Memory.putInt(frame + TYPE, type | (flags << 8) | (keyOffset << 16));
    Memory.putInt(frame + PARTITION, partition);
    Memory.putLong(frame + INSTANT, instant);
    Memory.putInt(frame + MAP_NUMBER, map);
    Memory.putInt(frame + KEY_LENGTH, key);
  }

  static void putBlobReference(long frame, long blob, int length, int crc, int keyOffset) {
    Memory.putLong(frame + HEADER_BYTES, blob);
    Memory.putInt(frame + HEADER_BYTES + 8, length);
    Memory.putInt(frame + HEADER_BYTES + 12, crc);
    Memory.putInt(frame + HEADER_BYTES + 16, keyOffset);
    Memory.putInt(frame + HEADER_BYTES + 20, 0);
  }

  static void putIndexedOffset(long entry, int offset) {
    Memory.putInt(entry + CRC, offset);
  }

  /** Writes the checksum and the length. */
  static void complete(long frame, int length, long position, int crc) {
    Memory.putInt(frame + CRC, crc ^ salt(position, length));
    Memory.putInt(frame, length);
  }

  // ---- validity

  /** Up to where a frame's bytes are checked. */
  static int crcTo(int type, int length) {
    return isFiller(type) ? Math.min(length, HEADER_BYTES) : length;
  }

  /**
   * Returns whether a frame is at an address, whole and as it was written.
   *
   * @param available how many bytes are there, at least 8
   * @param position where it would be in the log
   * @param index where the address is in the buffer of {@code crc}
   */
  static boolean isValid(long frame, int available, long position, FrameCrc crc, int index) {
    int length = length(frame);
    if (length < ALIGNMENT || length > available || aligned(length) > available) {
      return false;
    }
    int type = type(frame);
    int sum = crc.of(index + CRC_FROM, index + crcTo(type, length));
    return (sum ^ salt(position, length)) == Memory.getInt(frame + CRC)
        && isMeaningful(frame, type);
  }

  /**
   * Returns whether a frame that passed the checksum can be read without leaving it, whoever wrote
   * it. It may be a frame or its entry in an index, whose length was checked.
   */
  static boolean isMeaningful(long frame, int type) {
    if (length(frame) < HEADER_BYTES) {
      return true;
    }
    int payload = payloadLength(frame);
    int key = keyLength(frame);
    if (partition(frame) < 0 || key < 0) {
      return false;
    }
    return switch (type) {
      case PUT, REMOVE -> {
        if (isBlob(frame) && payload < BLOB_REFERENCE_BYTES) {
          yield false;
        }
        if (isBlob(frame) && (blobLength(frame) < 0 || blobKeyOffset(frame) < 0)) {
          yield false;
        }
        if (isBlob(frame) && (long) blobKeyOffset(frame) + key > blobLength(frame)) {
          yield false;
        }
        yield !hasInlineKey(frame) ? isBlob(frame) : (long) keyOffset(frame) + key <= payload;
      }
      case MAP -> !isBlob(frame) && key <= payload;
      case CLEAR, DROP, SYNC, PAD -> true;
      default -> false;
    };
  }

  static int aligned(int length) {
    return (length + ALIGNMENT - 1) & -ALIGNMENT;
  }

  private static int salt(long position, int length) {
    return (int) (((position ^ Long.rotateLeft(length, 40)) * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
