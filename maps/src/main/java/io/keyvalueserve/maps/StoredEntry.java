package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import io.keyvalueserve.store.Records;
import org.jspecify.annotations.Nullable;

/**
 * Holds a copy of an entry of a map, as it can be kept elsewhere and restored.
 *
 * @param position where the key comes in scans of its partition: 0 to 2^32 - 1
 * @param key in Hazelcast's serialized form, with the partition hash if it has one of its own
 * @param value in Hazelcast's serialized form; empty for null
 * @param ttlMillis the time to live, in milliseconds; {@link Long#MAX_VALUE} for ever
 * @param maxIdleMillis the idle time, in milliseconds; {@link Long#MAX_VALUE} for none
 * @param expiresAtMillis in milliseconds since 1970; {@link Long#MAX_VALUE} for never
 */
public record StoredEntry(
    long position,
    byte[] key,
    byte[] value,
    long ttlMillis,
    long maxIdleMillis,
    long expiresAtMillis) {
  private static final byte[] NULL = {};

  /**
   * Copies a readable record.
   *
   * @param value its value; null if that is null
   */
  static StoredEntry of(long record, long position, @Nullable Data value) {
    boolean expires = Records.expires(record);
    return new StoredEntry(
        position,
        DataForm.key(record).toByteArray(),
        value == null ? NULL : value.toByteArray(),
        expires ? Records.timeToLive(record) : Long.MAX_VALUE,
        expires ? Records.maxIdle(record) : Long.MAX_VALUE,
        expires ? Records.expiresAt(record) : Long.MAX_VALUE);
  }

  /** Returns about how many bytes of the Java heap it takes. */
  public int bytes() {
    return key.length + value.length + 96;
  }
}
