package io.keyvalueserve.engine.rdb;

import static io.keyvalueserve.engine.rdb.BlobReader.require;

import io.keyvalueserve.engine.collection.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A ziplist, as Redis had small collections until 6.2. The format is described in {@code ziplist.c}
 * of Redis 7.0:
 *
 * <pre>
 *   all bytes (4 bytes), place of the last entry (4), entries or 65535 (2), entries, 0xff
 *   entry: length of the entry before (1 byte below 254; or 254 and 4 bytes), encoding, content
 * </pre>
 *
 * <p>Everything in it that says the same twice is compared, as Redis does when it converts one.
 */
final class Ziplist implements ElementSource {
  private static final int LENGTH_BYTES = 2;
  private static final int UNKNOWN_COUNT = 0xffff;
  private static final int LONG_PREVIOUS = 254;

  /** The first two bits of an encoding that is a string's. */
  private static final int STRING_SHIFT = 6;

  private static final int STRING_MASK = 0x3f;

  private static final int INTEGER_OF_2_BYTES = 0xc0;
  private static final int INTEGER_OF_4_BYTES = 0xd0;
  private static final int INTEGER_OF_8_BYTES = 0xe0;
  private static final int INTEGER_OF_3_BYTES = 0xf0;
  private static final int INTEGER_OF_1_BYTE = 0xfe;

  /** From here to 0xfd the encoding is the integer itself: 0 to 12. */
  private static final int FIRST_IMMEDIATE = 0xf1;

  private static final int LAST_IMMEDIATE = 0xfd;

  private final BlobReader in;
  private final long tail;
  private final long declared;
  private long count;
  private int lastAt;
  private long lastLength;

  Ziplist(byte[] bytes) throws RdbException {
    this.in = new BlobReader(bytes);
    require(in.little(Integer.BYTES) == bytes.length);
    this.tail = in.little(Integer.BYTES);
    this.declared = in.little(LENGTH_BYTES);
    this.lastAt = in.at();
  }

  @Override
  public @Nullable Bytes next() throws RdbException {
    int start = in.at();
    int previous = in.next();
    if (previous == BlobReader.TERMINATOR) {
      require(in.left() == 0);
      require(declared == UNKNOWN_COUNT || declared == count);
      require(tail == lastAt);
      return null;
    }
    require(lastLength == (previous == LONG_PREVIOUS ? in.little(Integer.BYTES) : previous));
    Bytes content = content(in.next());
    count++;
    lastAt = start;
    lastLength = (long) in.at() - start;
    return content;
  }

  private Bytes content(int encoding) throws RdbException {
    switch (encoding >> STRING_SHIFT) {
      case 0 -> {
        return in.range(encoding);
      }
      case 1 -> {
        return in.range(((encoding & STRING_MASK) << Byte.SIZE) | in.next());
      }
      case 2 -> {
        return in.range(in.big(Integer.BYTES));
      }
      default -> {}
    }
    if (encoding >= FIRST_IMMEDIATE && encoding <= LAST_IMMEDIATE) {
      return BlobReader.text(encoding - FIRST_IMMEDIATE);
    }
    return in.integer(
        switch (encoding) {
          case INTEGER_OF_1_BYTE -> 1;
          case INTEGER_OF_2_BYTES -> 2;
          case INTEGER_OF_3_BYTES -> 3;
          case INTEGER_OF_4_BYTES -> 4;
          case INTEGER_OF_8_BYTES -> 8;
          default -> throw new RdbException("an entry of no known encoding");
        });
  }
}
