package io.keyvalueserve.engine.rdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.keyvalueserve.engine.collection.Bytes;

/**
 * Reads numbers and ranges of a string that is a packed collection of Redis, and never beyond it.
 *
 * <p>For one thread.
 */
final class BlobReader {
  /** The byte behind the last element of a ziplist, a listpack and a zipmap. */
  static final int TERMINATOR = 0xff;

  private final byte[] bytes;
  private int at;

  /**
   * @param bytes not changed by anyone
   */
  BlobReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns where it reads next. */
  int at() {
    return at;
  }

  /** Returns the number of bytes that are left. */
  int left() {
    return bytes.length - at;
  }

  /** Returns the next byte, 0 to 255, and stays before it. */
  int peek() throws RdbException {
    require(at < bytes.length);
    return bytes[at] & 0xff;
  }

  /** Reads a byte: 0 to 255. */
  int next() throws RdbException {
    require(at < bytes.length);
    return bytes[at++] & 0xff;
  }

  /** Reads an integer without sign, the lowest byte first. */
  long little(int count) throws RdbException {
    require(count <= left());
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = (value << Byte.SIZE) | (bytes[at + i] & 0xff);
    }
    at += count;
    return value;
  }

  /** Reads an integer without sign, the highest byte first. */
  long big(int count) throws RdbException {
    require(count <= left());
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << Byte.SIZE) | next();
    }
    return value;
  }

  /** Reads an integer with its sign, the lowest byte first, and returns its text. */
  Bytes integer(int count) throws RdbException {
    int shift = Long.SIZE - count * Byte.SIZE;
    return text(little(count) << shift >> shift);
  }

  /** Reads a range. */
  Bytes range(long length) throws RdbException {
    require(length >= 0 && length <= left());
    Bytes range = new Bytes(bytes, at, (int) length);
    at += (int) length;
    return range;
  }

  /** Passes over bytes. */
  void skip(long count) throws RdbException {
    require(count >= 0 && count <= left());
    at += (int) count;
  }

  /** Returns the text of an integer. */
  static Bytes text(long value) {
    return Bytes.of(Long.toString(value).getBytes(US_ASCII));
  }

  static void require(boolean holds) throws RdbException {
    if (!holds) {
      throw new RdbException("packed elements that are none");
    }
  }
}
