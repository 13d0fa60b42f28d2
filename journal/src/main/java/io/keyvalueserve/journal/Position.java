package io.keyvalueserve.journal;

/**
 * The position of a frame, in one long. Within a partition later frames have greater positions,
 * also over restarts. 0 is no position.
 *
 * <pre>
 *   63                    32 31                             3  2 1 0
 *   +-----------------------+--------------------------------+-------+
 *   | chunk, from 1 on      | offset in the chunk / 8        | 0 0 B |   B: its payload is a blob
 *   +-----------------------+--------------------------------+-------+
 * </pre>
 */
final class Position {
  static final long NONE = 0;

  private static final long BLOB = 1;
  private static final long OFFSET_MASK = 0xFFFF_FFF8L;

  private Position() {}

  static long of(long chunk, long offset) {
    return (chunk << 32) | offset;
  }

  static long ofBlob(long position) {
    return position | BLOB;
  }

  static long chunk(long position) {
    return position >>> 32;
  }

  static long offset(long position) {
    return position & OFFSET_MASK;
  }

  static boolean isBlob(long position) {
    return (position & BLOB) != 0;
  }

  static String text(long position) {
    return "chunk=" + chunk(position) + " offset=" + offset(position);
  }
}
