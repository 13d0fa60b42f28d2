package io.keyvalueserve.snapshots;

import java.util.Arrays;

/** A growing array of bytes with numbers of variable length. */
final class ByteWriter {
  private byte[] bytes;
  private int size;

  ByteWriter(int capacity) {
    bytes = new byte[capacity];
  }

  /** Returns the bytes that {@link #writeLong} takes for a number. */
  static int lengthOf(long number) {
    return lengthOfUnsigned(zigZag(number));
  }

  /** Returns the bytes that {@link #writeUnsigned} takes for a number. */
  static int lengthOfUnsigned(long number) {
    return (63 - Long.numberOfLeadingZeros(number | 1)) / 7 + 1;
  }

  private static long zigZag(long number) {
    return (number << 1) ^ (number >> 63);
  }

  int size() {
    return size;
  }

  void writeByte(int value) {
    need(1);
    bytes[size++] = (byte) value;
  }

  void writeInt(int value) {
    need(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >> shift);
    }
  }

  /** Writes a number in 1 to 10 bytes; those near zero take fewest. */
  void writeLong(long number) {
    writeUnsigned(zigZag(number));
  }

  /** Writes a number as unsigned in 1 to 10 bytes. */
  void writeUnsigned(long number) {
    need(10);
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Writes the length, then the bytes. */
  void writeBytes(byte[] source) {
    writeUnsigned(source.length);
    need(source.length);
    System.arraycopy(source, 0, bytes, size, source.length);
    size += source.length;
  }

  /** Returns the array itself, of which {@link #size} bytes are written. */
  byte[] array() {
    return bytes;
  }

  /** Returns the bytes in an array of their size, without a copy if it is full. */
  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }

  private void need(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.addExact(size, Math.max(more, size)));
    }
  }
}
