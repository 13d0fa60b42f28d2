package io.keyvalueserve.grid.space;

/** The locks of keys that a batch may pass. */
final class KeyLocks {
  /** The lock owner of whoever holds no lock; no thread has this number. */
  static final long NO_THREAD = 0;

  private KeyLocks() {}
}
