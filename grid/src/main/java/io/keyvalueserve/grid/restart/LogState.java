package io.keyvalueserve.grid.restart;

/** Tells how far a member that starts has read its log, and whether it found the log damaged. */
enum LogState {
  /** Nothing is loaded yet. */
  UNREAD,
  /**
   * Keys are loaded, and damage that was met on the way is known. Sealed chunks may have more, as
   * only their indexes were read.
   */
  LOADED,
  /** Everything was read, and nothing is missing. */
  CHECKED,
  /** The log may lack what it had. */
  DAMAGED
}
