package io.keyvalueserve.grid.snapshot;

import java.util.Arrays;

/**
 * A serialized key, to be compared with others.
 *
 * @param bytes are not copied; nobody may change them
 */
record EntryBytes(byte[] bytes) implements Comparable<EntryBytes> {
  /** The one before all others. */
  static final EntryBytes FIRST = new EntryBytes(new byte[0]);

  @Override
  public int compareTo(EntryBytes other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntryBytes key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "EntryBytes[" + bytes.length + " bytes]";
  }
}
