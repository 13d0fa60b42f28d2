package io.keyvalueserve.cli;

import java.util.List;

/** Prints the rows of a result as they come. Used by one thread. */
interface SqlPrinter {
  /**
   * Takes the columns, before the first row.
   *
   * @return false to end the result
   */
  boolean begin(List<SqlColumnHead> columns);

  /**
   * Takes a row.
   *
   * @return false to end the result
   */
  boolean row(List<SqlCell> row);

  /** Takes the end of the rows, also if not all have come. */
  void end();
}
