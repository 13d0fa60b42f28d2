package io.keyvalueserve.maps.index;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;

/**
 * A key as an index keeps it: its serialized bytes without what can be computed.
 *
 * <pre>
 *   form | partition hash, if not 0 | bytes
 *
 *   form bit 0   a partition hash follows
 *   form bit 1   a string: its UTF-8 bytes; else the type and all that follows it
 * </pre>
 *
 * <p>Its first byte is less than 255, so that an index may use that for an end.
 */
final class KeyReference {
  private static final int HASHED = 1;
  private static final int STRING = 2;
  private static final int BODY = HeapData.DATA_OFFSET + Integer.BYTES;

  private KeyReference() {}

  static void put(Data key, CodeWriter out) {
    byte[] payload = key.toByteArray();
    CodeReader in = new CodeReader().over(payload, HeapData.PARTITION_HASH_OFFSET);
    int hash = in.getInt();
    boolean isString =
        in.getInt() == CONSTANT_TYPE_STRING
            && payload.length >= BODY
            && in.getInt() == payload.length - BODY;
    out.put((hash != 0 ? HASHED : 0) | (isString ? STRING : 0));
    if (hash != 0) {
      out.putInt(hash);
    }
    int from = isString ? BODY : HeapData.TYPE_OFFSET;
    out.put(payload, from, payload.length - from);
  }

  /** The key whose reference lies from one place to another. */
  static Data get(byte[] array, int from, int to) {
    byte[] payload = new byte[payloadLength(array, from, to)];
    int _ = copy(array, from, to, payload);
    return new HeapData(payload);
  }

  /** Returns the number of bytes of the serialized key whose reference this is. */
  static int payloadLength(byte[] array, int from, int to) {
    int form = array[from];
    int begin = from + 1 + ((form & HASHED) != 0 ? Integer.BYTES : 0);
    return to - begin + ((form & STRING) != 0 ? BODY : HeapData.TYPE_OFFSET);
  }

  /**
   * Copies the serialized key whose reference this is to the begin of an array with room for it.
   *
   * @return its {@link #payloadLength}
   */
  static int copy(byte[] array, int from, int to, byte[] payload) {
    int form = array[from];
    int begin = from + 1;
    int hash = 0;
    if ((form & HASHED) != 0) {
      hash = CodeReader.getInt(array, begin);
      begin += Integer.BYTES;
    }
    int length = to - begin;
    boolean isString = (form & STRING) != 0;
    int body = isString ? BODY : HeapData.TYPE_OFFSET;
    CodeWriter.putInt(payload, HeapData.PARTITION_HASH_OFFSET, hash);
    if (isString) {
      CodeWriter.putInt(payload, HeapData.TYPE_OFFSET, CONSTANT_TYPE_STRING);
      CodeWriter.putInt(payload, HeapData.DATA_OFFSET, length);
    }
    System.arraycopy(array, begin, payload, body, length);
    return body + length;
  }
}
