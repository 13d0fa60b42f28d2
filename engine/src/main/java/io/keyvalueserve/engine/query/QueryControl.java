package io.keyvalueserve.engine.query;

/**
 * The bounds of one running query. Engines ask it between slices of work, and tell it what they
 * have done. Thread-safe.
 */
public interface QueryControl {
  /**
   * Called at least every millisecond of work by a thread that works for the query. May wait until
   * it is the tenant's turn again.
   *
   * @throws QueryException if the query was ended, or its time is over
   */
  void checkpoint();

  /** Counts entries that were looked at. */
  void examined(long entries);

  /**
   * Takes heap for what the query keeps at this member.
   *
   * @throws QueryException if the tenant's queries would have too much
   */
  void take(long bytes);

  /** Gives back heap that was taken. */
  void give(long bytes);

  /** Returns the tenant's number. */
  int tenant();

  /**
   * Returns when the query ends by itself, as {@link System#nanoTime}; {@link Long#MAX_VALUE} if
   * never.
   */
  long deadlineNanos();
}
