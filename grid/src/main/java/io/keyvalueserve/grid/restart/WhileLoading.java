package io.keyvalueserve.grid.restart;

/** What requests meet for entries that a member which starts has not loaded from its log yet. */
public enum WhileLoading {
  /** The member serves: what is asked for is read from the disk at once. */
  WAIT,
  /** The member serves, but refuses what is not loaded yet. */
  REFUSE,
  /** The member does not serve before it has loaded everything. */
  CLOSED
}
