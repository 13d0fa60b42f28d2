package io.keyvalueserve.grid.external;

import org.jspecify.annotations.Nullable;

/**
 * The figures of a map with an external store, on one member or on several.
 *
 * @param waiting the keys with a write that the store does not have, dead letters included
 * @param dead the writes that the store has refused
 * @param oldestMillis when the oldest write that waits was made, in milliseconds since 1970; 0 if
 *     none waits
 * @param loads the statements that loaded rows
 * @param loaded the rows that were loaded
 * @param absent the keys that the table did not have
 * @param written the rows that were written or deleted
 * @param failures how often the database has not done what was asked
 * @param problem why it does not work at present; null if it does
 */
public record MapStoreStatus(
    long waiting,
    long dead,
    long oldestMillis,
    long loads,
    long loaded,
    long absent,
    long written,
    long failures,
    @Nullable String problem) {
  /** Nothing. */
  public static final MapStoreStatus NONE = new MapStoreStatus(0, 0, 0, 0, 0, 0, 0, 0, null);

  /** Returns the counts of one member. */
  static MapStoreStatus of(StoreCounts counts) {
    return new MapStoreStatus(
        counts.waiting.get(),
        counts.dead,
        counts.oldestMillis,
        counts.loads.sum(),
        counts.loaded.sum(),
        counts.absent.sum(),
        counts.written.sum(),
        counts.failures.sum(),
        counts.problem());
  }

  /** Returns the same with another problem. */
  MapStoreStatus withProblem(String next) {
    return new MapStoreStatus(
        waiting, dead, oldestMillis, loads, loaded, absent, written, failures, next);
  }

  /** Returns this and another together. */
  public MapStoreStatus plus(MapStoreStatus other) {
    long oldest =
        oldestMillis == 0 || other.oldestMillis == 0
            ? Math.max(oldestMillis, other.oldestMillis)
            : Math.min(oldestMillis, other.oldestMillis);
    return new MapStoreStatus(
        waiting + other.waiting,
        dead + other.dead,
        oldest,
        loads + other.loads,
        loaded + other.loaded,
        absent + other.absent,
        written + other.written,
        failures + other.failures,
        problem == null ? other.problem : problem);
  }
}
