package io.keyvalueserve.maps;

import io.keyvalueserve.journal.spill.SpillArea;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the area where values go that leave memory, if there is one, and which maps' entries go
 * there when memory is short. Thread-safe.
 */
final class Spilling {
  private static final Logger LOG = LoggerFactory.getLogger(Spilling.class);

  private final Map<String, OverMemory> overMemory = new ConcurrentHashMap<>();
  private @Nullable SpillArea area;
  private @Nullable ValueReaders readers;

  /** Has values go to an area, which is closed with this. To be called before the member starts. */
  void to(SpillArea next) {
    area = next;
    readers = new ValueReaders(next);
  }

  /** Returns the area where values go that leave memory; null if they stay. */
  @Nullable SpillArea area() {
    return area;
  }

  /** Returns the threads that read values from the disk; null if no values go there. */
  @Nullable ValueReaders readers() {
    return readers;
  }

  /** Sets what becomes of a map's entries when memory is short; null for what is usual. */
  void set(String map, @Nullable OverMemory next) {
    if (next == null) {
      overMemory.remove(map);
    } else {
      overMemory.put(map, next);
    }
  }

  /**
   * Returns how a map gives up memory on this member when it is short.
   *
   * @param usual applies if nothing is set
   */
  OverMemory overMemory(String map, OverMemory usual) {
    OverMemory set = overMemory.getOrDefault(map, usual);
    return set == OverMemory.SPILL && area == null ? OverMemory.REFUSE : set;
  }

  /** The member goes down: operations that wait for the disk are ended. By any thread. */
  void endReading() {
    if (readers != null) {
      readers.end();
    }
  }

  /** Closes the area, unless somebody still reads there. */
  void close() {
    if (readers != null && !readers.awaitEnd()) {
      LOG.error("a value is still being read after the member went down; the spill area stays");
      return;
    }
    try (SpillArea closing = area) {
      LOG.debug("closing the spill area {}", closing);
    } catch (IOException e) {
      LOG.warn("the spill area's files could not be removed: {}", e.getMessage());
    }
  }
}
