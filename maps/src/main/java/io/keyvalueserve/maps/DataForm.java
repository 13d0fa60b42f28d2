package io.keyvalueserve.maps;

import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY;
import static com.hazelcast.internal.serialization.impl.SerializationConstants.CONSTANT_TYPE_STRING;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.impl.HeapData;
import io.keyvalueserve.store.Records;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The forms in which Hazelcast's serialized objects lie in memory: without what can be computed.
 * The forms are written to disk and sent nowhere; their numbers do not change.
 *
 * <pre>
 *   Data:    0                4          8          12
 *            +----------------+----------+----------+------ - -
 *            | partition hash |   type   |  length  |  bytes
 *            +----------------+----------+----------+------ - -
 *
 *   form     is kept
 *   0 raw    from 4: type and whatever follows
 *   1 string from 12: the UTF-8 bytes (type -11)
 *   2 bytes  from 12: the bytes (type -12)
 *   3 null   nothing
 * </pre>
 *
 * <p>A key's partition hash, when it is not 0, is kept apart, as it is not part of a key's identity
 * for Hazelcast either. A value's is dropped: nobody asks for it. All numbers are big-endian.
 */
final class DataForm {
  static final int RAW = 0;
  static final int STRING = 1;
  static final int BYTES = 2;
  static final int NULL = 3;

  /** No serialized object is shorter, in bytes. */
  static final int FEWEST_BYTES = HeapData.DATA_OFFSET;

  private static final int BODY = HeapData.DATA_OFFSET + Integer.BYTES;
  private static final byte[] NOTHING = {};
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private DataForm() {}

  /** The bytes of a serialized object, in Hazelcast's own array: not to be written to. */
  static byte[] payload(@Nullable Data data) {
    byte[] payload = data == null ? null : data.toByteArray();
    return payload == null ? NOTHING : payload;
  }

  /** The form that a payload is kept in. */
  static int of(byte[] payload) {
    return payload.length == 0 ? NULL : of(payload, 0, payload.length);
  }

  /** The form that a payload within an array is kept in; it has {@link #FEWEST_BYTES} at least. */
  static int of(byte[] bytes, int from, int length) {
    if (length < BODY || getInt(bytes, from + HeapData.DATA_OFFSET) != length - BODY) {
      return RAW;
    }
    return switch (type(bytes, from)) {
      case CONSTANT_TYPE_STRING -> STRING;
      case CONSTANT_TYPE_BYTE_ARRAY -> BYTES;
      default -> RAW;
    };
  }

  /**
   * Returns the type of the object that a payload within an array holds, as a number of Hazelcast's
   * serializers.
   */
  static int type(byte[] bytes, int from) {
    return getInt(bytes, from + HeapData.TYPE_OFFSET);
  }

  /** Returns the offset at which the kept part of a payload of this form begins. */
  static int offset(int form) {
    return switch (form) {
      case RAW -> HeapData.TYPE_OFFSET;
      case STRING, BYTES -> BODY;
      default -> 0;
    };
  }

  /** The partition hash that a payload carries, 0 if none. */
  static int partitionHash(byte[] payload) {
    return payload.length == 0 ? 0 : partitionHash(payload, 0);
  }

  /** The partition hash that a payload within an array carries, 0 if none. */
  static int partitionHash(byte[] bytes, int from) {
    return getInt(bytes, from + HeapData.PARTITION_HASH_OFFSET);
  }

  /** The key of a record, which must be readable: see {@link NativeEntries}. */
  static Data key(long record) {
    int form = Records.keyForm(record);
    byte[] payload = frame(form, Records.keyLength(record));
    Records.copyKey(record, payload, offset(form));
    if (payload.length > 0) {
      INT.set(payload, HeapData.PARTITION_HASH_OFFSET, Records.extra(record));
    }
    return new HeapData(payload);
  }

  /** Copies the key of a record, which must be readable, in serialized form. */
  static void copyKey(long record, byte[] to, int at) {
    int form = Records.keyForm(record);
    int length = Records.keyLength(record);
    putHead(to, at, form, length);
    Records.copyKey(record, to, at + offset(form));
    if (form != NULL) {
      INT.set(to, at + HeapData.PARTITION_HASH_OFFSET, Records.extra(record));
    }
  }

  /** The value of a record, which must be readable: see {@link NativeEntries}. */
  static @Nullable Data value(long record) {
    int form = Records.valueForm(record);
    if (form == NULL) {
      return null;
    }
    byte[] payload = frame(form, Records.valueLength(record));
    Records.copyValue(record, payload, offset(form));
    return new HeapData(payload);
  }

  /** A payload without its body. */
  static byte[] frame(int form, int length) {
    byte[] payload = new byte[offset(form) + length];
    putHead(payload, 0, form, length);
    return payload;
  }

  /** Writes what comes before the body of a payload, as long as {@link #offset} says. */
  static void putHead(byte[] to, int at, int form, int length) {
    if (form == NULL) {
      return;
    }
    INT.set(to, at + HeapData.PARTITION_HASH_OFFSET, 0);
    if (form == STRING || form == BYTES) {
      INT.set(
          to,
          at + HeapData.TYPE_OFFSET,
          form == STRING ? CONSTANT_TYPE_STRING : CONSTANT_TYPE_BYTE_ARRAY);
      INT.set(to, at + HeapData.DATA_OFFSET, length);
    }
  }

  private static int getInt(byte[] payload, int offset) {
    return (int) INT.get(payload, offset);
  }
}
