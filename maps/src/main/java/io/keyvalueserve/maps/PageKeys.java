package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The keys of pages: byte arrays with the number of the page and the key of its collection. A page
 * lies in the partition of its collection, and no collection has the pages of another.
 *
 * <pre>
 *   0                4          8          12       20
 *   +----------------+----------+----------+--------+------- - -
 *   | partition hash |   -12    |  length  | number | key: type and whatever follows
 *   +----------------+----------+----------+--------+------- - -
 * </pre>
 */
public final class PageKeys {
  private static final int NUMBER = HeapData.DATA_OFFSET + Integer.BYTES;
  private static final int KEY = NUMBER + Long.BYTES;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private PageKeys() {}

  /** Returns the key of a page of a collection. */
  public static Data of(Data collection, long number) {
    byte[] key = collection.toByteArray();
    int keyBytes = key.length - HeapData.TYPE_OFFSET;
    byte[] payload = new byte[KEY + keyBytes];
    INT.set(payload, HeapData.PARTITION_HASH_OFFSET, collection.getPartitionHash());
    INT.set(payload, HeapData.TYPE_OFFSET, SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY);
    INT.set(payload, HeapData.DATA_OFFSET, Long.BYTES + keyBytes);
    LONG.set(payload, NUMBER, number);
    System.arraycopy(key, HeapData.TYPE_OFFSET, payload, KEY, keyBytes);
    return new HeapData(payload);
  }

  /** Returns the key of the collection that a page belongs to, without a partition hash. */
  public static Data collection(Data page) {
    byte[] payload = page.toByteArray();
    byte[] key = new byte[HeapData.TYPE_OFFSET + payload.length - KEY];
    System.arraycopy(payload, KEY, key, HeapData.TYPE_OFFSET, payload.length - KEY);
    return new HeapData(key);
  }

  /** Returns the number of a page. */
  public static long number(Data page) {
    return (long) LONG.get(page.toByteArray(), NUMBER);
  }
}
