package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;

/** Hears of entries that leave a map by themselves, at the member that owns them. */
@FunctionalInterface
public interface Removals {
  /** Nobody hears. */
  Removals UNHEARD = (map, key, expired) -> {};

  /**
   * An entry has left. By the partition's thread; must not block.
   *
   * @param map the map's name in the grid
   * @param expired whether it has expired; false if it was evicted
   */
  void removed(String map, Data key, boolean expired);
}
