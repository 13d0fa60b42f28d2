package io.keyvalueserve.maps.query;

/** Takes the rows of a scan, one after the other. */
@FunctionalInterface
public interface RowVisitor {
  /**
   * Takes a row.
   *
   * @param row valid until this returns
   * @return false to stop behind this row
   */
  boolean visit(EntryRow row);

  /** Counts entries that were looked at, whether they became rows or not. */
  default void examined(long entries) {
    // not everybody counts
  }
}
