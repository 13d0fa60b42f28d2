package io.keyvalueserve.maps.index;

import com.hazelcast.internal.serialization.Data;
import com.hazelcast.query.impl.QueryableEntry;
import org.jspecify.annotations.Nullable;

/** The map that an index belongs to, as the index knows it. Thread-safe. */
@SuppressWarnings("rawtypes") // as Hazelcast's own
public interface IndexedMap {
  /** The name of the map, for messages. */
  String name();

  /**
   * Returns the number of the thread that writes a key. Threads with different numbers do not
   * disturb each other.
   */
  int writerOf(Data key);

  /** An entry with the value it has now, which it keeps; null if there is none. */
  @Nullable QueryableEntry read(Data key);

  /** An entry for an index on the heap to keep: it reads its value when asked. */
  QueryableEntry reference(Data key);

  /** Counts memory off the heap that the map uses more, or less. */
  void addBytes(long delta);
}
