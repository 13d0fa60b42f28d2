package io.keyvalueserve.hazelcast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.hazelcast.aggregation.impl.AggregatorDataSerializerHook;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.internal.util.ServiceLoader;
import com.hazelcast.projection.impl.ProjectionDataSerializerHook;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import com.hazelcast.topic.impl.TopicDataSerializerHook;
import io.keyvalueserve.maps.CollectionData;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses objects of Hazelcast's and the grid's own classes in what clients send, whether they are
 * named by number or by name. A member would make them anew if a query looked into them, and some
 * reach for the member they are on. Predicates, aggregators, projections and the messages of
 * reliable topics are what clients have reason to send. Refuses arrays and collections too that
 * name more elements than they have bytes: a member would take memory for all.
 *
 * <p>Refuses collections of Redis clients as well: what is in them, commands alone write.
 *
 * <p>Looks at the head of each serialized value only: 4 bytes partition hash, 4 bytes type, then
 * for an identified object 1 byte flags and 4 bytes factory, for another one 1 byte flags and its
 * class's name, and for what has elements their number, big-endian. What is nested inside another
 * value is beyond it; there the class filter of the member's configuration holds.
 */
final class ForeignTypes {
  private static final int TYPE_OFFSET = 4;
  private static final int FLAGS_OFFSET = 8;
  private static final int FACTORY_OFFSET = 9;
  private static final int NAME_OFFSET = 13;
  private static final int COUNT_OFFSET = 8;
  private static final int ROOM_OFFSET = 12;
  private static final int MOST_ROOM = 1 << 20;

  /** A Java object's stream has the name of its class after 8 or 9 bytes of its own. */
  private static final int FIRST_NAME_WITHIN = 16;

  private static final int HEAD_BYTES = 13;
  private static final byte IDENTIFIED = 1;

  private static final byte[][] INTERNAL = {
    "com.hazelcast.".getBytes(US_ASCII),
    "io.keyvalueserve.grid.".getBytes(US_ASCII),
    "io.keyvalueserve.maps.".getBytes(US_ASCII),
    "io.keyvalueserve.hazelcast.".getBytes(US_ASCII)
  };

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final Set<Integer> refused = new HashSet<>();

  /**
   * Collects the factories that Hazelcast registers by itself.
   *
   * @param ownFactories the factories of KeyValueServe's own classes
   */
  ForeignTypes(ClassLoader classLoader, Collection<Integer> ownFactories) throws Exception {
    Iterator<DataSerializerHook> hooks =
        ServiceLoader.iterator(
            DataSerializerHook.class, "com.hazelcast.DataSerializerHook", classLoader);
    hooks.forEachRemaining(hook -> refused.add(hook.getFactoryId()));
    refused.addAll(ownFactories);
    refused.remove(PredicateDataSerializerHook.F_ID);
    refused.remove(AggregatorDataSerializerHook.F_ID);
    refused.remove(ProjectionDataSerializerHook.F_ID);
    refused.remove(TopicDataSerializerHook.F_ID);
  }

  /**
   * Looks through a message.
   *
   * @throws RefusedException if it holds such an object
   */
  void check(ClientMessage message) {
    for (Frame frame = message.getStartFrame().next; frame != null; frame = frame.next) {
      String refusal = refusalOf(frame.content, 0, frame.content.length);
      if (refusal != null) {
        throw new MessageRefusedException(refusal);
      }
    }
  }

  /** Returns whether a serialized value is refused. */
  boolean isForeign(byte[] bytes, int offset, int length) {
    return refusalOf(bytes, offset, length) != null;
  }

  private @Nullable String refusalOf(byte[] bytes, int offset, int length) {
    if (length < HEAD_BYTES - 1 || bytes[offset + TYPE_OFFSET] != (byte) 0xff) {
      return null; // of no type of Hazelcast's own
    }
    int type = (int) INT.get(bytes, offset + TYPE_OFFSET);
    if (takesMemoryAtOnce(type)) {
      int count = (int) INT.get(bytes, offset + COUNT_OFFSET);
      boolean tooMany = count > length - COUNT_OFFSET - Integer.BYTES;
      return tooMany || isTooRoomy(type, bytes, offset, length)
          ? "a value names more elements than it has bytes"
          : null;
    }
    if (CollectionData.typeOf(type) != null) {
      return "a collection of Redis clients is not written by others";
    }
    boolean internal =
        switch (type) {
          case SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE ->
              length >= HEAD_BYTES && isInternal(bytes, offset, length);
          case SerializationConstants.JAVA_DEFAULT_TYPE_SERIALIZABLE,
              SerializationConstants.JAVA_DEFAULT_TYPE_EXTERNALIZABLE ->
              namesInternal(bytes, offset + FLAGS_OFFSET, offset + length);
          default -> false;
        };
    return internal ? "objects of Hazelcast's internal classes are not open to tenants" : null;
  }

  private boolean isInternal(byte[] bytes, int offset, int length) {
    if ((bytes[offset + FLAGS_OFFSET] & IDENTIFIED) != 0) {
      return refused.contains((int) INT.get(bytes, offset + FACTORY_OFFSET));
    }
    return isInternalAt(bytes, offset + NAME_OFFSET, offset + length);
  }

  /**
   * Returns whether the first class named in a Java object's stream is one of the refused classes.
   */
  private static boolean namesInternal(byte[] bytes, int from, int to) {
    int most = Math.min(to, from + FIRST_NAME_WITHIN);
    for (int at = from; at < most; at++) {
      if (isInternalAt(bytes, at, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInternalAt(byte[] bytes, int at, int to) {
    for (byte[] prefix : INTERNAL) {
      int end = at + prefix.length;
      if (end <= to && Arrays.equals(bytes, at, end, prefix, 0, prefix.length)) {
        return true;
      }
    }
    return false;
  }

  /** Those that begin with a comparator have memory for their elements as these come. */
  private static boolean takesMemoryAtOnce(int type) {
    return switch (type) {
      case SerializationConstants.CONSTANT_TYPE_BYTE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_BOOLEAN_ARRAY,
          SerializationConstants.CONSTANT_TYPE_CHAR_ARRAY,
          SerializationConstants.CONSTANT_TYPE_SHORT_ARRAY,
          SerializationConstants.CONSTANT_TYPE_INTEGER_ARRAY,
          SerializationConstants.CONSTANT_TYPE_LONG_ARRAY,
          SerializationConstants.CONSTANT_TYPE_FLOAT_ARRAY,
          SerializationConstants.CONSTANT_TYPE_DOUBLE_ARRAY,
          SerializationConstants.CONSTANT_TYPE_STRING_ARRAY,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_COPY_ON_WRITE_ARRAY_LIST,
          SerializationConstants.JAVA_DEFAULT_TYPE_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_CONCURRENT_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_HASH_MAP,
          SerializationConstants.JAVA_DEFAULT_TYPE_HASH_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_LINKED_HASH_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_COPY_ON_WRITE_ARRAY_SET,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_DEQUE,
          SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_BLOCKING_QUEUE ->
          true;
      default -> false;
    };
  }

  /** One queue has room for more than it holds, as it says. */
  private static boolean isTooRoomy(int type, byte[] bytes, int offset, int length) {
    return type == SerializationConstants.JAVA_DEFAULT_TYPE_ARRAY_BLOCKING_QUEUE
        && length >= ROOM_OFFSET + Integer.BYTES
        && (int) INT.get(bytes, offset + ROOM_OFFSET) > MOST_ROOM;
  }
}
