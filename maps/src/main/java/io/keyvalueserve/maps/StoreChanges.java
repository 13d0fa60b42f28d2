package io.keyvalueserve.maps;

/**
 * Knows what has changed in one map's partition since a side of a cluster is, or may be, on its
 * own: the time of each key's last change, and when all entries were last removed. A key that has a
 * time and no entry was removed. By the partition's writer.
 */
final class StoreChanges {
  private final KeyTimes times = new KeyTimes();
  private final KeyTimes.Room room;
  private final Runnable whenFull;
  private long clearedAt;
  private boolean incomplete;
  private boolean beganEmpty;

  /**
   * @param room what the times may take
   * @param whenFull told when they could not take more, each time
   * @param incomplete whether some changes are not known from the beginning
   */
  StoreChanges(KeyTimes.Room room, Runnable whenFull, boolean incomplete) {
    this.room = room;
    this.whenFull = whenFull;
    this.incomplete = incomplete;
  }

  /** Returns when a key was last changed, in milliseconds since 1970; 0 if it was not. */
  long of(long hash) {
    return Math.max(times.of(hash), clearedAt);
  }

  /** Returns the time of a change that is made now: later than all that is known of the key. */
  long next(long hash, long now) {
    return Math.max(now, of(hash) + 1);
  }

  /** A key was changed at a time. */
  void note(long hash, long time) {
    if (!times.note(hash, time, room)) {
      incomplete = true;
      whenFull.run();
    }
  }

  /** All entries were removed at a time; what was changed before need not be known. */
  void cleared(long time) {
    clearedAt = Math.max(clearedAt, time);
  }

  /** Forgets the times of keys, as all were removed just now. Returns the bytes given back. */
  long forgetKeys() {
    return times.clear();
  }

  long clearedAt() {
    return clearedAt;
  }

  KeyTimes times() {
    return times;
  }

  /** Returns whether changes may be missing here because there was no room for them. */
  boolean isIncomplete() {
    return incomplete;
  }

  void setIncomplete() {
    incomplete = true;
  }

  /**
   * Returns whether there was no entry before the first change: this side of the split may have had
   * no copy.
   */
  boolean hasBegunEmpty() {
    return beganEmpty;
  }

  void setBegunEmpty(boolean is) {
    beganEmpty = is;
  }

  boolean isNothing() {
    return times.size() == 0 && clearedAt == 0;
  }
}
