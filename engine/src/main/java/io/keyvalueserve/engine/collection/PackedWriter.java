package io.keyvalueserve.engine.collection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Writes a packed collection of a size that is known, behind its headroom. */
final class PackedWriter {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] bytes;
  private int at = CollectionValue.HEADROOM;

  /**
   * @param length of what is to be written, in bytes
   */
  PackedWriter(long length) {
    if (length > Integer.MAX_VALUE - 64) {
      throw new CollectionTooLargeException(length);
    }
    this.bytes = new byte[CollectionValue.HEADROOM + (int) length];
  }

  /** The bytes that a byte string takes with its length. */
  static int size(int length) {
    return length + sizeOfLength(length);
  }

  private static int sizeOfLength(int length) {
    return length == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(length)) / 7;
  }

  PackedWriter writeByte(int value) {
    bytes[at++] = (byte) value;
    return this;
  }

  PackedWriter writeInt(int value) {
    INT.set(bytes, at, value);
    at += Integer.BYTES;
    return this;
  }

  PackedWriter writeLong(long value) {
    LONG.set(bytes, at, value);
    at += Long.BYTES;
    return this;
  }

  PackedWriter writeDouble(double value) {
    return writeLong(Double.doubleToRawLongBits(value));
  }

  PackedWriter writeBytes(Bytes value) {
    int rest = value.length();
    while (rest >= 0x80) {
      writeByte(rest | 0x80);
      rest >>>= 7;
    }
    writeByte(rest);
    return copy(value.array(), value.offset(), value.length());
  }

  /** Copies what is packed already. */
  PackedWriter copy(byte[] from, int offset, int length) {
    System.arraycopy(from, offset, bytes, at, length);
    at += length;
    return this;
  }

  CollectionValue finish(CollectionType type) {
    if (at != bytes.length) {
      throw new IllegalStateException("a packed collection has another length than was computed");
    }
    return CollectionValue.behindHeadroom(type, bytes);
  }
}
