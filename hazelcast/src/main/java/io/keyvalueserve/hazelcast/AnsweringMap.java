package io.keyvalueserve.hazelcast;

import io.keyvalueserve.maps.LocalMap;
import io.keyvalueserve.maps.LocalMap.DataSink;

/**
 * The methods of a map that direct answers need. {@link LocalMap}, which has the same methods,
 * describes them.
 */
interface AnsweringMap {
  int get(int partition, byte[] bytes, int keyOffset, int keyLength, DataSink sink);

  int contains(int partition, byte[] bytes, int keyOffset, int keyLength);

  int put(
      int partition,
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int valueOffset,
      int valueLength,
      DataSink previous);

  boolean set(
      int partition, byte[] bytes, int keyOffset, int keyLength, int valueOffset, int valueLength);

  /** A map of this member. */
  static AnsweringMap of(LocalMap map) {
    return new OfMember(map);
  }

  /** A map of this member. */
  record OfMember(LocalMap map) implements AnsweringMap {
    @Override
    public int get(int partition, byte[] bytes, int keyOffset, int keyLength, DataSink sink) {
      return map.get(partition, bytes, keyOffset, keyLength, sink);
    }

    @Override
    public int contains(int partition, byte[] bytes, int keyOffset, int keyLength) {
      return map.contains(partition, bytes, keyOffset, keyLength);
    }

    @Override
    public int put(
        int partition,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength,
        DataSink previous) {
      return map.put(partition, bytes, keyOffset, keyLength, valueOffset, valueLength, previous);
    }

    @Override
    public boolean set(
        int partition,
        byte[] bytes,
        int keyOffset,
        int keyLength,
        int valueOffset,
        int valueLength) {
      return map.set(partition, bytes, keyOffset, keyLength, valueOffset, valueLength);
    }
  }
}
