package io.keyvalueserve.engine.collection;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of an array, equal to others by content, in the order of unsigned bytes. The array is not
 * changed by anyone.
 */
public final class Bytes implements Comparable<Bytes> {
  private final byte[] array;
  private final int offset;
  private final int length;

  /** A range. */
  public Bytes(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  /** A whole array. */
  public static Bytes of(byte[] array) {
    return new Bytes(array, 0, array.length);
  }

  /** The array that it lies in: only to be read. */
  public byte[] array() {
    return array;
  }

  /** Where it begins in its array. */
  public int offset() {
    return offset;
  }

  /** Its length, in bytes. */
  public int length() {
    return length;
  }

  /** Its content: a copy, unless it is a whole array. */
  public byte[] toArray() {
    return offset == 0 && length == array.length
        ? array
        : Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Returns whether it has the content of a range of an array. */
  boolean matches(byte[] other, int otherOffset, int otherLength) {
    return length == otherLength
        && Arrays.equals(
            array, offset, offset + length, other, otherOffset, otherOffset + otherLength);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes bytes && matches(bytes.array, bytes.offset, bytes.length);
  }

  /** Mixed, so that names of a pattern do not fall together. */
  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash * 0x9E3779B9;
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }
}
