package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.ClientMessage.Frame;
import io.keyvalueserve.grid.space.KeyText;
import io.keyvalueserve.tenancy.grant.MapAccess;
import io.keyvalueserve.tenancy.grant.Rights;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The events of others' maps that a client listens to: each is looked at again before it is sent,
 * so that a listener hears what its tenant may read at that moment. Listeners are known by the
 * number of the request that added them, which each of their events carries. Thread-safe.
 */
final class Hearing {
  private static final int MOST_LISTENERS = 1_000;

  private final ConcurrentHashMap<Long, Listener> listeners = new ConcurrentHashMap<>();

  private record Listener(MapAccess access, boolean byKey) {}

  /** Events of entries, of those keys that may be read. */
  void entries(long correlationId, MapAccess access) {
    add(correlationId, new Listener(access, true));
  }

  /** Events that tell something of all keys. */
  void everything(long correlationId, MapAccess access) {
    add(correlationId, new Listener(access, false));
  }

  private void add(long correlationId, Listener listener) {
    if (listeners.size() >= MOST_LISTENERS) {
      throw new MessageRefusedException(
          "a client may add "
              + MOST_LISTENERS
              + " listeners to others' maps while it is connected; this one has");
    }
    if (listeners.putIfAbsent(correlationId, listener) != null) {
      // else the events of one listener would be held against what is granted to another
      throw new MessageRefusedException("a listener was added by a request of this number before");
    }
  }

  /** Returns whether an event may be sent. */
  boolean mayHear(ClientMessage event) {
    Listener listener = listeners.isEmpty() ? null : listeners.get(event.getCorrelationId());
    return listener == null || mayHear(listener, event.getStartFrame().next);
  }

  private static boolean mayHear(Listener listener, @Nullable Frame key) {
    MapAccess access = listener.access();
    if (access.allowsAll(Rights.READ)) {
      return true;
    }
    if (!listener.byKey() || key == null || key.isNullFrame()) {
      return false;
    }
    KeyText text = new KeyText();
    return text.read(key.content, 0, key.content.length)
        && access.allows(Rights.READ, text.bytes(), text.offset(), text.length());
  }
}
