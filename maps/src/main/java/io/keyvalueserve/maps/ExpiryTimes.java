package io.keyvalueserve.maps;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Knows for each partition when the next entry of any of its maps expires, so that nobody has to
 * ask the maps. The time of a partition is never too late; it is too early after an entry with an
 * early time has gone, until {@link #set}.
 *
 * <p>Times are whole seconds since 1970. Any thread reads; the holder of a partition's lock writes
 * its time.
 */
final class ExpiryTimes {
  /** The time of a partition in which nothing expires. */
  static final long NEVER = Long.MAX_VALUE;

  private final AtomicLongArray seconds;

  /** Creates the times of so many partitions, in which nothing expires. */
  ExpiryTimes(int partitions) {
    seconds = new AtomicLongArray(partitions);
    for (int i = 0; i < partitions; i++) {
      seconds.setPlain(i, NEVER);
    }
  }

  /** Notes that a map of a partition wakes at a second. The caller holds the partition's lock. */
  void note(int partition, long second) {
    if (second < seconds.getPlain(partition)) {
      seconds.setOpaque(partition, second);
    }
  }

  /** Replaces the time of a partition. The caller holds the partition's lock. */
  void set(int partition, long second) {
    seconds.setOpaque(partition, second);
  }

  /** Returns from which second on entries of a partition may have expired. */
  long of(int partition) {
    return seconds.getOpaque(partition);
  }
}
