package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.internal.nio.Bits;
import io.keyvalueserve.maps.readable.ReadableTypes;
import io.keyvalueserve.maps.readable.UnreadableException;
import io.keyvalueserve.maps.readable.ValueCheck;
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

  /** The serialized parts of a request that become objects. */
  enum Parts {
    NONE,
    /** The last: a predicate behind a key or a processor. */
    LAST,
    ALL
  }

  private final ReadableTypes types;

  RequestObjects(ReadableTypes types) {
    this.types = types;
  }

  /**
   * Checks a request.
   *
   * @param parts those that become objects in a request of its type
   * @throws RefusedException if it holds what no object is to be made of
   */
  void check(ClientMessage message, Parts parts) {
    if (parts == Parts.NONE) {
      return;
    }
    Frame before = message.getStartFrame();
    Frame last = null;
    for (Frame frame = before.next; frame != null; frame = frame.next) {
      if (isSerialized(frame, before)) {
        if (parts == Parts.ALL) {
          check(frame);
        }
        last = frame;
      }
      before = frame;
    }
    if (parts == Parts.LAST && last != null) {
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
      throw new MessageRefusedException(String.valueOf(e.getMessage()));
    }
  }
}
