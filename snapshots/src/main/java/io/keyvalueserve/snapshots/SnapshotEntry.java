package io.keyvalueserve.snapshots;

import java.util.Arrays;

/**
 * An entry of a map. Arrays are not copied; nobody may change them. The caller gives the numbers
 * their meaning.
 *
 * @param ttlMillis the time to live
 * @param maxIdleMillis the longest time without a use
 * @param expiresAtMillis the instant at which the entry expires
 */
public record SnapshotEntry(
    byte[] key, byte[] value, long ttlMillis, long maxIdleMillis, long expiresAtMillis)
    implements Comparable<SnapshotEntry> {

  /** Compares keys as unsigned bytes, then all else. */
  @Override
  public int compareTo(SnapshotEntry other) {
    int order = Arrays.compareUnsigned(key, other.key);
    if (order == 0) {
      order = Arrays.compareUnsigned(value, other.value);
    }
    if (order == 0) {
      order = Long.compare(ttlMillis, other.ttlMillis);
    }
    if (order == 0) {
      order = Long.compare(maxIdleMillis, other.maxIdleMillis);
    }
    return order == 0 ? Long.compare(expiresAtMillis, other.expiresAtMillis) : order;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotEntry entry && compareTo(entry) == 0;
  }

  @Override
  public int hashCode() {
    int hash = 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
    hash = 31 * hash + Long.hashCode(ttlMillis);
    hash = 31 * hash + Long.hashCode(maxIdleMillis);
    return 31 * hash + Long.hashCode(expiresAtMillis);
  }

  /** Returns the sizes and the times, without any content. */
  @Override
  public String toString() {
    return "SnapshotEntry[key="
        + key.length
        + " bytes, value="
        + value.length
        + " bytes, ttl="
        + ttlMillis
        + ", maxIdle="
        + maxIdleMillis
        + ", expiresAt="
        + expiresAtMillis
        + "]";
  }

  /** Returns the bytes of this entry in a chunk. */
  long encodedBytes() {
    return ByteWriter.lengthOfUnsigned(key.length)
        + (long) key.length
        + ByteWriter.lengthOfUnsigned(value.length)
        + (long) value.length
        + ByteWriter.lengthOf(ttlMillis)
        + ByteWriter.lengthOf(maxIdleMillis)
        + ByteWriter.lengthOf(expiresAtMillis);
  }

  void writeTo(ByteWriter bytes) {
    bytes.writeBytes(key);
    bytes.writeBytes(value);
    bytes.writeLong(ttlMillis);
    bytes.writeLong(maxIdleMillis);
    bytes.writeLong(expiresAtMillis);
  }

  static SnapshotEntry readFrom(ByteReader bytes) {
    return new SnapshotEntry(
        bytes.readBytes(), bytes.readBytes(), bytes.readLong(), bytes.readLong(), bytes.readLong());
  }
}
