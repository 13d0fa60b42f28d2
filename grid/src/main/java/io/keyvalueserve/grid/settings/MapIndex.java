package io.keyvalueserve.grid.settings;

import com.hazelcast.config.IndexConfig;
import com.hazelcast.config.IndexType;
import java.util.List;

/**
 * An index of a map.
 *
 * @param name as Hazelcast names it if nobody else does
 * @param sorted whether it keeps its values in order, else it is a hash index
 * @param attributes of which it is, the first one first
 */
public record MapIndex(String name, boolean sorted, List<String> attributes) {
  public MapIndex {
    attributes = List.copyOf(attributes);
  }

  /** Returns whether an index is one that can be kept: all but bitmaps. */
  static boolean canBe(IndexConfig config) {
    return config.getType() != IndexType.BITMAP;
  }

  /**
   * @param config normalized, with a name
   */
  static MapIndex of(IndexConfig config) {
    return new MapIndex(
        config.getName(), config.getType() == IndexType.SORTED, config.getAttributes());
  }

  IndexConfig toConfig() {
    IndexConfig config = new IndexConfig(sorted ? IndexType.SORTED : IndexType.HASH);
    attributes.forEach(config::addAttribute);
    return config.setName(name);
  }
}
