package io.keyvalueserve.engine.rdb;

import static io.keyvalueserve.engine.rdb.BlobReader.require;

import io.keyvalueserve.engine.collection.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A listpack, as Redis has small collections from 7.0 on. The format is described in {@code
 * listpack.c} of Redis 7.0 and in <a
 * href="https://github.com/antirez/listpack">github.com/antirez/listpack</a>:
 *
 * <pre>
 *   all bytes (4 bytes), entries or 65535 (2), entries, 0xff
 *   entry: encoding, content, length of both, which is read from behind (1 to 5 bytes)
 * </pre>
 *
 * <p>Everything in it that says the same twice is compared, as Redis does when it sanitizes one.
 */
final class Listpack implements ElementSource {
  private static final int LENGTH_BYTES = 2;
  private static final int UNKNOWN_COUNT = 0xffff;

  private static final int INTEGERS_OF_7_BITS = 0x80;
  private static final int SHORT_STRINGS = 0xc0;
  private static final int INTEGERS_OF_13_BITS = 0xe0;
  private static final int MIDDLE_STRINGS = 0xf0;
  private static final int LONG_STRING = 0xf0;
  private static final int INTEGER_OF_2_BYTES = 0xf1;
  private static final int INTEGER_OF_8_BYTES = 0xf4;
  private static final int BITS_13 = 13;

  /** The lengths from which on they take another byte to be read from behind. */
  private static final int[] BACK_LENGTHS = {128, 16_383, 2_097_151, 268_435_455};

  private static final int BACK_BITS = 7;

  private final BlobReader in;
  private final long declared;
  private long count;

  Listpack(byte[] bytes) throws RdbException {
    this.in = new BlobReader(bytes);
    require(in.little(Integer.BYTES) == bytes.length);
    this.declared = in.little(LENGTH_BYTES);
  }

  @Override
  public @Nullable Bytes next() throws RdbException {
    int start = in.at();
    int encoding = in.next();
    if (encoding == BlobReader.TERMINATOR) {
      require(in.left() == 0);
      require(declared == UNKNOWN_COUNT || declared == count);
      return null;
    }
    Bytes content = content(encoding);
    requireBackLength(in.at() - start);
    count++;
    return content;
  }

  private Bytes content(int encoding) throws RdbException {
    if (encoding < INTEGERS_OF_7_BITS) {
      return BlobReader.text(encoding);
    }
    if (encoding < SHORT_STRINGS) {
      return in.range(encoding & 0x3f);
    }
    if (encoding < INTEGERS_OF_13_BITS) {
      int value = ((encoding & 0x1f) << Byte.SIZE) | in.next();
      int shift = Integer.SIZE - BITS_13;
      return BlobReader.text(value << shift >> shift);
    }
    if (encoding < MIDDLE_STRINGS) {
      return in.range(((encoding & 0xf) << Byte.SIZE) | in.next());
    }
    if (encoding == LONG_STRING) {
      return in.range(in.little(Integer.BYTES));
    }
    require(encoding <= INTEGER_OF_8_BYTES);
    int bytes = encoding - INTEGER_OF_2_BYTES + 2;
    return in.integer(encoding == INTEGER_OF_8_BYTES ? Long.BYTES : bytes);
  }

  /** Reads the length behind an entry, 7 bits a byte: the lowest ones last. */
  private void requireBackLength(int length) throws RdbException {
    int bytes = 1;
    for (int from : BACK_LENGTHS) {
      bytes += length >= from ? 1 : 0;
    }
    for (int i = bytes - 1; i >= 0; i--) {
      int bits = (length >>> (i * BACK_BITS)) & 0x7f;
      boolean goesOn = i < bytes - 1;
      require(in.next() == (goesOn ? bits | 0x80 : bits));
    }
  }
}
