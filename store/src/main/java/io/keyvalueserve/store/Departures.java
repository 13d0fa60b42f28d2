package io.keyvalueserve.store;

/** Told of records that leave a table, by its writer. Must not throw, nor touch the table. */
@FunctionalInterface
public interface Departures {
  /**
   * A record was replaced or removed, or its table cleared or closed.
   *
   * @param position where it is in the log, see {@link Records#logPosition}; not 0
   * @param bytes what it took, see {@link Records#bytes}
   */
  void left(long position, int bytes);
}
