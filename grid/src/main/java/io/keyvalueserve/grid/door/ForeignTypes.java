package io.keyvalueserve.grid.door;

import com.hazelcast.aggregation.impl.AggregatorDataSerializerHook;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.impl.SerializationConstants;
import com.hazelcast.internal.util.ServiceLoader;
import com.hazelcast.projection.impl.ProjectionDataSerializerHook;
import com.hazelcast.query.impl.predicates.PredicateDataSerializerHook;
import com.hazelcast.topic.impl.TopicDataSerializerHook;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/**
 * Refuses objects of Hazelcast's own internal classes in what clients send. A member would make
 * them anew if a query looked into them, and some reach for the member they are on. Predicates,
 * aggregators, projections and the messages of reliable topics are what clients have reason to
 * send.
 *
 * <p>Looks at the head of each serialized value only: 4 bytes partition hash, 4 bytes type, then
 * for an identified object 1 byte flags and 4 bytes factory, big-endian. What is nested inside
 * another value is beyond it; there the class filter of the member's configuration holds.
 */
final class ForeignTypes {
  private static final int TYPE_OFFSET = 4;
  private static final int FLAGS_OFFSET = 8;
  private static final int FACTORY_OFFSET = 9;
  private static final int HEAD_BYTES = 13;
  private static final byte IDENTIFIED = 1;

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
      if (isForeign(frame.content, 0, frame.content.length)) {
        throw new RefusedException(
            "objects of Hazelcast's internal classes are not open to tenants");
      }
    }
  }

  /** Whether a serialized value is such an object. */
  boolean isForeign(byte[] bytes, int offset, int length) {
    return length >= HEAD_BYTES
        && bytes[offset + TYPE_OFFSET] == (byte) 0xff
        && (bytes[offset + FLAGS_OFFSET] & IDENTIFIED) != 0
        && (int) INT.get(bytes, offset + TYPE_OFFSET)
            == SerializationConstants.CONSTANT_TYPE_DATA_SERIALIZABLE
        && refused.contains((int) INT.get(bytes, offset + FACTORY_OFFSET));
  }
}
