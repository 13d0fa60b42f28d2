package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads a packed collection from front to back. Whatever the bytes are, it ends within them: what
 * does not fit throws {@link CorruptCollectionException}.
 */
final class PackedReader {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private final int end;
  private int at;

  PackedReader(CollectionValue value) {
    this(value.bytes(), value.offset(), value.offset() + value.length());
  }

  PackedReader(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  /** Where it reads next. */
  int at() {
    return at;
  }

  /** Ends the reading: there must be nothing behind. */
  void end() {
    if (at != end) {
      throw new CorruptCollectionException("there are bytes behind the last element");
    }
  }

  int readByte() {
    need(1);
    return bytes[at++] & 0xFF;
  }

  /** A count of elements, each of which takes some bytes at least. */
  int count(int fewestBytes) {
    need(Integer.BYTES);
    int count = (int) INT.get(bytes, at);
    at += Integer.BYTES;
    if (count < 0 || count > (end - at) / fewestBytes) {
      throw new CorruptCollectionException("a count is beyond the bytes");
    }
    return count;
  }

  long readLong() {
    need(Long.BYTES);
    long value = (long) LONG.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  double readDouble() {
    return Double.longBitsToDouble(readLong());
  }

  /**
   * Reads a length and passes over so many bytes, which begin at {@link #at} less the length.
   *
   * @return the length
   */
  int skipBytes() {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int b = readByte();
      if (shift == 28 && b > 7) {
        throw new CorruptCollectionException("a length is beyond the bytes");
      }
      length |= (b & 0x7F) << shift;
      if (b < 0x80) {
        break;
      }
    }
    need(length);
    at += length;
    return length;
  }

  /** A byte string, in the array where it lies. */
  Bytes readBytes() {
    int length = skipBytes();
    return new Bytes(bytes, at - length, length);
  }

  private void need(int count) {
    if (count > end - at) {
      throw new CorruptCollectionException("a packed collection ends too early");
    }
  }
}
