package io.keyvalueserve.grid.restart;

/** The treatment of requests for entries that a starting member has not loaded from its log yet. */
public enum WhileLoading {
  /** The member serves: what is asked for is read from the disk at once. */
  WAIT,
  /** The member serves, but refuses what is not loaded yet. */
  REFUSE,
  /** The member does not serve before it has loaded everything. */
  CLOSED
}
