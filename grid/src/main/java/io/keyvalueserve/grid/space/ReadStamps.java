package io.keyvalueserve.grid.space;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The stamps that partitions of maps had when this member last read there: see {@link
 * ReadTogether}. Of a fixed size, however many maps there are. Maps that share a place overwrite
 * each other's stamps; a stamp is never taken for another's, because all stamps differ. So a map
 * that is gone leaves nothing that could be wrong. Thread-safe, never blocks.
 */
final class ReadStamps {
  private static final int BITS = 17; // 1 MiB

  private final AtomicLongArray stamps = new AtomicLongArray(1 << BITS);

  /** Returns the place of a partition of a map. */
  static int place(String map, int partition) {
    long bits = (((long) map.hashCode() << Integer.SIZE) | partition) * 0x9E37_79B9_7F4A_7C15L;
    bits = (bits ^ (bits >>> 32)) * 0xC4CE_B9FE_1A85_EC53L;
    return (int) (bits >>> (Long.SIZE - BITS));
  }

  /** Returns the stamp that was last put at a place; 0 if none was. */
  long get(int place) {
    return stamps.getAcquire(place);
  }

  /** Remembers a stamp that has been answered. */
  void put(int place, long stamp) {
    if (stamps.getAcquire(place) != stamp) {
      stamps.setRelease(place, stamp);
    }
  }
}
