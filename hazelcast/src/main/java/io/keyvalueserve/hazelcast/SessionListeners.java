package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import com.hazelcast.client.impl.protocol.codec.builtin.ErrorsCodec;
import com.hazelcast.client.impl.protocol.codec.builtin.FixedSizeTypesCodec;
import io.keyvalueserve.gates.heap.HeapAccount;
import io.keyvalueserve.grid.kept.HeapCost;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one session, so that each is counted from when it is asked for until it is
 * removed or its connection is lost. A client may remove what it has added by this connection, by
 * the name and in the way that belong to it: Hazelcast would forget the number of another one and
 * keep that listener for good.
 *
 * <p>The reader of the connection asks and removes, the writer answers, who closes it ends.
 */
final class SessionListeners {
  private static final int REGISTRATION_OFFSET =
      ClientMessage.PARTITION_ID_FIELD_OFFSET + Integer.BYTES;
  private static final int ANSWERED_REGISTRATION_OFFSET = FrameLayout.CONTAINED;

  private final TenantsListeners.OfTenant tenant;
  private final HeapAccount heap;

  /** The listeners whose adding requests are not answered yet, by the numbers of these requests. */
  private final Map<Long, Listener> asked = new HashMap<>();

  /** The listeners that were added, by Hazelcast's ids. */
  private final Map<UUID, Listener> added = new HashMap<>();

  /** The ids of the listeners that unanswered requests remove, by the numbers of these requests. */
  private final Map<Long, UUID> leaving = new HashMap<>();

  private boolean ended;

  /**
   * @param heap where the bytes of listeners count
   */
  SessionListeners(TenantsListeners.OfTenant tenant, HeapAccount heap) {
    this.tenant = tenant;
    this.heap = heap;
  }

  /**
   * @param remover the type of the request that removes it
   * @param name as the client says it; empty if it is on nothing that has a name
   * @param bytes what it takes of the Java heap: its request has a name, a key, a predicate
   */
  private record Listener(int remover, String name, boolean foreign, long bytes) {}

  /**
   * Counts a listener that a request adds.
   *
   * @param name as the client says it; empty if the request has none
   * @param foreign whether that is another's map
   * @return null if it may be added; else why not, in words for the tenant: there is no room
   * @throws RefusedException if the tenant has too many
   */
  synchronized @Nullable String ask(
      ClientMessage request, MessageDescriptor descriptor, String name, boolean foreign) {
    if (ended) {
      return null; // nobody will be answered
    }
    if (asked.containsKey(request.getCorrelationId())) {
      throw new MessageRefusedException("a listener is being added by a request of this number");
    }
    if (!tenant.take(foreign)) {
      throw new MessageRefusedException(TenantsListeners.refusal(foreign));
    }
    long bytes = HeapCost.LISTENER + 2L * name.length() + request.getFrameLength();
    if (!heap.hold(bytes)) {
      tenant.give(foreign);
      return heap.refusal();
    }
    asked.put(request.getCorrelationId(), new Listener(descriptor.remover(), name, foreign, bytes));
    return null;
  }

  private void give(Listener listener) {
    tenant.give(listener.foreign());
    heap.release(listener.bytes());
  }

  /**
   * Returns whether a request removes one of these listeners. The listener is counted until the
   * request is answered.
   *
   * @param name as the client says it; empty if the request has none
   */
  synchronized boolean leaves(ClientMessage request, String name) {
    UUID id = id(request.getStartFrame(), REGISTRATION_OFFSET);
    Listener listener = id == null ? null : added.get(id);
    if (listener == null
        || listener.remover() != request.getMessageType()
        || !listener.name().equals(name)) {
      return false;
    }
    leaving.put(request.getCorrelationId(), id);
    return true;
  }

  /**
   * An answer is sent; nothing happens if it is to another request.
   *
   * @return false if it says that a listener is there that is not counted: the client has used the
   *     number of its request for another one too
   */
  boolean answered(ClientMessage answer) {
    int type = answer.getMessageType();
    if (type == ErrorsCodec.EXCEPTION_MESSAGE_TYPE) {
      failed(answer.getCorrelationId());
      return true;
    }
    MessageDescriptor request = MessageTable.answeredBy(type);
    if (request != null && request.addsListener()) {
      return added(answer);
    }
    if (request != null && request.removesListener()) {
      removed(answer.getCorrelationId());
    }
    return true;
  }

  private synchronized void failed(long correlation) {
    Listener listener = asked.remove(correlation);
    if (listener != null) {
      give(listener);
    }
    leaving.remove(correlation);
  }

  private synchronized boolean added(ClientMessage answer) {
    if (ended) {
      return true;
    }
    Listener listener = asked.remove(answer.getCorrelationId());
    if (listener == null) {
      return false;
    }
    UUID id = id(answer.getStartFrame(), ANSWERED_REGISTRATION_OFFSET);
    Listener uncounted = id == null ? listener : added.put(id, listener);
    if (uncounted != null) {
      give(uncounted);
    }
    return true;
  }

  private synchronized void removed(long correlation) {
    UUID id = leaving.remove(correlation);
    Listener listener = id == null ? null : added.remove(id);
    if (listener != null) {
      give(listener);
    }
  }

  /** The connection is closed: nothing will be heard. */
  synchronized void end() {
    if (!ended) {
      ended = true;
      asked.values().forEach(this::give);
      added.values().forEach(this::give);
      asked.clear();
      added.clear();
      leaving.clear();
      tenant.leave();
    }
  }

  private static @Nullable UUID id(Frame fields, int offset) {
    return fields.content.length < offset + FixedSizeTypesCodec.UUID_SIZE_IN_BYTES
        ? null
        : FixedSizeTypesCodec.decodeUUID(fields.content, offset);
  }
}
