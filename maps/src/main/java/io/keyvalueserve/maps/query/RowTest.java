package io.keyvalueserve.maps.query;

/** A compiled condition. Thread-safe. */
@FunctionalInterface
interface RowTest {
  /**
   * Returns whether a row meets the condition.
   *
   * @throws io.keyvalueserve.engine.query.QueryException if that cannot be told
   */
  boolean test(RowView row);
}
