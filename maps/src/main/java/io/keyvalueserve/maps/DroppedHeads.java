package io.keyvalueserve.maps;

import com.hazelcast.internal.serialization.Data;

/**
 * Told of heads of large collections that were replaced or removed, so that their pages are no
 * longer needed: by commands, expiry, eviction or whatever else. Heads that {@link
 * NativeRecordStore#movingHead} replaces are not among them.
 */
public interface DroppedHeads {
  /** Nobody who wants to know. */
  DroppedHeads UNHEARD =
      new DroppedHeads() {
        @Override
        public void dropped(String map, int partition, Data key, Data head) {
          // nobody wants to know
        }

        @Override
        public void manyDropped() {
          // as above
        }
      };

  /**
   * Called by who has the partition; does not block, and touches no entries.
   *
   * @param map the map with the head
   * @param head the value, serialized
   */
  void dropped(String map, int partition, Data key, Data head);

  /** Called when heads were dropped that nobody tells one by one. Does not block. */
  void manyDropped();
}
