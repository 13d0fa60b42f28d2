package io.keyvalueserve.maps;

import com.hazelcast.config.IndexConfig;

/**
 * Told of the indexes of maps, on every member that has something of the map: of each more than
 * once, by threads that must not block.
 */
public interface IndexDefinitions {
  /** Nobody is told. */
  IndexDefinitions UNHEARD =
      new IndexDefinitions() {
        @Override
        public void added(String map, IndexConfig index) {}

        @Override
        public void destroyed(String map) {}
      };

  /** A map has an index. */
  void added(String map, IndexConfig index);

  /** A map was destroyed, and its indexes with it. */
  void destroyed(String map);
}
