package io.keyvalueserve.maps;

import org.jspecify.annotations.Nullable;

/**
 * Tells a change of a map, in one partition.
 *
 * @param map its name in the grid
 * @param stampMillis when it was made, by the clock of the partition's owner, in milliseconds since
 *     1970. All changes of one command have the same, and all changes of one transaction
 * @param position where the key comes in scans of the partition; 0 for {@link Kind#CLEAR}
 * @param key in Hazelcast's serialized form; empty for {@link Kind#CLEAR}
 * @param entry what there is now, for {@link Kind#PUT}; else null
 */
public record MapChange(
    String map,
    int partition,
    Kind kind,
    long stampMillis,
    long position,
    byte[] key,
    @Nullable StoredEntry entry) {
  private static final byte[] NO_KEY = {};

  /** The kinds of changes. */
  public enum Kind {
    /** An entry was written, or has another expiry. */
    PUT,
    /** An entry was removed, evicted or has expired. */
    REMOVE,
    /** All entries of the map in the partition were removed. */
    CLEAR
  }

  static MapChange put(String map, int partition, long stampMillis, StoredEntry entry) {
    return new MapChange(
        map, partition, Kind.PUT, stampMillis, entry.position(), entry.key(), entry);
  }

  static MapChange removed(String map, int partition, long stampMillis, long position, byte[] key) {
    return new MapChange(map, partition, Kind.REMOVE, stampMillis, position, key, null);
  }

  static MapChange cleared(String map, int partition, long stampMillis) {
    return new MapChange(map, partition, Kind.CLEAR, stampMillis, 0, NO_KEY, null);
  }

  /** Returns about how many bytes of the Java heap it takes. */
  public int bytes() {
    return 64 + (entry == null ? key.length : entry.bytes());
  }
}
