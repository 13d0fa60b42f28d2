package io.keyvalueserve.grid.turn;

import com.hazelcast.collection.impl.collection.CollectionDataSerializerHook;
import com.hazelcast.collection.impl.queue.QueueDataSerializerHook;
import com.hazelcast.internal.nio.Bits;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.map.impl.MapDataSerializerHook;
import com.hazelcast.multimap.impl.MultiMapDataSerializerHook;
import com.hazelcast.ringbuffer.impl.RingbufferDataSerializerHook;
import io.keyvalueserve.grid.space.SpaceSerialization;

/**
 * Finds the tenant of an operation that another member has sent, in the bytes of it: the object's
 * name is the first that these operations write after what all have in common. An operation on a
 * replica is nobody's: replicas are changed in the order in which their owner changed.
 *
 * <p>{@code Operation.writeData} says what the bytes are; {@code OperationPacketTest} that they
 * still are so.
 */
final class OperationPacket {
  private static final int TYPE_AT = 4;
  private static final int IDENTIFIED_AT = 8;
  private static final int FACTORY_AT = 9;
  private static final int FLAGS_AT = 25;
  private static final int AFTER_FLAGS = 27;

  // As in Operation, where they are package-private.
  private static final int CALLER_UUID = 1 << 1;
  private static final int REPLICA_INDEX = 1 << 2;
  private static final int WAIT_TIMEOUT = 1 << 3;
  private static final int LONG_PARTITION = 1 << 4;
  private static final int LONG_CALL_TIMEOUT = 1 << 5;
  private static final int SERVICE_NAME = 1 << 6;
  private static final int CLIENT_CALL_ID = 1 << 7;

  private OperationPacket() {}

  /**
   * The number of the tenant whose object it is about; {@link TenantNumbers#UNKNOWN} if none is.
   */
  static int tenant(byte[] bytes, TenantNumbers numbers) {
    if (bytes.length < AFTER_FLAGS
        || Bits.readIntB(bytes, TYPE_AT) != SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE
        || bytes[IDENTIFIED_AT] != 1
        || !namesObjectFirst(Bits.readIntB(bytes, FACTORY_AT))) {
      return TenantNumbers.UNKNOWN;
    }
    int flags = Bits.readShortB(bytes, FLAGS_AT);
    if ((flags & REPLICA_INDEX) != 0) {
      return TenantNumbers.UNKNOWN;
    }
    int at = AFTER_FLAGS;
    if ((flags & SERVICE_NAME) != 0) {
      if (at + Integer.BYTES > bytes.length) {
        return TenantNumbers.UNKNOWN;
      }
      int length = Bits.readIntB(bytes, at);
      if (length < 0 || length > bytes.length) {
        return TenantNumbers.UNKNOWN;
      }
      at += Integer.BYTES + length;
    }
    at += (flags & LONG_PARTITION) == 0 ? Short.BYTES : Integer.BYTES;
    at += Long.BYTES; // when it was invoked
    at += (flags & LONG_CALL_TIMEOUT) == 0 ? Integer.BYTES : Long.BYTES;
    at += (flags & WAIT_TIMEOUT) == 0 ? 0 : Long.BYTES;
    if ((flags & CALLER_UUID) != 0) {
      if (at >= bytes.length) {
        return TenantNumbers.UNKNOWN;
      }
      at += bytes[at] == 0 ? 1 + 2 * Long.BYTES : 1;
    }
    at += (flags & CLIENT_CALL_ID) == 0 ? 0 : Long.BYTES;
    return named(bytes, at, numbers);
  }

  private static int named(byte[] bytes, int at, TenantNumbers numbers) {
    if (at + Integer.BYTES > bytes.length) {
      return TenantNumbers.UNKNOWN;
    }
    int length = Bits.readIntB(bytes, at);
    int start = at + Integer.BYTES;
    return length < 0 || length > bytes.length - start
        ? TenantNumbers.UNKNOWN
        : numbers.ofObject(bytes, start, length);
  }

  private static boolean namesObjectFirst(int factory) {
    return factory == MapDataSerializerHook.F_ID
        || factory == SpaceSerialization.FACTORY_ID
        || factory == QueueDataSerializerHook.F_ID
        || factory == CollectionDataSerializerHook.F_ID
        || factory == MultiMapDataSerializerHook.F_ID
        || factory == RingbufferDataSerializerHook.F_ID;
  }
}
