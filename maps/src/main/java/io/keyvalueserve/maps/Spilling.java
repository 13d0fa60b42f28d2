package io.keyvalueserve.maps;

import io.keyvalueserve.journal.spill.SpillArea;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the area where values go that leave memory, if there is one, and which maps' entries go
 * there when memory is short. Thread-safe.
 */
final class Spilling {
  private static final Logger LOG = LoggerFactory.getLogger(Spilling.class);

  /** The settings of maps, and those of all maps of a tenant, by the beginning of their names. */
  private final Map<String, Setting> settings = new ConcurrentHashMap<>();

  /** The number of settings that hold for all maps of a tenant. */
  private final AtomicInteger ofTenants = new AtomicInteger();

  private @Nullable SpillArea area;
  private @Nullable ValueReaders readers;

  /**
   * A setting.
   *
   * @param overMemory null for what is usual
   */
  private record Setting(@Nullable OverMemory overMemory) {}

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

  /** See {@link NativeMaps#setOverMemory}. */
  void set(String map, @Nullable OverMemory next) {
    if (settings.put(map, new Setting(next)) == null && isTenant(map)) {
      int _ = ofTenants.incrementAndGet();
    }
  }

  /** See {@link NativeMaps#unsetOverMemory}. */
  void unset(String map) {
    if (settings.remove(map) != null && isTenant(map)) {
      int _ = ofTenants.decrementAndGet();
    }
  }

  private static boolean isTenant(String name) {
    return name.indexOf('/') == name.length() - 1;
  }

  private @Nullable Setting setting(String map) {
    Setting own = settings.get(map);
    if (own != null || ofTenants.get() == 0) {
      return own;
    }
    int slash = map.indexOf('/');
    return slash < 0 ? null : settings.get(map.substring(0, slash + 1));
  }

  /**
   * Returns how a map gives up memory on this member when it is short.
   *
   * @param usual applies if nothing is set
   */
  OverMemory overMemory(String map, OverMemory usual) {
    Setting setting = setting(map);
    OverMemory set = setting == null ? null : setting.overMemory();
    OverMemory next = set == null ? usual : set;
    return next == OverMemory.SPILL && area == null ? OverMemory.REFUSE : next;
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
