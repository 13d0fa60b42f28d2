package io.keyvalueserve.maps;

import io.keyvalueserve.maps.external.ExternalMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Knows which maps of a member have an external store. Thread-safe. */
public final class ExternalMaps {
  private final Map<String, ExternalMap> stores = new ConcurrentHashMap<>();
  private volatile int changes;
  private volatile boolean empty = true;
  private volatile boolean known = true;

  /** Sets the store behind a map; null if there is none. */
  public synchronized void set(String map, @Nullable ExternalMap store) {
    if (store == null) {
      stores.remove(map);
    } else {
      stores.put(map, store);
    }
    empty = stores.isEmpty();
    changes++;
  }

  /** Returns the store behind a map; null if there is none. */
  public @Nullable ExternalMap of(String map) {
    return stores.get(map);
  }

  /**
   * Says whether it is known which maps have one: it is, unless somebody says that it is not yet.
   */
  public void setKnown(boolean next) {
    known = next;
  }

  /** Returns whether it is known which maps have an external store. */
  public boolean areKnown() {
    return known;
  }

  /** Returns whether no map has an external store. */
  boolean isEmpty() {
    return empty;
  }

  /** Returns a number that moves on with each change. */
  int changes() {
    return changes;
  }
}
