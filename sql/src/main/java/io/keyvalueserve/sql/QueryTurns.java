package io.keyvalueserve.sql;

/**
 * Shares the processors of a member among its tenants. A statement has a turn only while it works:
 * not while it waits for rows of other members, nor for its client. Thread-safe.
 */
public interface QueryTurns {
  /** Waits until it is the tenant's turn, and begins it. */
  Turn begin(int tenant);

  /** A turn. Used by the thread that has begun it. */
  interface Turn extends AutoCloseable {
    /** Called about every millisecond: lets others go first if they have waited longer. */
    void checkpoint();

    /** Gives the turn back. */
    @Override
    void close();
  }

  /** Returns turns that never wait. */
  static QueryTurns unlimited() {
    return _ -> EndlessTurn.ENDLESS;
  }
}
