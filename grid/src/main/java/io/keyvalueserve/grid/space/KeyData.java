package io.keyvalueserve.grid.space;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.engine.collection.CollectionValue;
import io.keyvalueserve.maps.CollectionData;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Byte strings in Hazelcast's binary form, built without its serializers, bit for bit as these (and
 * every Hazelcast client) build them:
 *
 * <pre>
 *   0                4          8          12
 *   +----------------+----------+----------+------ - -
 *   | partition hash |   type   |  length  |  bytes
 *   |       0        | -11, -12 |          |
 *   +----------------+----------+----------+------ - -
 * </pre>
 *
 * <p>All numbers are big-endian. A partition hash of 0 stands for "hash the bytes". Type -11 is a
 * string, its bytes are UTF-8; type -12 is a byte array.
 */
final class KeyData {
  /** The offset at which the bytes of a string or a byte array begin. */
  static final int BYTES_OFFSET = HeapData.DATA_OFFSET + Integer.BYTES;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private KeyData() {}

  /** A key: a string if the bytes are UTF-8, else a byte array. */
  static Data ofKey(byte[] key) {
    return of(Utf8.isWellFormed(key) ? CONSTANT_TYPE_STRING : CONSTANT_TYPE_BYTE_ARRAY, key);
  }

  /** A value: a byte array. */
  static Data ofValue(byte[] value) {
    return of(CONSTANT_TYPE_BYTE_ARRAY, value);
  }

  /** A collection, see {@link CollectionData}. */
  static Data ofCollection(CollectionValue value) {
    byte[] payload = value.bytes();
    boolean fits =
        value.offset() == HeapData.DATA_OFFSET
            && payload.length == HeapData.DATA_OFFSET + value.length();
    if (!fits) {
      payload = new byte[HeapData.DATA_OFFSET + value.length()];
      System.arraycopy(
          value.bytes(), value.offset(), payload, HeapData.DATA_OFFSET, value.length());
    }
    INT.set(payload, HeapData.PARTITION_HASH_OFFSET, 0);
    INT.set(payload, HeapData.TYPE_OFFSET, CollectionData.typeId(value.type()));
    return new HeapData(payload);
  }

  /** The collection that a stored value is, or null if it is none. */
  static @Nullable CollectionValue collection(@Nullable Object value) {
    return value instanceof Data data ? CollectionData.collection(data) : null;
  }

  /**
   * The bytes that {@link #ofKey} makes this key of.
   *
   * @return null if there are none: then no byte string can name the key
   */
  static byte @Nullable [] keyBytes(Data key) {
    if (key.hasPartitionHash()) {
      return null; // lies in a partition of its client's choice, where ofKey does not lead
    }
    int type = key.getType();
    if (type == CONSTANT_TYPE_STRING) {
      return bytesOf(key);
    }
    if (type != CONSTANT_TYPE_BYTE_ARRAY) {
      return null;
    }
    byte[] bytes = bytesOf(key);
    return Utf8.isWellFormed(bytes) ? null : bytes;
  }

  /** The bytes of a string or of a byte array. */
  static byte[] bytesOf(Data data) {
    byte[] payload = data.toByteArray();
    return Arrays.copyOfRange(payload, BYTES_OFFSET, payload.length);
  }

  /** Returns the number of bytes that {@link #bytesOf} would return. */
  static int lengthOf(Data data) {
    return data.totalSize() - BYTES_OFFSET;
  }

  private static Data of(int type, byte[] bytes) {
    byte[] payload = new byte[BYTES_OFFSET + bytes.length];
    INT.set(payload, HeapData.TYPE_OFFSET, type);
    INT.set(payload, HeapData.DATA_OFFSET, bytes.length);
    System.arraycopy(bytes, 0, payload, BYTES_OFFSET, bytes.length);
    return new HeapData(payload);
  }
}
