package io.keyvalueserve.store;

/** Told of records that leave a table, by its writer. Must not throw, nor touch the table. */
@FunctionalInterface
public interface Departures {
  /**
   * A record was replaced or removed, or its table cleared or closed.
   *
   * @param position where it is in the log, see {@link Records#logPosition}; not 0
   * @param bytes what it took with its value, see {@link Records#bytesWithValue}
   */
  void left(long position, int bytes);

  /**
   * A record whose value was spilled was replaced, promoted or removed, or its table cleared or
   * closed: nobody finds the handle any more, but readers that have a guard open may still have it.
   * To be implemented by whoever calls {@link Table#spill}.
   *
   * @param handle as {@link Table#spill} was told
   * @param length the value's, in bytes
   */
  default void leftDisk(long handle, int length) {
    throw new IllegalStateException("nobody was to spill values of this table");
  }
}
