package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAggregateCodec;
import com.hazelcast.client.impl.protocol.codec.MapAggregateWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapEntriesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapExecuteWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapKeySetWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapProjectCodec;
import com.hazelcast.client.impl.protocol.codec.MapProjectWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPagingPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.MapValuesWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerToKeyWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.ReplicatedMapAddEntryListenerWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapKeySetWithPredicateCodec;
import com.hazelcast.client.impl.protocol.codec.TransactionalMapValuesWithPredicateCodec;
import com.hazelcast.internal.nio.Bits;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.maps.readable.UnreadableException;
import io.keyvalueserve.maps.readable.ValueCheck;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the parts of a request that a member makes objects of: predicates, aggregators,
 * projections, comparators. Keys and values are not among them: a member keeps their bytes.
 *
 * <p>Thread-safe.
 */
final class RequestObjects {
  private static final int TYPE_OFFSET = 4;
  private static final int LEAST_TYPE = -1000;

  /** Requests all of whose serialized parts become objects. */
  private static final Set<Integer> WHOLE =
      Set.of(
          MapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapAggregateCodec.REQUEST_MESSAGE_TYPE,
          MapAggregateWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapEntriesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapEntriesWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapKeySetWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapProjectCodec.REQUEST_MESSAGE_TYPE,
          MapProjectWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapValuesWithPagingPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddEntryListenerWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapKeySetWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          TransactionalMapValuesWithPredicateCodec.REQUEST_MESSAGE_TYPE);

  /** Requests whose last serialized part becomes one: a predicate behind a key or a processor. */
  private static final Set<Integer> LAST =
      Set.of(
          MapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          MapExecuteWithPredicateCodec.REQUEST_MESSAGE_TYPE,
          ReplicatedMapAddEntryListenerToKeyWithPredicateCodec.REQUEST_MESSAGE_TYPE);

  private final ReadableTypes types;

  RequestObjects(ReadableTypes types) {
    this.types = types;
  }

  /** Returns whether a member makes objects of a part of such requests. */
  static boolean areIn(int messageType) {
    return WHOLE.contains(messageType) || LAST.contains(messageType);
  }

  /**
   * Checks a request.
   *
   * @throws RefusedException if it holds what no object is to be made of
   */
  void check(ClientMessage message) {
    int type = message.getMessageType();
    boolean whole = WHOLE.contains(type);
    if (!whole && !LAST.contains(type)) {
      return;
    }
    Frame before = message.getStartFrame();
    Frame last = null;
    for (Frame frame = before.next; frame != null; frame = frame.next) {
      if (isSerialized(frame, before)) {
        if (whole) {
          check(frame);
        }
        last = frame;
      }
      before = frame;
    }
    if (!whole && last != null) {
      check(last);
    }
  }

  /** A structure begins with numbers of its own; a text has no byte that begins a type. */
  private static boolean isSerialized(Frame frame, @Nullable Frame before) {
    if (frame.content.length < TYPE_OFFSET + Integer.BYTES
        || (before != null && before.isBeginFrame())) {
      return false;
    }
    int type = Bits.readIntB(frame.content, TYPE_OFFSET);
    return type < 0 && type >= LEAST_TYPE;
  }

  private void check(Frame frame) {
    try {
      ValueCheck.check(types, null, frame.content, 0, frame.content.length);
    } catch (UnreadableException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    }
  }
}
