package io.keyvalueserve.store;

/**
 * Told of records that come into a table and leave it, by its writer. Must not touch the table, and
 * not throw, but for {@link #arriving}.
 */
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
   * A record that {@link Table#put}, {@link Table#putStaged}, {@link Table#replaceValue} or {@link
   * Table#setExpiry} has made is about to take its place; what is there before is still there. If
   * this throws, the table stays as it was, and the caller gets the exception. A record for a key
   * that had none may be found by readers already.
   *
   * @param record its address; all of it is written but where it is in the log
   */
  default void arriving(long record) {}

  /**
   * A record of a tenant came into the table, or left it, in whatever form: records of number 0 are
   * not told of. All of it can be read still.
   *
   * @param record its address
   * @param sign 1 if it came, -1 if it left
   */
  default void counted(long record, int sign) {}

  /**
   * A record was replaced with another value, or removed, or its table cleared or closed. All of it
   * can be read still.
   *
   * @param record its address
   */
  default void dropped(long record) {}

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
